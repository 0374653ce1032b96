//! A loop around several statements as several loops: each of them may be a computation where the loop is none.
//!
//! ```c
//! for (i…) { float s = 0; for (j…) s += A[i][j]; y[i] = s; }         // an accumulator in a variable
//! for (i…) { y[i] = 0; for (j…) y[i] += A[i][j]; }                   // what is stored at once needs no variable
//!
//! for (i…) { double m = …; for (j…) … m …; for (j…) z[i][j] = … m …; }
//! double m.0[N]; for (i…) m.0[i] = …; for (i…) for (j…) … m.0[i] …; for (i…) for (j…) z[i][j] = … m.0[i] …;
//! ```
//!
//! Statements go apart unless a turn of an earlier one uses what a later one has used in a turn before ([`crate::access`]).
//! A number that only lives within a turn becomes an array with an element for each turn, if it crosses from one loop to
//! another. Such arrays together are no larger than those that the loop works on, and a bit.

use crate::access::{Access, Base, Look};
use crate::ast::{
    BinaryOp, Elem, Expr, ExprKind, For, Object, Stmt, StmtKind, UnaryOp, assigned, change, declared,
    expressions,
};
use crate::bindings::{Bindings, Slot};
use crate::live;
use crate::lowering::Lowering;
use std::collections::BTreeSet;
use terrace_analysis::{Across, Range};
use terrace_diag::Span;

/// Elements that arrays in place of numbers may have in any case
const SMALL: i64 = 1 << 16;

/// Statements of a loop that are looked at
const STATEMENTS: usize = 40;

/// Statements that stay together, with what they use
struct Piece {
    stmts: Vec<Stmt>,
    uses: Vec<Access>,
}

/// How a loop counts
struct Counter {
    variable: String,
    step: i64,
    /// Names that the loop assigns
    changed: BTreeSet<String>,
}

/// Numbers and arrays that the statements of a loop set
struct Numbers {
    /// Declared in the loop
    own: Vec<Object>,
    /// Numbers that live within a turn
    private: Vec<(String, Elem)>,
    /// Numbers that the next turn, or what follows, reads
    shared: BTreeSet<String>,
}

/// What crosses from one group to another: name, type, and sizes of an array
type Crossing = (String, Elem, Vec<Expr>);

