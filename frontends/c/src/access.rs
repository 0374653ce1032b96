//! What loops read and write, as sums over loop variables and numbers that are known only when the function runs.
//!
//! Loops that are no computations may still have independent iterations, or statements that can be taken one after
//! the other for all iterations. Both are decided here, by [`terrace_analysis::may_conflict_where`], before code is made. Ends of loops may be
//! parameters, and so may the sizes that rows are numbered by (`A[i * n + j]`). **Invariant.** What is not understood is held to
//! meet everything: an answer is a proof.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, For, Stmt, StmtKind, UnaryOp, assigned};
use crate::bindings::{Bindings, Slot};
use std::collections::BTreeSet;
use terrace_analysis::{Across, Range, may_conflict_where, range_of};
use terrace_support::affine::{AffineExpr, AffineKind};

/// An array: of the function, or one that is declared among the statements looked at
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    Array(usize),
    Local(String),
}

/// A read or a write of an element
#[derive(Clone, Debug)]
pub struct Access {
    pub base: Base,
    /// Nothing where the element is not known
    pub subs: Option<Vec<AffineExpr>>,
    pub write: bool,
    /// At least 0 wherever it is made
    holds: Vec<AffineExpr>,
}

/// What a name stands for among the statements looked at
#[derive(Clone)]
enum Meaning {
    /// A loop variable, which may be unsigned
    Dim(u32, bool),
    /// A sum
    Sum(AffineExpr, bool),
    /// An array with so many dimensions
    Array(usize),
    /// A number that is not followed
    Opaque,
}

/// A look at statements
pub struct Look<'g, 'a> {
    bindings: &'g Bindings<'a>,
    names: Vec<(String, Meaning)>,
    /// What each variable lies in, and how it differs between two turns of the loop in question
    ranges: Vec<Range>,
    across: Vec<Across>,
    /// Numbers that stay the same
    symbols: Vec<(String, u32)>,
    holds: Vec<AffineExpr>,
    /// Numbers that change inside
    changed: BTreeSet<String>,
    /// Ends of loops are no numbers that are known here
    pub open: bool,
    /// What is read and written
    pub found: Vec<Access>,
}

/// Values that each variable is tried with, and tries at most
const SMALL: usize = 4;

const SEEN: usize = 1 << 14;

/// Pairs of accesses that are compared at most
const PAIRS: usize = 4000;

impl<'g, 'a> Look<'g, 'a> {
    /// Nothing seen yet; `changed` are the numbers that the loop in question assigns
    pub fn new(bindings: &'g Bindings<'a>, changed: BTreeSet<String>) -> Self {
        Look {
            bindings,
            names: Vec::new(),
            ranges: Vec::new(),
            across: Vec::new(),
            symbols: Vec::new(),
            holds: Vec::new(),
            changed,
            open: false,
            found: Vec::new(),
        }
    }

    pub fn variable(&mut self, range: Range, across: Across) -> u32 {
        self.ranges.push(range);
        self.across.push(across);
        self.ranges.len() as u32 - 1
    }

    /// Enter a loop and return the number of its variable; facts about the variable hold from here on
    pub fn enter(&mut self, one: &For, across: Across) -> Option<u32> {
        let head = self.bindings.head(one).ok()?;
        let symbols = self.symbols.len();
        let (start, end) = (self.sum(head.start), self.sum(head.test.0));
        let fixed = |(_, n): &(String, u32)| self.ranges[*n as usize].count() < 1 << 30;
        self.open |= start.is_none() || end.is_none() || !self.symbols[symbols..].iter().all(fixed);
        let elem = head.elem.or(match self.bindings.lookup(head.name) {
            Some(Slot::Cell(cell)) => Some(cell.elem),
            Some(Slot::Temp { elem, .. }) => Some(*elem),
            _ => None,
        });
        let unsigned = matches!(elem, Some(Elem::Int { signed: false, .. }));
        let inclusive = matches!(head.test.1, BinaryOp::Le | BinaryOp::Ge);
        let last = |e: AffineExpr| match (inclusive, head.step > 0) {
            (true, _) => e,
            (false, true) => AffineExpr::sub(e, 1.into()),
            (false, false) => AffineExpr::add(e, 1.into()),
        };
        let (start, end) = (start.map(|(e, _)| e), end.map(|(e, _)| last(e)));
        let (low, high) = if head.step > 0 { (start, end) } else { (end, start) };
        let least = low.as_ref().and_then(|e| range_of(e, &self.ranges)).map_or(i64::MIN, Range::min);
        let most = high.as_ref().and_then(|e| range_of(e, &self.ranges)).map_or(i64::MAX, Range::max);
        // What is unsigned never lies below 0, whatever its first value.
        let least = if unsigned { least.max(0) } else { least };
        let range = Range::new(least, most.max(least)).unwrap_or(Range::ALL);
        let n = self.variable(range, across);
        self.names.push((head.name.to_string(), Meaning::Dim(n, unsigned)));
        let own = AffineExpr::Dim(n);
        // A test against what wraps says nothing.
        if !unsigned || least >= 0 {
            self.holds.extend(low.map(|low| AffineExpr::sub(own.clone(), low)));
            self.holds.extend(high.map(|high| AffineExpr::sub(high, own)));
        }
        Some(n)
    }

