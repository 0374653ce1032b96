//! Elements at places that loops around a nest say (`u[t][i]` in a nest over i): the nest works on a part of the array.
//!
//! Subscripts that only mention what stays the same while the nest runs become the place of a part, and the nest is written
//! anew on parts of fewer dimensions. **Invariant.** Parts of an array that is written are the same part, or apart by a constant
//! in some dimension; others are refused. A place lies inside of its array, or is looked at in every turn anyway.

use crate::ast::{BinaryOp, Expr, ExprKind, For, Stmt, StmtKind, assigned, declared, expressions};
use crate::bindings::{Array, Bindings, Slot};
use crate::codes;
use crate::computation::Source;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::subviews::Along;
use std::collections::{BTreeMap, BTreeSet};
use terrace_ir::{BlockId, DYNAMIC, OpId, Value};
use terrace_support::affine::AffineExpr;

/// Per dimension the place that stays the same while the nest runs
type FixedSubscripts = Vec<Option<AffineExpr>>;

/// A part that the nest works on
struct Slice {
    array: usize,
    at: FixedSubscripts,
    name: String,
}

impl Bindings<'_> {
    /// An element of an array with sizes: per dimension the place that stays the same, where that is a sum
    fn use_of(&self, e: &Expr, own: &BTreeSet<String>) -> Option<(usize, FixedSubscripts)> {
        let (name, subs) = chain(e)?;
        let Some(Slot::Array(n)) = self.lookup(name) else { return None };
        let array = &self.arrays[*n];
        if array.dims.len() != subs.len() || array.open {
            return None;
        }
        let place = |sub: &&Expr| {
            let mut varies = false;
            sub.walk(&mut |inner| {
                if let ExprKind::Name(name) = &inner.kind {
                    varies |= own.contains(name);
                }
            });
            if varies || self.constant(sub).is_some() {
                return None;
            }
            self.affine(sub).map(|place| self.simple(&place))
        };
        Some((*n, subs.iter().map(place).collect()))
    }

    /// Elements that a nest uses, by array and places that stay the same; and whether some are used under a condition only
    fn uses(&self, nest: &[Stmt], own: &BTreeSet<String>) -> (Vec<(usize, FixedSubscripts)>, bool) {
        let (mut uses, mut guarded): (Vec<(usize, FixedSubscripts)>, bool) = (Vec::new(), conditional(nest));
        // What is no element with all subscripts may be any element.
        let mut named: Vec<usize> = Vec::new();
        expressions(nest, &mut |e| {
            guarded |= matches!(
                e.kind,
                ExprKind::Cond(..) | ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, ..)
            );
            if let ExprKind::Name(name) = &e.kind
                && let Some(Slot::Array(n)) = self.lookup(name)
            {
                named.push(*n);
            }
            uses.extend(self.use_of(e, own));
        });
        for n in 0..self.arrays.len() {
            let elements = uses.iter().filter(|(array, _)| *array == n).count();
            if named.iter().filter(|other| **other == n).count() > elements {
                uses.push((n, vec![None; self.arrays[n].dims.len()]));
            }
        }
        (uses, guarded)
    }

    /// Parts to be made for the uses; nothing without any, or where one may lie outside of its array
    fn slices_of(&self, uses: &[(usize, FixedSubscripts)], guarded: bool) -> Option<Vec<Slice>> {
        let mut parts: Vec<Slice> = Vec::new();
        for (array, at) in uses {
            if at.iter().all(Option::is_none)
                || parts.iter().any(|part| part.array == *array && part.at == *at)
            {
                continue;
            }
            let inside = at.iter().zip(&self.arrays[*array].dims).all(|(place, size)| match place {
                Some(place) => self.range(place).is_some_and(|(low, high)| low >= 0 && high < *size),
                None => true,
            });
            if guarded && !inside {
                return None;
            }
            let name = format!("{}.{}", self.arrays[*array].name, self.arrays.len() + parts.len());
            parts.push(Slice { array: *array, at: at.clone(), name });
        }
        (!parts.is_empty()).then_some(parts)
    }

    /// Are different parts of an array used that may share elements?
    fn mixed(&self, name: &str, uses: &[(usize, FixedSubscripts)]) -> bool {
        let Some(Slot::Array(written)) = self.lookup(name) else { return false };
        let all: Vec<&FixedSubscripts> =
            uses.iter().filter(|(array, _)| array == written).map(|(_, at)| at).collect();
        all.iter().enumerate().any(|(n, a)| all[n + 1..].iter().any(|b| b != a && !self.apart(a, b)))
    }

    /// Do two parts share no element?
    fn apart(&self, a: &FixedSubscripts, b: &FixedSubscripts) -> bool {
        a.iter().zip(b).any(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => {
                let distance = self.simple(&AffineExpr::sub(a.clone(), b.clone()));
                distance.as_constant().is_some_and(|distance| distance != 0)
            }
            _ => false,
        })
    }

    fn rewrite_for(&self, one: &mut For, own: &BTreeSet<String>, parts: &[Slice]) {
        if let Some(directive) = &mut one.directive {
            directive.outs.iter_mut().for_each(|out| self.rewrite(out, own, parts));
        }
        one.init.iter_mut().for_each(|init| self.rewrite_stmt(init, own, parts));
        one.test.iter_mut().chain(&mut one.step).for_each(|e| self.rewrite(e, own, parts));
        one.body.iter_mut().for_each(|stmt| self.rewrite_stmt(stmt, own, parts));
    }

    fn rewrite_stmt(&self, stmt: &mut Stmt, own: &BTreeSet<String>, parts: &[Slice]) {
        crate::with_room(|| match &mut stmt.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => self.rewrite(e, own, parts),
            StmtKind::Return(None) => {}
            StmtKind::Decl(objects) => {
                let inits = objects.iter_mut().filter_map(|object| object.init.as_mut());
                inits.for_each(|e| self.rewrite(e, own, parts));
            }
            StmtKind::For(one) => self.rewrite_for(one, own, parts),
            StmtKind::If(test, yes, no) => {
                self.rewrite(test, own, parts);
                yes.iter_mut().chain(no).for_each(|stmt| self.rewrite_stmt(stmt, own, parts));
            }
            StmtKind::Block(all) => all.iter_mut().for_each(|stmt| self.rewrite_stmt(stmt, own, parts)),
            StmtKind::While(one) => {
                one.test.iter_mut().for_each(|e| self.rewrite(e, own, parts));
                one.body.iter_mut().chain(&mut one.step).for_each(|stmt| self.rewrite_stmt(stmt, own, parts));
            }
            StmtKind::Break | StmtKind::Continue => {}
        });
    }

    fn rewrite(&self, e: &mut Expr, own: &BTreeSet<String>, parts: &[Slice]) {
        crate::with_room(|| {
            if let Some((array, at)) = self.use_of(e, own)
                && let Some(part) = parts.iter().find(|part| part.array == array && part.at == at)
            {
                let subs: Vec<Expr> =
                    chain(e).map_or(Vec::new(), |(_, subs)| subs.into_iter().cloned().collect());
                let mut new = Expr { span: e.span, kind: ExprKind::Name(part.name.clone()) };
                for (mut sub, _) in subs.into_iter().zip(&at).filter(|(_, place)| place.is_none()) {
                    self.rewrite(&mut sub, own, parts);
                    let span = e.span;
                    new = Expr { span, kind: ExprKind::Index(Box::new(new), Box::new(sub)) };
                }
                *e = new;
                return;
            }
            match &mut e.kind {
                ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Name(_) => {}
                ExprKind::Deref(a)
                | ExprKind::Field(a, _)
                | ExprKind::Unary(_, a)
                | ExprKind::Cast(_, a)
                | ExprKind::Step(a, _) => self.rewrite(a, own, parts),
                ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                    self.rewrite(a, own, parts);
                    self.rewrite(b, own, parts);
                }
                ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| self.rewrite(e, own, parts)),
                ExprKind::Call(_, all) | ExprKind::List(_, all) => {
                    all.iter_mut().for_each(|e| self.rewrite(e, own, parts));
                }
            }
        });
    }
}