impl Bindings<'_> {
    /// How the loop counts, if its ends stay as they are
    fn counter(&self, one: &For, body: &[Stmt]) -> Option<Counter> {
        let changed: BTreeSet<String> = assigned(&[over(one, body.to_vec())]).into_iter().collect();
        let head = self.head(one).ok()?;
        let (variable, step) = (head.name.to_string(), head.step);
        let moves = |e: &Expr| changed.iter().any(|name| *name != variable && e.mentions(name));
        if moves(head.start) || moves(head.test.0) || body.iter().any(|stmt| assigns(stmt, &variable)) {
            return None;
        }
        Some(Counter { variable, step, changed })
    }

    /// Numbers that live within a turn, and those that do not
    fn numbers(&self, body: &[Stmt], counter: &Counter, live: &BTreeSet<String>) -> Option<Numbers> {
        let own: Vec<Object> = body
            .iter()
            .filter_map(|stmt| match &stmt.kind {
                StmtKind::Decl(objects) => Some(objects),
                _ => None,
            })
            .flatten()
            .cloned()
            .collect();
        let exposed = live::behind(body, &BTreeSet::new());
        let mut private: Vec<(String, Elem)> = Vec::new();
        let mut shared: BTreeSet<String> = BTreeSet::new();
        for object in own.iter().filter(|object| object.dims.is_empty()) {
            private.push((object.name.clone(), object.elem));
        }
        for name in counter.changed.iter().filter(|name| **name != counter.variable) {
            let mine = own.iter().any(|object| object.name == *name);
            match self.lookup(name) {
                Some(Slot::Cell(cell)) if !mine => match live.contains(name) || exposed.contains(name) {
                    true => drop(shared.insert(name.clone())),
                    false => private.push((name.clone(), cell.elem)),
                },
                Some(Slot::Temp { .. }) if !mine => drop(shared.insert(name.clone())),
                _ => {}
            }
        }
        let listed = own.iter().any(|object| !object.dims.is_empty() && object.init.is_some());
        let names = declared(body);
        let twice = own.iter().any(|object| names.iter().filter(|name| **name == object.name).count() > 1);
        let structures = private.iter().any(|(_, elem)| matches!(elem, Elem::Struct(_)));
        (!listed && !structures && !twice).then_some(Numbers { own, private, shared })
    }

    /// Statements that must stay together, in groups, and the range of the variable
    ///
    /// Where ends are parameters no group would be a computation.
    fn groups(
        &self,
        around: &[For],
        one: &For,
        body: &[Stmt],
        counter: &Counter,
        numbers: &Numbers,
    ) -> Option<(Vec<Vec<Stmt>>, Range)> {
        let mut look = Look::new(self, counter.changed.clone());
        for one in around {
            look.enter(one, Across::Same)?;
        }
        let turn = look.enter(one, Across::Same)?;
        // Arrays of a turn: their content never reaches another one.
        let local = |access: &Access| matches!(&access.base, Base::Local(name) if numbers.own.iter().any(|object| object.name == *name));
        let mut pieces: Vec<Piece> = Vec::new();
        for stmt in body {
            look.stmt(stmt);
            let mut uses = std::mem::take(&mut look.found);
            uses.retain(|access| !local(access));
            pieces.push(Piece { stmts: vec![stmt.clone()], uses });
        }
        let mut cuts = vec![true; pieces.len()];
        for late in 1..pieces.len() {
            for early in 0..late {
                let by_number = numbers
                    .shared
                    .iter()
                    .any(|name| mentions(&pieces[early].stmts, name) && mentions(&pieces[late].stmts, name));
                let up = counter.step > 0;
                if by_number || !look.in_front(&pieces[early].uses, &pieces[late].uses, turn, up) {
                    cuts[early + 1..=late].fill(false);
                }
            }
        }
        if look.open {
            return None;
        }
        let mut groups: Vec<Vec<Stmt>> = Vec::new();
        for (piece, cut) in pieces.into_iter().zip(cuts) {
            match groups.last_mut() {
                Some(last) if !cut => last.extend(piece.stmts),
                _ => groups.push(piece.stmts),
            }
        }
        Some((groups, look.range(turn)))
    }

    /// Are arrays in place of numbers no larger than what the loop works on?
    fn affordable(&self, arrays: &[Object], one: &For) -> bool {
        let mut look = Look::new(self, BTreeSet::new());
        look.stmts(std::slice::from_ref(&Stmt {
            span: one.head,
            kind: StmtKind::For(Box::new(one.clone())),
        }));
        let mut used: Vec<usize> = Vec::new();
        for access in &look.found {
            if let Base::Array(n) = access.base
                && !used.contains(&n)
            {
                used.push(n);
            }
        }
        let size = |dims: &mut dyn Iterator<Item = i64>| dims.fold(1i64, |a, b| a.saturating_mul(b.max(1)));
        let have = used.iter().map(|n| {
            size(&mut self.arrays[*n].dims.iter().copied().filter(|size| *size < crate::bindings::FAR))
        });
        let have = have.fold(SMALL, i64::saturating_add);
        let want = arrays.iter().map(|array| {
            size(
                &mut array
                    .dims
                    .iter()
                    .map(|dim| dim.as_ref().and_then(|e| self.constant(e)).unwrap_or(i64::MAX)),
            )
        });
        want.fold(0, i64::saturating_add) <= have
    }
}