    /// See what statements read and write
    pub fn stmts(&mut self, stmts: &[Stmt]) {
        crate::with_room(|| {
            let names = self.names.len();
            for stmt in stmts {
                self.stmt(stmt);
            }
            self.names.truncate(names);
        });
    }

    /// See one statement, whose declarations hold on
    pub fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.expr(e),
            StmtKind::Return(None) => {}
            StmtKind::Decl(objects) => {
                for object in objects {
                    if let Some(init) = &object.init {
                        self.expr(init);
                    }
                    let init = object.init.as_ref().filter(|_| !self.changed.contains(&object.name));
                    let whole = matches!(object.elem, Elem::Int { bits: 32.., .. });
                    let meaning = match init.filter(|_| whole).and_then(|init| self.sum(init)) {
                        _ if !object.dims.is_empty() => Meaning::Array(object.dims.len()),
                        Some((e, unsigned)) => Meaning::Sum(e, unsigned),
                        None => Meaning::Opaque,
                    };
                    self.names.push((object.name.clone(), meaning));
                }
            }
            StmtKind::Block(all) => self.stmts(all),
            StmtKind::If(test, yes, no) => {
                self.expr(test);
                self.stmts(yes);
                self.stmts(no);
            }
            StmtKind::While(one) => {
                one.test.iter().for_each(|e| self.expr(e));
                self.stmts(&one.body);
                self.stmts(&one.step);
            }
            StmtKind::Break | StmtKind::Continue => {}
            StmtKind::For(one) => {
                let (names, holds) = (self.names.len(), self.holds.len());
                if let Some(init) = &one.init {
                    self.stmt(init);
                }
                if self.enter(one, Across::Free).is_none() {
                    // Whatever it counts is not followed.
                    for name in assigned(std::slice::from_ref(stmt)) {
                        self.names.push((name, Meaning::Opaque));
                    }
                }
                one.test.iter().for_each(|e| self.expr(e));
                self.stmts(&one.body);
                self.names.truncate(names);
                self.holds.truncate(holds);
            }
        }
    }

    /// Elements that an expression reads and writes
    pub fn expr(&mut self, e: &Expr) {
        crate::with_room(|| match &e.kind {
            ExprKind::Int(..) | ExprKind::Float(..) => {}
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Field(..) => {
                self.element(e, false);
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Call(_, all) | ExprKind::List(_, all) => all.iter().for_each(|e| self.expr(e)),
            ExprKind::Assign(op, target, value) => {
                self.expr(value);
                if op.is_some() {
                    self.element(target, false);
                }
                self.element(target, true);
            }
            ExprKind::Step(target, _) => {
                self.element(target, false);
                self.element(target, true);
            }
        });
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.names.iter().rev().find(|(other, _)| other == name).map(|(_, meaning)| meaning)
    }

    /// An element that is read or written, and what its subscripts read
    pub fn element(&mut self, e: &Expr, write: bool) {
        let Some(name) = e.base() else {
            // No name in front: every part is read, and what is written is not known.
            return;
        };
        let mut inner = e;
        // Subscripts are read.
        loop {
            inner = match &inner.kind {
                ExprKind::Index(a, i) => {
                    self.expr(i);
                    a
                }
                ExprKind::Binary(_, a, i) => {
                    self.expr(i);
                    a
                }
                ExprKind::Field(a, _) | ExprKind::Deref(a) => a,
                _ => break,
            };
        }
        let (base, subs) = match self.meaning(name).cloned() {
            Some(Meaning::Array(rank)) => {
                let (mut at, mut subs) = (e, Vec::new());
                while let ExprKind::Index(a, i) = &at.kind {
                    subs.push((**i).clone());
                    at = a;
                }
                subs.reverse();
                let whole = matches!(at.kind, ExprKind::Name(_)) && subs.len() == rank;
                (Base::Local(name.to_string()), whole.then_some(subs))
            }
            Some(_) => return,
            None => {
                let Some(Slot::Array(n)) = self.bindings.lookup(name) else { return };
                let array = &self.bindings.arrays[*n];
                let base = Base::Array(array.root);
                // Parts of an array have subscripts of their own.
                let known = self
                    .bindings
                    .place(e)
                    .ok()
                    .flatten()
                    .filter(|place| array.root == *n && place.subs.len() == array.dims.len());
                let subs = known.and_then(|place| {
                    let field = place
                        .field
                        .map(|field| Expr { span: e.span, kind: ExprKind::Int(field as i128, Elem::INT) });
                    match (array.elem, field) {
                        (Elem::Struct(_), None) => None,
                        (_, field) => Some(place.subs.into_iter().chain(field).collect::<Vec<_>>()),
                    }
                });
                (base, subs)
            }
        };
        let subs = subs.and_then(|subs| {
            subs.iter().map(|sub| self.sum(sub).map(|(e, _)| e)).collect::<Option<Vec<AffineExpr>>>()
        });
        self.found.push(Access { base, subs, write, holds: self.holds.clone() });
    }

    /// A sum over variables and numbers that stay the same, and whether it wraps below 0
    fn sum(&mut self, e: &Expr) -> Option<(AffineExpr, bool)> {
        crate::with_room(|| self.sum_here(e)).and_then(|(sum, unsigned)| {
            let wraps = unsigned && range_of(&sum, &self.ranges).is_none_or(|range| range.min() < 0);
            (!wraps).then_some((sum, unsigned))
        })
    }

    fn sum_here(&mut self, e: &Expr) -> Option<(AffineExpr, bool)> {
        match &e.kind {
            ExprKind::Int(value, _) => Some((i64::try_from(*value).ok()?.into(), false)),
            ExprKind::Name(name) => match self.meaning(name).cloned() {
                Some(Meaning::Dim(n, unsigned)) => Some((AffineExpr::Dim(n), unsigned)),
                Some(Meaning::Sum(e, unsigned)) => Some((e, unsigned)),
                Some(_) => None,
                None => self.symbol(name, e),
            },
            ExprKind::Cast(Elem::Int { bits: 32.., .. }, inner) => self.sum(inner),
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let (inner, unsigned) = self.sum(inner)?;
                Some((AffineExpr::negated(inner), unsigned))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, u) = self.sum(a)?;
                let (b, v) = self.sum(b)?;
                let unsigned = u || v;
                Some(match op {
                    BinaryOp::Add => (AffineExpr::add(a, b), unsigned),
                    BinaryOp::Sub => (AffineExpr::sub(a, b), unsigned),
                    BinaryOp::Mul => (AffineExpr::mul(a, b), unsigned),
                    // C's quotient is the floor where nothing is negative.
                    BinaryOp::Div | BinaryOp::Rem
                        if b.as_constant().is_some_and(|b| b > 0)
                            && range_of(&a, &self.ranges)?.min() >= 0 =>
                    {
                        let kind = if *op == BinaryOp::Div { AffineKind::FloorDiv } else { AffineKind::Mod };
                        (AffineExpr::binary(kind, a, b), unsigned)
                    }
                    _ => return None,
                })
            }
            _ => None,
        }
    }

    /// A number that stays the same while the loop in question runs
    fn symbol(&mut self, name: &str, e: &Expr) -> Option<(AffineExpr, bool)> {
        if self.changed.contains(name) {
            return None;
        }
        if let Some(value) = self.bindings.constant(e) {
            return Some((value.into(), false));
        }
        let (elem, range) = match self.bindings.lookup(name)? {
            Slot::Iv(n) => {
                let iv = &self.bindings.ivs[*n];
                let ends = iv.range.and_then(|(start, step, turns)| {
                    let last = step.checked_mul((turns - 1).max(0))?.checked_add(start)?;
                    Some((start, last))
                });
                (iv.elem, ends.and_then(|(a, b)| Range::new(a.min(b), a.max(b))))
            }
            Slot::Temp { elem, .. } => (*elem, None),
            Slot::Cell(cell) => (cell.elem, None),
            _ => return None,
        };
        let Elem::Int { bits, signed } = elem else { return None };
        if let Some((_, n)) = self.symbols.iter().find(|(other, _)| other == name) {
            return Some((AffineExpr::Dim(*n), !signed));
        }
        let range = range.unwrap_or(match (bits, signed) {
            (64.., true) => Range::ALL,
            (64.., false) => Range::new(0, i64::MAX).unwrap_or(Range::ALL),
            (_, true) => Range::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1).unwrap_or(Range::ALL),
            (_, false) => Range::new(0, (1 << bits) - 1).unwrap_or(Range::ALL),
        });
        let n = self.variable(range, Across::Same);
        self.symbols.push((name.to_string(), n));
        Some((AffineExpr::Dim(n), !signed))
    }

    /// What a variable lies in
    pub fn range(&self, n: u32) -> Range {
        self.ranges[n as usize]
    }

    /// May the two be of one element, in turns of a loop that are related so?
    pub fn meet(&self, a: &Access, b: &Access, turn: u32, how: Across) -> bool {
        let mut across = self.across.clone();
        across[turn as usize] = how;
        match (&a.subs, &b.subs) {
            _ if a.base != b.base || !a.write && !b.write => false,
            (Some(x), Some(y)) => {
                may_conflict_where(x, y, [&a.holds, &b.holds], &self.ranges, &across).is_some()
            }
            _ => true,
        }
    }

    /// Do they meet for small numbers? That is seen sooner than a proof fails
    fn meet_soon(&self, a: &Access, b: &Access, turn: u32, how: Across) -> bool {
        let mut across = self.across.clone();
        across[turn as usize] = how;
        match (&a.subs, &b.subs) {
            _ if a.base != b.base || !a.write && !b.write => false,
            (Some(x), Some(y)) => self.clash_seen(a, b, [x, y], &across),
            _ => true,
        }
    }

    /// Do the two meet for some small numbers?
    fn clash_seen(&self, a: &Access, b: &Access, subs: [&[AffineExpr]; 2], across: &[Across]) -> bool {
        let used = |n: usize| {
            let all = subs[0].iter().chain(subs[1]).chain(&a.holds).chain(&b.holds);
            all.into_iter().any(|e| e.uses_dim(n as u32))
        };
        let dims = across.len();
        // The value in the first turn and in the second; what stays the same has one.
        let mut slots: Vec<(usize, bool)> = Vec::new();
        for (n, how) in across.iter().enumerate() {
            if used(n) || matches!(how, Across::Differ | Across::Before | Across::After) {
                slots.push((n, false));
                if *how != Across::Same {
                    slots.push((n, true));
                }
            }
        }
        let tries = (0..slots.len()).try_fold(1usize, |all, _| all.checked_mul(SMALL).filter(|n| *n <= SEEN));
        let Some(tries) = tries else { return false };
        let low = |n: usize| {
            let range = self.ranges[n];
            if range.min() <= 0 && range.max() >= 0 { 0 } else { range.min() }
        };
        let (mut first, mut second): (Vec<i64>, Vec<i64>) =
            ((0..dims).map(low).collect(), (0..dims).map(low).collect());
        for number in 0..tries {
            let mut left = number;
            let mut inside = true;
            for (n, other) in &slots {
                let value = low(*n).saturating_add((left % SMALL) as i64);
                left /= SMALL;
                inside &= value <= self.ranges[*n].max();
                match (other, across[*n]) {
                    (true, _) => second[*n] = value,
                    (false, Across::Same) => (first[*n], second[*n]) = (value, value),
                    (false, _) => first[*n] = value,
                }
            }
            let apart = across.iter().enumerate().all(|(n, how)| match how {
                Across::Differ => first[n] != second[n],
                Across::Before => first[n] < second[n],
                Across::After => first[n] > second[n],
                _ => true,
            });
            let holds = |holds: &[AffineExpr], at: &[i64]| {
                holds.iter().all(|e| e.eval(at, &[]).is_some_and(|value| value >= 0))
            };
            if inside
                && apart
                && subs[0]
                    .iter()
                    .zip(subs[1])
                    .all(|(x, y)| x.eval(&first, &[]).zip(y.eval(&second, &[])).is_some_and(|(x, y)| x == y))
                && subs[0].len() == subs[1].len()
                && holds(&a.holds, &first)
                && holds(&b.holds, &second)
            {
                return true;
            }
        }
        false
    }

    /// Is no element that one turn of the loop writes used by another turn?
    pub fn independent(&self, turn: u32) -> bool {
        let writes: Vec<&Access> = self.found.iter().filter(|access| access.write).collect();
        let none = |meet: &dyn Fn(&Access, &Access) -> bool| {
            writes.iter().all(|write| self.found.iter().all(|other| !meet(write, other)))
        };
        writes.len() * self.found.len() <= PAIRS
            && none(&|a, b| self.meet_soon(a, b, turn, Across::Differ))
            && none(&|a, b| self.meet(a, b, turn, Across::Differ))
    }

    /// Does no later turn of `first` use what an earlier turn of `second` has used?
    pub fn in_front(&self, first: &[Access], second: &[Access], turn: u32, up: bool) -> bool {
        let earlier = if up { Across::Before } else { Across::After };
        let none = |meet: &dyn Fn(&Access, &Access) -> bool| {
            second.iter().all(|late| first.iter().all(|early| !meet(late, early)))
        };
        first.len() * second.len() <= PAIRS
            && none(&|a, b| self.meet_soon(a, b, turn, earlier))
            && none(&|a, b| self.meet(a, b, turn, earlier))
    }
}