impl Lowering<'_> {
    /// Arrays whose sizes are known only when the function runs, cut to what the computation in progress reaches; gives back
    /// what they were
    ///
    /// Sizes of computations are numbers. The code for the parts stands in front of the computation.
    pub fn cut_to_reach(&mut self, outside: BlockId) -> Vec<(usize, Array)> {
        let Some(body) = &self.body else { return Vec::new() };
        let reads = body.inputs.iter().filter_map(|input| match (&input.source, &input.map) {
            (Source::Array(n, _), Some(map)) => Some((*n, map)),
            _ => None,
        });
        let writes = body.updates.iter().filter_map(|update| Some((update.place.array?, &update.map)));
        let mut reach: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
        for (n, map) in reads.chain(writes).filter(|(n, _)| self.names.arrays[*n].dims.contains(&DYNAMIC)) {
            let ends = reach.entry(n).or_insert_with(|| vec![1; map.len()]);
            for (end, e) in ends.iter_mut().zip(map) {
                let high = self.names.range(e).map_or(i64::MAX, |(_, high)| high);
                *end = (*end).max(high.saturating_add(1));
            }
        }
        let block = std::mem::replace(&mut self.emit.block, outside);
        let mut before = Vec::new();
        for (n, ends) in reach {
            let whole = self.names.arrays[n].clone();
            if ends.len() != whole.dims.len() || ends.iter().any(|end| *end > crate::bindings::FAR) {
                continue;
            }
            let along: Vec<Along> = whole
                .dims
                .iter()
                .zip(&ends)
                .map(|(size, end)| if *size == DYNAMIC { Along::First(*end) } else { Along::All })
                .collect();
            let fields = whole.fields.iter().map(|field| self.emit.part(*field, &along)).collect();
            let dims =
                whole.dims.iter().zip(&ends).map(|(size, end)| if *size == DYNAMIC { *end } else { *size });
            self.names.arrays[n] = Array { dims: dims.collect(), fields, ..whole.clone() };
            before.push((n, whole));
        }
        self.emit.block = block;
        before
    }

    /// The nest on parts of its arrays, if it uses elements at places that loops around it say; code for the parts is made
    pub fn on_slices(&mut self, one: &For) -> Done<Option<For>> {
        if self.names.ivs.is_empty() || self.names.ivs.iter().any(|iv| iv.index.is_none()) {
            return Ok(None);
        }
        let nest = [Stmt { span: one.head, kind: StmtKind::For(Box::new(one.clone())) }];
        let mut own: BTreeSet<String> = assigned(&nest).into_iter().collect();
        own.extend(declared(&nest).into_iter().map(String::from));
        let (uses, guarded) = self.names.uses(&nest, &own);
        let Some(parts) = self.names.slices_of(&uses, guarded) else { return Ok(None) };
        for name in assigned(&nest) {
            if self.names.mixed(&name, &uses) {
                let message = format!("C-DEP: parts of {name} that are written and read may overlap");
                return refuse(&codes::DEP, one.head, message);
            }
        }
        self.emit.set_loc(one.head);
        self.make_slices(&parts);
        let mut nest = one.clone();
        self.names.rewrite_for(&mut nest, &own, &parts);
        if let Some(directive) = &mut nest.directive {
            for list in [&mut directive.inout, &mut directive.disjoint] {
                let named: Vec<_> = list
                    .iter()
                    .flat_map(|(name, span)| {
                        let mine = parts.iter().filter(|part| self.names.arrays[part.array].name == *name);
                        mine.map(|part| (part.name.clone(), *span)).collect::<Vec<_>>()
                    })
                    .collect();
                list.extend(named);
            }
        }
        Ok(Some(nest))
    }

    /// Parts as arrays of their own
    fn make_slices(&mut self, parts: &[Slice]) {
        let turns: Vec<Value> = self.names.ivs.iter().filter_map(|iv| iv.index).collect();
        for part in parts {
            let along: Vec<Along> = part
                .at
                .iter()
                .map(|place| match place {
                    Some(place) => match place.as_constant() {
                        Some(place) => Along::At(place),
                        None => Along::Where(self.emit.affine_value(place, &turns)),
                    },
                    None => Along::All,
                })
                .collect();
            let whole = self.names.arrays[part.array].clone();
            let fields = whole.fields.iter().map(|field| self.emit.part(*field, &along)).collect();
            let kept = whole.dims.iter().zip(&part.at).filter(|(_, place)| place.is_none());
            let dims = kept.map(|(size, _)| *size).collect();
            self.names.arrays.push(Array { name: part.name.clone(), dims, fields, ..whole });
            let n = self.names.arrays.len() - 1;
            self.names.declare(&part.name, Slot::Array(n));
        }
    }

    /// Take back what was made for parts, behind an op
    pub fn forget_slices(&mut self, last: Option<OpId>, arrays: usize) {
        while let Some(op) = self.emit.ir.last_op(self.emit.block).filter(|op| Some(*op) != last) {
            self.emit.ir.erase(op);
        }
        self.names.arrays.truncate(arrays);
    }
}

/// Subscripts of an element, outermost first, and the name in front of them
fn chain(e: &Expr) -> Option<(&str, Vec<&Expr>)> {
    let (mut at, mut subs) = (e, Vec::new());
    loop {
        match &at.kind {
            ExprKind::Index(inner, sub) => {
                subs.push(&**sub);
                at = inner;
            }
            ExprKind::Name(name) if !subs.is_empty() => {
                subs.reverse();
                return Some((name, subs));
            }
            _ => return None,
        }
    }
}

/// Is there a statement under a condition?
fn conditional(stmts: &[Stmt]) -> bool {
    let mut stack: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::If(..) | StmtKind::While(_) => return true,
            StmtKind::For(one) => stack.extend(&one.body),
            StmtKind::Block(all) => stack.extend(all),
            _ => {}
        }
    }
    false
}