impl Lowering<'_> {
    /// The loop as several ones with the same meaning, if that is another form than it has
    pub fn in_pieces(&mut self, one: &For) -> Option<Vec<Stmt>> {
        let live = self.enclosing.live.clone();
        let parts = self.pieces_within(&mut Vec::new(), one, &live)?;
        self.overlaps.in_loop(&self.names, one);
        Some(parts)
    }

    fn pieces_within(
        &mut self,
        around: &mut Vec<For>,
        one: &For,
        live: &BTreeSet<String>,
    ) -> Option<Vec<Stmt>> {
        crate::with_room(|| self.pieces_here(around, one, live))
    }

    fn pieces_here(
        &mut self,
        around: &mut Vec<For>,
        one: &For,
        live: &BTreeSet<String>,
    ) -> Option<Vec<Stmt>> {
        let mut body: &[Stmt] = &one.body;
        while let [Stmt { kind: StmtKind::Block(all), .. }] = body {
            body = all;
        }
        let inside;
        let mut inner = false;
        if let [Stmt { kind: StmtKind::For(next), .. }] = body {
            if next.directive.is_some() {
                return None;
            }
            let live = live::around(one, live);
            around.push(one.clone());
            let found = self.pieces_within(around, next, &live);
            around.pop();
            (inside, inner) = (found?, true);
            body = &inside;
        }
        if body.len() > STATEMENTS || body.iter().any(|stmt| !plain(stmt) || uncounted(stmt)) {
            return None;
        }
        let counter = self.names.counter(one, body)?;
        let numbers = self.names.numbers(body, &counter, live)?;
        let (mut groups, range) = self.names.groups(around, one, body, &counter, &numbers)?;
        if groups.len() < 2 {
            return inner.then(|| vec![over(one, body.to_vec())]);
        }
        let crossing = crossing(&groups, &numbers)?;
        if groups.iter().flatten().any(|stmt| counts(stmt, &crossing)) {
            return None;
        }
        let form = inner || !crossing.is_empty();
        let arrays = self.arrays_for(crossing, &mut groups, around, one, &counter, range)?;
        if !arrays.is_empty() && !self.names.affordable(&arrays, one) {
            return None;
        }
        // A declaration without a value stands where its name is used.
        let bare = |group: &[Stmt]| match group {
            [Stmt { kind: StmtKind::Decl(objects), .. }] => {
                objects.iter().all(|object| object.init.is_none())
            }
            group => group.is_empty(),
        };
        groups.retain(|group| !bare(group));
        Some(loops_over(one, starts_joined(groups, form), arrays, &numbers.own))
    }

    /// Arrays in place of numbers that cross from one group to another; the groups use their elements
    fn arrays_for(
        &mut self,
        crossing: Vec<Crossing>,
        groups: &mut Vec<Vec<Stmt>>,
        around: &[For],
        one: &For,
        counter: &Counter,
        range: Range,
    ) -> Option<Vec<Object>> {
        let mut arrays = Vec::new();
        for (name, elem, sizes) in crossing {
            if sizes.is_empty() && self.stored_at_once(groups, &name, elem, around, one, &counter.changed) {
                continue;
            }
            let turns = range.max().checked_sub(range.min())?.checked_add(1).filter(|n| *n < 1 << 40)?;
            let turns = (turns - 1) / counter.step.abs() + 1;
            let first = if counter.step > 0 { range.min() } else { range.max() };
            let at = place(&counter.variable, first, counter.step, one.head);
            let sizes = std::iter::once(number(turns, one.head)).chain(sizes).map(Some).collect();
            let base = name.split('.').next().unwrap_or(&name);
            // A call that was replaced may have left such a name.
            let made = loop {
                let made = format!("{base}.{}", self.function.made);
                self.function.made += 1;
                if !groups.iter().any(|group| mentions(group, &made)) {
                    break made;
                }
            };
            for group in groups.iter_mut() {
                *group = with_elements(std::mem::take(group), &name, &made, &at);
            }
            arrays.push(Object {
                name: made,
                span: one.head,
                elem,
                dims: sizes,
                restrict: false,
                constant: false,
                fixed: false,
                init: None,
            });
        }
        Some(arrays)
    }

    /// `T v = e; … v …; y[i] = v;`: the element itself takes the place of the number, if it is used for nothing else
    fn stored_at_once(
        &mut self,
        groups: &mut Vec<Vec<Stmt>>,
        name: &str,
        elem: Elem,
        around: &[For],
        one: &For,
        changed: &BTreeSet<String>,
    ) -> bool {
        let is_store = |group: &Vec<Stmt>| match group.as_slice() {
            [Stmt { kind: StmtKind::Expr(e), .. }] => match &e.kind {
                ExprKind::Assign(None, target, value) => {
                    matches!(&value.kind, ExprKind::Name(other) if other == name)
                        && matches!(target.kind, ExprKind::Index(..) | ExprKind::Deref(_))
                }
                _ => false,
            },
            _ => false,
        };
        let Some(last) = groups.iter().rposition(|group| mentions(group, name)) else { return false };
        if !is_store(&groups[last]) {
            return false;
        }
        let Some(StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, _), .. })) =
            groups[last].first().map(|stmt| stmt.kind.clone())
        else {
            return false;
        };
        let Ok(Some(place)) = self.names.place(&target) else { return false };
        if place.array.is_none() || self.names.place_elem(&place) != elem {
            return false;
        }
        let mut fixed = true;
        for sub in &place.subs {
            sub.walk(&mut |e| match &e.kind {
                ExprKind::Name(other) => {
                    fixed &=
                        !changed.contains(other) || self.names.head(one).is_ok_and(|head| head.name == other)
                }
                ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Call(..) => fixed = false,
                _ => {}
            });
        }
        let base = place.array.map(|n| self.names.arrays[n].root);
        let mut look = Look::new(&self.names, changed.clone());
        if around.iter().any(|one| look.enter(one, Across::Same).is_none()) {
            return false;
        }
        let Some(turn) = look.enter(one, Across::Same) else { return false };
        for (n, group) in groups.iter().enumerate() {
            if n == last {
                continue;
            }
            look.stmts(group);
        }
        if look.found.iter().any(|access| matches!(access.base, Base::Array(n) if Some(n) == base)) {
            return false;
        }
        look.found.clear();
        look.stmts(&groups[last]);
        if !fixed || !look.independent(turn) {
            return false;
        }
        groups.remove(last);
        for group in groups.iter_mut() {
            *group = with_target(std::mem::take(group), name, &target);
        }
        true
    }
}

/// What has an element for each turn: a number or an array that one group sets and another one uses
fn crossing(groups: &[Vec<Stmt>], numbers: &Numbers) -> Option<Vec<Crossing>> {
    let users = |name: &str| groups.iter().filter(|group| mentions(group, name)).count();
    let mut found = Vec::new();
    for (name, elem) in &numbers.private {
        let read =
            |group: &Vec<Stmt>| live::behind(&without_decl(group, name), &BTreeSet::new()).contains(name);
        if users(name) > 1 && groups.iter().any(read) {
            found.push((name.clone(), *elem, Vec::new()));
        }
    }
    for object in numbers.own.iter().filter(|object| !object.dims.is_empty()) {
        if users(&object.name) > 1 {
            let sizes: Option<Vec<Expr>> = object.dims.iter().cloned().collect();
            found.push((object.name.clone(), object.elem, sizes?));
        }
    }
    Some(found)
}

/// One loop for each group, behind the arrays; names are declared in the groups that use them
fn loops_over(one: &For, groups: Vec<Vec<Stmt>>, arrays: Vec<Object>, own: &[Object]) -> Vec<Stmt> {
    let mut all: Vec<Stmt> = Vec::new();
    if !arrays.is_empty() {
        all.push(Stmt { span: one.head, kind: StmtKind::Decl(arrays) });
    }
    for group in groups {
        let has = declared(&group).into_iter().map(String::from).collect::<Vec<_>>();
        let mut stmts: Vec<Stmt> = own
            .iter()
            .filter(|object| mentions(&group, &object.name) && !has.contains(&object.name))
            .map(|object| {
                let bare = Object { init: None, ..object.clone() };
                Stmt { span: one.head, kind: StmtKind::Decl(vec![bare]) }
            })
            .collect();
        stmts.extend(group);
        all.push(over(one, stmts));
    }
    all
}

/// The loop around other statements
fn over(one: &For, body: Vec<Stmt>) -> Stmt {
    Stmt { span: one.head, kind: StmtKind::For(Box::new(For { body, ..one.clone() })) }
}

/// Statements whose order may be looked at: no `return`, no directives
pub fn plain(stmt: &Stmt) -> bool {
    crate::with_room(|| match &stmt.kind {
        StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => false,
        StmtKind::While(one) => one.body.iter().chain(&one.step).all(plain),
        StmtKind::For(one) => one.directive.is_none() && one.body.iter().all(plain),
        StmtKind::If(_, yes, no) => yes.iter().chain(no).all(plain),
        StmtKind::Block(all) => all.iter().all(plain),
        StmtKind::Expr(_) | StmtKind::Decl(_) => true,
    })
}

/// Is there a loop without a trip count in it? It would be no computation in any piece
pub fn uncounted(stmt: &Stmt) -> bool {
    crate::with_room(|| match &stmt.kind {
        StmtKind::While(_) => true,
        StmtKind::For(one) => one.body.iter().any(uncounted),
        StmtKind::If(_, yes, no) => yes.iter().chain(no).any(uncounted),
        StmtKind::Block(all) => all.iter().any(uncounted),
        _ => false,
    })
}

fn assigns(stmt: &Stmt, name: &str) -> bool {
    assigned(std::slice::from_ref(stmt)).iter().any(|other| other == name)
}

fn mentions(stmts: &[Stmt], name: &str) -> bool {
    let mut found = declared(stmts).contains(&name);
    expressions(stmts, &mut |e| {
        found |= matches!(&e.kind, ExprKind::Name(other) if other == name);
    });
    found
}

/// Does a loop inside count by one of the names?
fn counts(stmt: &Stmt, names: &[(String, Elem, Vec<Expr>)]) -> bool {
    crate::with_room(|| {
        let all = |stmts: &[Stmt]| stmts.iter().any(|stmt| counts(stmt, names));
        match &stmt.kind {
            StmtKind::For(one) => {
                let own = one.init.iter().chain(std::iter::empty());
                own.clone().any(|init| names.iter().any(|(name, ..)| assigns(init, name)))
                    || one.step.iter().any(|step| names.iter().any(|(name, ..)| step.mentions(name)))
                    || all(&one.body)
            }
            StmtKind::While(one) => all(&one.body) || all(&one.step),
            StmtKind::If(_, yes, no) => all(yes) || all(no),
            StmtKind::Block(inside) => all(inside),
            _ => false,
        }
    })
}

fn number(value: i64, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Int(value.into(), Elem::Int { bits: 64, signed: true }) }
}

/// Number of the turn
fn place(variable: &str, first: i64, step: i64, span: Span) -> Expr {
    let e = |kind| Expr { span, kind };
    let binary = |op, a, b| e(ExprKind::Binary(op, Box::new(a), Box::new(b)));
    let own = e(ExprKind::Name(variable.to_string()));
    let distance = match (step > 0, first) {
        (true, 0) => own,
        (true, _) => binary(BinaryOp::Sub, own, number(first, span)),
        (false, _) => binary(BinaryOp::Sub, number(first, span), own),
    };
    match step.abs() {
        1 => distance,
        by => binary(BinaryOp::Div, distance, number(by, span)),
    }
}

/// Declarations of the name as assignments
fn without_decl(group: &[Stmt], name: &str) -> Vec<Stmt> {
    let target = |span| Expr { span, kind: ExprKind::Name(name.to_string()) };
    let mut all = Vec::new();
    for stmt in group {
        match &stmt.kind {
            StmtKind::Decl(objects) if objects.iter().any(|object| object.name == name) => {
                for object in objects {
                    if object.name != name {
                        all.push(Stmt { span: stmt.span, kind: StmtKind::Decl(vec![object.clone()]) });
                        continue;
                    }
                    if let Some(init) = &object.init {
                        let set =
                            ExprKind::Assign(None, Box::new(target(object.span)), Box::new(init.clone()));
                        all.push(Stmt {
                            span: stmt.span,
                            kind: StmtKind::Expr(Expr { span: object.span, kind: set }),
                        });
                    }
                }
            }
            _ => all.push(stmt.clone()),
        }
    }
    all
}

/// The number as an element of an array; an array as a row of a larger one
fn with_elements(group: Vec<Stmt>, name: &str, made: &str, at: &Expr) -> Vec<Stmt> {
    let mut all = without_decl(&group, name);
    change(&mut all, &mut |e| {
        if matches!(&e.kind, ExprKind::Name(other) if other == name) {
            let base = Expr { span: e.span, kind: ExprKind::Name(made.to_string()) };
            e.kind = ExprKind::Index(Box::new(base), Box::new(Expr { span: e.span, ..at.clone() }));
        }
    });
    all
}

/// The number as an element that is there already
fn with_target(group: Vec<Stmt>, name: &str, target: &Expr) -> Vec<Stmt> {
    let mut all = without_decl(&group, name);
    change(&mut all, &mut |e| {
        if matches!(&e.kind, ExprKind::Name(other) if other == name) {
            e.kind = target.kind.clone();
        }
    });
    all
}

/// `y[i] = c;` stays with the loops behind it that add to it: a computation starts from it
fn starts_joined(groups: Vec<Vec<Stmt>>, form: bool) -> Vec<Vec<Stmt>> {
    let set = |group: &[Stmt]| -> Option<(String, Expr)> {
        let [Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, value), .. }), .. }] =
            group
        else {
            return None;
        };
        let simple = match &value.kind {
            ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Index(..) => true,
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                matches!(inner.kind, ExprKind::Int(..) | ExprKind::Float(..))
            }
            _ => false,
        };
        simple.then(|| Some((target.base()?.to_string(), (**value).clone())))?
    };
    let mut joined: Vec<Vec<Stmt>> = Vec::new();
    for group in &groups {
        let mut mine = Vec::new();
        if let [stmt @ Stmt { kind: StmtKind::For(_), .. }] = group.as_slice() {
            while let Some((name, value)) = joined.last().and_then(|last| set(last)) {
                let fresh = value.base().is_none_or(|base| !assigns(stmt, base));
                if !assigns(stmt, &name) || !fresh {
                    break;
                }
                mine.extend(joined.pop());
            }
        }
        let mut whole: Vec<Stmt> = mine.into_iter().rev().flatten().collect();
        whole.extend(group.iter().cloned());
        joined.push(whole);
    }
    // All in one again, as it was before: apart then.
    if form || joined.len() > 1 { joined } else { groups }
}
