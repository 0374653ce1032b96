//! Pointers that are other names of arrays, or of places in them: what they point to takes their place.
//!
//! ```c
//! double *row = A + i * n; … row[j] …             // … A[i * n + j] …
//! const float *src = t % 2 ? a : b; … src[i] …    // if (t % 2) { … a[i] … } else { … b[i] … }
//! for (t…) { … v[i] = u[i] … tmp = u; u = v; v = tmp; }
//! // int which = 0; for (t…) { if (which == 0) { … v[i] = u[i] …; which = 1; } else { … u[i] = v[i] …; which = 0; } }
//! for (p = x; p < x + n; p++) s += *p;            // for (p.at = 0; p.at < n; p.at++) s += x[p.at];
//! ```
//!
//! Pointers that loops exchange have finitely many states, which a number tells apart; statements are written once for each.
//! Other pointers are left unchanged, and refused later. **Invariant.** A function either loses all
//! its pointers that are no parameters, or stays as it was.

use crate::ast::{
    BinaryOp, Elem, Expr, ExprKind, File, For, Function, Object, Stmt, StmtKind, While, assigned, declared,
};
use crate::live;
use std::collections::BTreeSet;
use terrace_diag::Span;

/// Statements that a function may have when its pointers are gone
const MOST: usize = 5000;

/// States of the pointers that one loop exchanges
const STATES: usize = 8;

/// What a name stands for: a place in an array; nothing before it is set, and nothing that a number hides
type Names = Vec<(String, Option<Expr>)>;

/// In front of names of numbers that hide pointers
const HIDDEN: char = '!';

/// Functions without pointers that are no parameters
pub fn gone(file: &mut File) {
    let globals: Vec<Object> =
        file.variables.iter().filter(|object| !object.dims.is_empty()).cloned().collect();
    for function in &mut file.functions {
        if !used(function) {
            continue;
        }
        let mut all = Pointers { made: 0, size: 0, failed: false };
        let mut names: Names = Vec::new();
        let mut front = Vec::new();
        hide(&mut names, &globals);
        for param in function.params.iter().filter(|param| !param.dims.is_empty()) {
            let own = Expr { span: param.span, kind: ExprKind::Name(param.name.clone()) };
            let own = match all.walks(&param.name, &function.body, Some(&param.name)) {
                true => all.walking(&param.name, own, None, param.span, &mut front),
                false => own,
            };
            names.push((param.name.clone(), Some(own)));
        }
        let body = all.block(&function.body, names, &mut |_, _| Vec::new());
        if !all.failed {
            front.extend(body);
            function.body = front;
        }
    }
}

/// Are there pointers among its variables, or parameters that are set?
fn used(function: &Function) -> bool {
    let changed = assigned_names(&function.body);
    let mut found =
        function.params.iter().any(|param| !param.dims.is_empty() && changed.contains(&param.name));
    let mut stack: Vec<&Stmt> = function.body.iter().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::Decl(objects) => found |= objects.iter().any(pointer),
            StmtKind::For(one) => stack.extend(one.init.iter().chain(&one.body)),
            StmtKind::While(one) => stack.extend(one.body.iter().chain(&one.step)),
            StmtKind::If(_, yes, no) => stack.extend(yes.iter().chain(no)),
            StmtKind::Block(all) => stack.extend(all),
            _ => {}
        }
    }
    found
}

/// A variable that points somewhere: no size of its own, or the name of an array as its value
fn pointer(object: &Object) -> bool {
    let named = object.init.as_ref().is_some_and(|init| !matches!(init.kind, ExprKind::List(..)));
    object.dims.first().is_some_and(|size| {
        size.is_none() && !matches!(object.init.as_ref().map(|e| &e.kind), Some(ExprKind::List(..))) || named
    })
}

/// Variables that are set as a whole
fn assigned_names(stmts: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    crate::ast::expressions(stmts, &mut |e| {
        if let ExprKind::Assign(_, target, _) | ExprKind::Step(target, _) = &e.kind
            && let ExprKind::Name(name) = &target.kind
        {
            names.insert(name.clone());
        }
    });
    names
}

/// What follows a statement that has been written
enum Rest {
    /// Still to be written
    Follows,
    /// Written as part of the statement
    Written,
}

struct Pointers {
    made: usize,
    size: usize,
    failed: bool,
}

fn e(span: Span, kind: ExprKind) -> Expr {
    Expr { span, kind }
}

fn wide() -> Elem {
    Elem::Int { bits: 64, signed: true }
}

fn sum(a: Expr, b: Expr) -> Expr {
    match (&a.kind, &b.kind) {
        (_, ExprKind::Int(0, _)) => a,
        (ExprKind::Int(0, _), _) => b,
        _ => e(a.span, ExprKind::Binary(BinaryOp::Add, Box::new(a), Box::new(b))),
    }
}

/// What a name stands for, if it is a pointer
fn known<'n>(names: &'n Names, name: &str) -> Option<&'n Option<Expr>> {
    let found = names.iter().rev().find(|(other, _)| other.trim_start_matches(HIDDEN) == name)?;
    (!found.0.starts_with(HIDDEN)).then_some(&found.1)
}

/// An expression that is a place in an array: the array, or a row of it, and how far behind its begin
fn split(whole: &Expr, names: &Names) -> Option<(Expr, Expr)> {
    let zero = e(whole.span, ExprKind::Int(0, wide()));
    match &whole.kind {
        ExprKind::Name(name) => {
            let known = known(names, name)?.clone()?;
            match &known.kind {
                ExprKind::Name(own) if own == name => Some((known, zero)),
                _ => split_plain(&known),
            }
        }
        ExprKind::Cast(_, inner) => split(inner, names),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (p, by, swapped) = match split(a, names) {
                Some(p) => (p, b, false),
                None => (split(b, names)?, a, true),
            };
            if swapped && *op == BinaryOp::Sub {
                return None;
            }
            let by = named(by, names);
            let by = match op {
                BinaryOp::Sub => e(by.span, ExprKind::Unary(crate::ast::UnaryOp::Neg, Box::new(by))),
                _ => by,
            };
            Some((p.0, sum(p.1, by)))
        }
        ExprKind::Index(a, i) => {
            let (root, at) = split(a, names)?;
            matches!(at.kind, ExprKind::Int(0, _)).then_some(())?;
            let i = Box::new(named(i, names));
            Some((e(whole.span, ExprKind::Index(Box::new(root), i)), zero))
        }
        _ => None,
    }
}

/// The same of what names stand for
fn split_plain(whole: &Expr) -> Option<(Expr, Expr)> {
    match &whole.kind {
        ExprKind::Name(_) | ExprKind::Index(..) => {
            Some((whole.clone(), e(whole.span, ExprKind::Int(0, wide()))))
        }
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            let (root, at) = split_plain(a)?;
            Some((root, sum(at, (**b).clone())))
        }
        _ => None,
    }
}

/// An expression with what names stand for; pointers into one array are compared by how far they are
fn named(whole: &Expr, names: &Names) -> Expr {
    crate::with_room(|| {
        if let ExprKind::Binary(op, a, b) = &whole.kind
            && matches!(
                op,
                BinaryOp::Sub | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne
            )
            && let (Some((x, i)), Some((y, j))) = (split(a, names), split(b, names))
            // An element of a row is no pointer.
            && matches!(x.kind, ExprKind::Name(_))
            && x.same(&y)
        {
            return e(whole.span, ExprKind::Binary(*op, Box::new(i), Box::new(j)));
        }
        let mut made = whole.clone();
        match &mut made.kind {
            ExprKind::Int(..) | ExprKind::Float(..) => {}
            ExprKind::Name(name) => {
                if let Some(Some(known)) = known(names, name) {
                    made.kind = known.kind.clone();
                }
            }
            ExprKind::Deref(a)
            | ExprKind::Field(a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Step(a, _) => **a = named(a, names),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                **a = named(a, names);
                **b = named(b, names);
            }
            ExprKind::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| **e = named(e, names)),
            ExprKind::Call(_, all) | ExprKind::List(_, all) => {
                all.iter_mut().for_each(|e| *e = named(e, names));
            }
        }
        made
    })
}

/// The names that a statement hides from here on
fn hide(names: &mut Names, objects: &[Object]) {
    for object in objects {
        let own = e(object.span, ExprKind::Name(object.name.clone()));
        if !object.dims.is_empty() {
            names.push((object.name.clone(), Some(own)));
        } else if known(names, &object.name).is_some() {
            names.push((format!("{HIDDEN}{}", object.name), None));
        }
    }
}

/// What comes behind statements, by what names stand for then
type End<'a> = &'a mut dyn FnMut(&mut Pointers, &Names) -> Vec<Stmt>;

impl Pointers {
    fn fail(&mut self) -> Vec<Stmt> {
        self.failed = true;
        Vec::new()
    }

    /// Is a pointer only moved, and set to places in one array?
    fn walks(&self, name: &str, stmts: &[Stmt], root: Option<&str>) -> bool {
        let (mut moved, mut other) = (false, false);
        let mut root = root.map(String::from);
        crate::ast::expressions(stmts, &mut |at| match &at.kind {
            ExprKind::Step(target, _) | ExprKind::Assign(Some(BinaryOp::Add | BinaryOp::Sub), target, _)
                if matches!(&target.kind, ExprKind::Name(own) if own == name) =>
            {
                moved = true;
            }
            ExprKind::Assign(None, target, value) if matches!(&target.kind, ExprKind::Name(own) if own == name) => {
                match value.base() {
                    Some(base) if base == name => moved = true,
                    Some(base) if root.as_deref().is_none_or(|root| root == base) => {
                        root = Some(base.to_string())
                    }
                    _ => other = true,
                }
            }
            _ => {}
        });
        moved && !other
    }

    /// A pointer that is moved: a number says how far
    fn walking(&mut self, name: &str, root: Expr, at: Option<Expr>, span: Span, all: &mut Vec<Stmt>) -> Expr {
        self.made += 1;
        let own = format!("{name}.at{}", self.made);
        let init = at.or(Some(e(span, ExprKind::Int(0, wide()))));
        all.push(number(&own, init, span));
        e(span, ExprKind::Binary(BinaryOp::Add, Box::new(root), Box::new(e(span, ExprKind::Name(own)))))
    }

    /// Statements with what names stand for; at each end of them, others follow
    fn block(&mut self, stmts: &[Stmt], names: Names, end: End<'_>) -> Vec<Stmt> {
        crate::with_room(|| self.block_here(stmts, names, end))
    }

    fn block_here(&mut self, stmts: &[Stmt], mut names: Names, end: End<'_>) -> Vec<Stmt> {
        let mut all = Vec::new();
        for (n, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[n + 1..];
            self.size += 1;
            if self.failed || self.size > MOST {
                return self.fail();
            }
            let span = stmt.span;
            let written = match &stmt.kind {
                StmtKind::Decl(objects) => self.declaration(span, objects, rest, &mut names, end, &mut all),
                StmtKind::Expr(whole) => {
                    match self.pointer_set(whole, &names) {
                        Some((name, value)) => match self.set(&mut names, &name, value, rest, span) {
                            Some(made) => all.extend(made),
                            None => return self.fail(),
                        },
                        None => all.push(Stmt { span, kind: StmtKind::Expr(named(whole, &names)) }),
                    }
                    Rest::Follows
                }
                StmtKind::Return(value) => {
                    let value = value.as_ref().map(|value| named(value, &names));
                    all.push(Stmt { span, kind: StmtKind::Return(value) });
                    Rest::Follows
                }
                StmtKind::Break | StmtKind::Continue => {
                    all.push(stmt.clone());
                    Rest::Follows
                }
                StmtKind::Block(inside) => self.nested(span, inside, rest, &names, end, &mut all),
                StmtKind::If(test, yes, no) => {
                    self.branch(span, (test, yes, no), rest, &names, end, &mut all)
                }
                StmtKind::For(_) | StmtKind::While(_) => {
                    let exchanged = self.exchanged(stmt, rest, &names);
                    if exchanged.is_empty() {
                        let made = self.turns(stmt, names.clone(), &mut |_, _| Vec::new());
                        all.extend(made);
                        continue;
                    }
                    let made = self.exchange(stmt, &exchanged, rest, names, end);
                    all.extend(made);
                    return all;
                }
            };
            if let Rest::Written = written {
                return all;
            }
        }
        all.extend(end(self, &names));
        all
    }

    fn declaration(
        &mut self,
        span: Span,
        objects: &[Object],
        rest: &[Stmt],
        names: &mut Names,
        end: End<'_>,
        all: &mut Vec<Stmt>,
    ) -> Rest {
        for (m, object) in objects.iter().enumerate() {
            if !pointer(object) {
                hide(names, std::slice::from_ref(object));
                let init = object.init.as_ref().map(|init| named(init, names));
                let object = Object { init, ..object.clone() };
                all.push(Stmt { span, kind: StmtKind::Decl(vec![object]) });
                continue;
            }
            let Some(init) = &object.init else {
                names.push((object.name.clone(), None));
                continue;
            };
            if let ExprKind::Cond(test, yes, no) = &init.kind {
                // Everything behind it, once for each.
                let test = named(test, names);
                let [yes, no] = [yes, no].map(|value| {
                    let own = Object { init: Some((**value).clone()), ..object.clone() };
                    let objects = std::iter::once(own).chain(objects[m + 1..].iter().cloned());
                    let decl = Stmt { span, kind: StmtKind::Decl(objects.collect()) };
                    let both: Vec<Stmt> = std::iter::once(decl).chain(rest.iter().cloned()).collect();
                    self.block(&both, names.clone(), end)
                });
                all.push(Stmt { span, kind: StmtKind::If(test, yes, no) });
                return Rest::Written;
            }
            let Some((root, at)) = split(init, names) else {
                self.failed = true;
                return Rest::Written;
            };
            let value = match self.walks(&object.name, rest, root.base()) {
                true => self.walking(&object.name, root, Some(at), span, all),
                false => self.fixed(root, at, rest, span, all),
            };
            names.push((object.name.clone(), Some(value)));
        }
        Rest::Follows
    }

    fn nested(
        &mut self,
        span: Span,
        inside: &[Stmt],
        rest: &[Stmt],
        names: &Names,
        end: End<'_>,
        all: &mut Vec<Stmt>,
    ) -> Rest {
        if !self.sets(inside, names) {
            let inside = self.block(inside, names.clone(), &mut |_, _| Vec::new());
            all.push(Stmt { span, kind: StmtKind::Block(inside) });
            return Rest::Follows;
        }
        let outer = names.len();
        let inside = self.block(inside, names.clone(), &mut |all, names| {
            let names = names[..outer].to_vec();
            all.block(rest, names, end)
        });
        all.push(Stmt { span, kind: StmtKind::Block(inside) });
        Rest::Written
    }

    /// A condition; where its arms set pointers, each gets what follows
    fn branch(
        &mut self,
        span: Span,
        (test, yes, no): (&Expr, &[Stmt], &[Stmt]),
        rest: &[Stmt],
        names: &Names,
        end: End<'_>,
        all: &mut Vec<Stmt>,
    ) -> Rest {
        let test = named(test, names);
        if !self.sets(yes, names) && !self.sets(no, names) {
            let [yes, no] = [yes, no].map(|arm| self.block(arm, names.clone(), &mut |_, _| Vec::new()));
            all.push(Stmt { span, kind: StmtKind::If(test, yes, no) });
            return Rest::Follows;
        }
        let outer = names.len();
        let [yes, no] = [yes, no].map(|arm| {
            self.block(arm, names.clone(), &mut |all, names| {
                let names = names[..outer].to_vec();
                all.block(rest, names, end)
            })
        });
        all.push(Stmt { span, kind: StmtKind::If(test, yes, no) });
        Rest::Written
    }

    /// `p = …`, `p += …`, `p++` of a pointer
    fn pointer_set(&self, whole: &Expr, names: &Names) -> Option<(String, Expr)> {
        let (target, value) = match &whole.kind {
            ExprKind::Assign(None, target, value) => (target, (**value).clone()),
            ExprKind::Assign(Some(op), target, value) => {
                (target, e(whole.span, ExprKind::Binary(*op, target.clone(), value.clone())))
            }
            ExprKind::Step(target, by) => {
                let by = e(whole.span, ExprKind::Int(*by, wide()));
                (target, e(whole.span, ExprKind::Binary(BinaryOp::Add, target.clone(), Box::new(by))))
            }
            _ => return None,
        };
        let ExprKind::Name(name) = &target.kind else { return None };
        known(names, name).map(|_| (name.clone(), value))
    }

    fn set(
        &mut self,
        names: &mut Names,
        name: &str,
        value: Expr,
        rest: &[Stmt],
        span: Span,
    ) -> Option<Vec<Stmt>> {
        let (root, at) = split(&value, names)?;
        let mut all = Vec::new();
        let at_now = names.iter().rposition(|(other, _)| other == name)?;
        // One that is moved: how far it is changes.
        if let Some(Expr { kind: ExprKind::Binary(BinaryOp::Add, old, place), .. }) = &names[at_now].1
            && let ExprKind::Name(own) = &place.kind
            && own.starts_with(&format!("{name}.at"))
            && old.same(&root)
        {
            let target = Box::new(e(span, ExprKind::Name(own.clone())));
            let kind = ExprKind::Assign(None, target, Box::new(at));
            return Some(vec![Stmt { span, kind: StmtKind::Expr(e(span, kind)) }]);
        }
        let value = self.fixed(root, at, rest, span, &mut all);
        names[at_now].1 = Some(value);
        Some(all)
    }

    /// A place that stays: its parts may change later, so its value is stored now
    fn fixed(&mut self, root: Expr, at: Expr, rest: &[Stmt], span: Span, all: &mut Vec<Stmt>) -> Expr {
        if matches!(at.kind, ExprKind::Int(0, _)) {
            return root;
        }
        let changed = assigned(rest);
        let mut moves = false;
        at.walk(&mut |inner| match &inner.kind {
            ExprKind::Name(name) => moves |= changed.iter().any(|other| other == name),
            ExprKind::Index(..) | ExprKind::Deref(_) | ExprKind::Call(..) => moves = true,
            _ => {}
        });
        let at = match moves {
            false => at,
            true => {
                self.made += 1;
                let own = format!("at.{}", self.made);
                all.push(number(&own, Some(at), span));
                e(span, ExprKind::Name(own))
            }
        };
        sum(root, at)
    }

    /// Do statements set pointers that are declared around them?
    fn sets(&self, stmts: &[Stmt], names: &Names) -> bool {
        let own = declared(stmts);
        assigned_names(stmts).iter().any(|name| {
            !own.contains(&name.as_str()) && known(names, name).is_some_and(|known| !moved(name, known))
        })
    }

    /// Pointers that a loop sets and that its next turn, or what follows, looks at
    fn exchanged(&self, stmt: &Stmt, rest: &[Stmt], names: &Names) -> Vec<String> {
        let (body, inits): (Vec<Stmt>, &[Stmt]) = match &stmt.kind {
            StmtKind::For(one) => (one.body.clone(), one.init.as_slice()),
            StmtKind::While(one) => (one.body.iter().chain(&one.step).cloned().collect(), &[]),
            _ => return Vec::new(),
        };
        if self.sets(inits, names) {
            // A loop that counts by a pointer, of which it is not known how it moves.
            return names.iter().map(|(name, _)| name.clone()).take(1).collect();
        }
        let exposed = live::behind(&body, &BTreeSet::new());
        let behind = live::behind(rest, &BTreeSet::new());
        let own = declared(&body);
        let mut found: Vec<String> = Vec::new();
        for name in assigned_names(&body) {
            if known(names, &name).is_some_and(|known| !moved(&name, known))
                && !own.contains(&name.as_str())
                && (exposed.contains(&name) || behind.contains(&name))
            {
                found.push(name);
            }
        }
        found
    }

    /// A loop whose turns find the pointers as they are; `end` comes behind its body
    fn turns(&mut self, stmt: &Stmt, names: Names, end: End<'_>) -> Vec<Stmt> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::For(one) => {
                let mut inside = names;
                let init = match &one.init {
                    Some(Stmt { kind: StmtKind::Decl(objects), .. }) if objects.iter().any(pointer) => {
                        match self.counts_by(one, objects, &mut inside) {
                            Some(init) => Some(init),
                            None => return self.fail(),
                        }
                    }
                    Some(init) => {
                        if let StmtKind::Decl(objects) = &init.kind {
                            hide(&mut inside, objects);
                        }
                        let init = std::slice::from_ref(init);
                        let mut made = self.block(init, inside.clone(), &mut |_, _| Vec::new());
                        if made.len() > 1 {
                            return self.fail();
                        }
                        made.pop()
                    }
                    None => None,
                };
                let test = one.test.as_ref().map(|test| named(test, &inside));
                let step = match &one.step {
                    Some(step) => {
                        let step = Stmt { span: step.span, kind: StmtKind::Expr(step.clone()) };
                        match self
                            .block(&[step], inside.clone(), &mut |_, _| Vec::new())
                            .pop()
                            .map(|stmt| stmt.kind)
                        {
                            Some(StmtKind::Expr(step)) => Some(step),
                            _ => return self.fail(),
                        }
                    }
                    None => None,
                };
                let directive = one.directive.clone();
                if let Some(directive) = &directive
                    && directive.outs.iter().any(|out| !named(out, &inside).same(out))
                {
                    return self.fail();
                }
                let body = self.block(&one.body, inside, end);
                let made = For { head: one.head, init, test, step, body, directive };
                vec![Stmt { span, kind: StmtKind::For(Box::new(made)) }]
            }
            StmtKind::While(one) => {
                let test = one.test.as_ref().map(|test| named(test, &names));
                let step = self.block(&one.step, names.clone(), &mut |_, _| Vec::new());
                let body = self.block(&one.body, names, end);
                let made = While { head: one.head, test, body, step, first: one.first };
                vec![Stmt { span, kind: StmtKind::While(Box::new(made)) }]
            }
            _ => self.fail(),
        }
    }

    /// `for (float *p = x; p < x + n; p++)`: the loop counts how far the pointer is
    fn counts_by(&mut self, one: &For, objects: &[Object], inside: &mut Names) -> Option<Stmt> {
        let [object] = objects else { return None };
        let (root, at) = split(object.init.as_ref()?, inside)?;
        let mut all = one.body.clone();
        all.extend(one.step.iter().map(|step| Stmt { span: step.span, kind: StmtKind::Expr(step.clone()) }));
        if !self.walks(&object.name, &all, root.base()) {
            return None;
        }
        let mut front = Vec::new();
        let value = self.walking(&object.name, root, Some(at), object.span, &mut front);
        inside.push((object.name.clone(), Some(value)));
        front.pop()
    }

    /// A loop that exchanges pointers: its body once for each way that they may stand
    fn exchange(
        &mut self,
        stmt: &Stmt,
        who: &[String],
        rest: &[Stmt],
        names: Names,
        end: End<'_>,
    ) -> Vec<Stmt> {
        let span = stmt.span;
        let Some(first) = state(who, &names) else { return self.fail() };
        if self.counts(stmt, who, &names) {
            return self.fail();
        }
        self.made += 1;
        let which = Which { name: format!("which.{}", self.made), span };
        let Some((states, mut bodies)) = self.states(stmt, who, &names, first, &which) else {
            return self.fail();
        };
        let inside = |stmt: &Stmt| match &stmt.kind {
            StmtKind::For(one) => one.body.clone(),
            StmtKind::While(one) => one.body.clone(),
            _ => Vec::new(),
        };
        let body = which.choose(bodies.iter().map(inside).collect());
        let kind = match bodies.swap_remove(0).kind {
            StmtKind::For(one) => StmtKind::For(Box::new(For { body, ..*one })),
            StmtKind::While(one) => StmtKind::While(Box::new(While { body, ..*one })),
            other => other,
        };
        let mut all = vec![which.declaration(), Stmt { span, kind }];
        // What follows may end in a state of a loop around: each is written.
        let arms: Vec<Vec<Stmt>> =
            states.iter().map(|state| self.block(rest, with(who, &names, state), end)).collect();
        let same = arms.windows(2).all(|pair| format!("{:?}", pair[0]) == format!("{:?}", pair[1]));
        match same {
            true => all.extend(arms.into_iter().next().unwrap_or_default()),
            false => all.extend(which.choose(arms)),
        }
        all
    }

    /// Does the head of a loop use the pointers that its body exchanges?
    fn counts(&self, stmt: &Stmt, who: &[String], names: &Names) -> bool {
        let (heads, steps): (Vec<&Expr>, &[Stmt]) = match &stmt.kind {
            StmtKind::For(one) => (one.test.iter().chain(&one.step).collect(), &[]),
            StmtKind::While(one) => (one.test.iter().collect(), &one.step),
            _ => (Vec::new(), &[]),
        };
        self.sets(steps, names) || heads.iter().any(|e| who.iter().any(|name| e.mentions(name)))
    }

    /// The states that pointers reach from the first one, each with the loop that finds them so
    fn states(
        &mut self,
        stmt: &Stmt,
        who: &[String],
        names: &Names,
        first: Vec<Expr>,
        which: &Which,
    ) -> Option<(Vec<Vec<Expr>>, Vec<Stmt>)> {
        let same = |a: &[Expr], b: &[Expr]| a.iter().zip(b).all(|(a, b)| a.same(b));
        let mut states = vec![first];
        let mut bodies: Vec<Stmt> = Vec::new();
        while bodies.len() < states.len() {
            let inside = with(who, names, &states[bodies.len()]);
            let made = self.turns(stmt, inside, &mut |all, names| {
                let Some(next) = state(who, names) else { return all.fail() };
                let n = match states.iter().position(|state| same(state, &next)) {
                    Some(n) => n,
                    None if states.len() < STATES => {
                        states.push(next);
                        states.len() - 1
                    }
                    None => return all.fail(),
                };
                vec![which.set(n)]
            });
            bodies.push(made.into_iter().next().filter(|_| !self.failed)?);
        }
        Some((states, bodies))
    }
}

/// What pointers stand for; nothing where one is not set
fn state(who: &[String], names: &Names) -> Option<Vec<Expr>> {
    who.iter().map(|name| known(names, name).and_then(Clone::clone)).collect()
}

/// Names with pointers in a state
fn with(who: &[String], names: &Names, state: &[Expr]) -> Names {
    let mut names = names.clone();
    for (name, value) in who.iter().zip(state) {
        if let Some(at) = names.iter().rposition(|(other, _)| other == name) {
            names[at].1 = Some(value.clone());
        }
    }
    names
}

/// The number that says which state pointers are in
struct Which {
    name: String,
    span: Span,
}

impl Which {
    fn own(&self) -> Box<Expr> {
        Box::new(e(self.span, ExprKind::Name(self.name.clone())))
    }

    fn int(&self, n: usize) -> Box<Expr> {
        Box::new(e(self.span, ExprKind::Int(n as i128, Elem::INT)))
    }

    fn declaration(&self) -> Stmt {
        let mut made = number(&self.name, Some(*self.int(0)), self.span);
        if let StmtKind::Decl(objects) = &mut made.kind {
            objects.iter_mut().for_each(|object| object.elem = Elem::INT);
        }
        made
    }

    fn set(&self, n: usize) -> Stmt {
        let kind = ExprKind::Assign(None, self.own(), self.int(n));
        Stmt { span: self.span, kind: StmtKind::Expr(e(self.span, kind)) }
    }

    /// The arm of the state; the last one needs no test
    fn choose(&self, mut arms: Vec<Vec<Stmt>>) -> Vec<Stmt> {
        let Some(mut made) = arms.pop() else { return Vec::new() };
        for (n, arm) in arms.into_iter().enumerate().rev() {
            let test = e(self.span, ExprKind::Binary(BinaryOp::Eq, self.own(), self.int(n)));
            made = vec![Stmt { span: self.span, kind: StmtKind::If(test, arm, made) }];
        }
        made
    }
}

/// Is the pointer one that a number moves?
fn moved(name: &str, known: &Option<Expr>) -> bool {
    matches!(known, Some(Expr { kind: ExprKind::Binary(BinaryOp::Add, _, place), .. })
        if matches!(&place.kind, ExprKind::Name(own) if own.starts_with(&format!("{name}.at"))))
}

fn number(name: &str, init: Option<Expr>, span: Span) -> Stmt {
    let object = Object {
        name: name.to_string(),
        span,
        elem: wide(),
        dims: Vec::new(),
        restrict: false,
        constant: false,
        fixed: false,
        init,
    };
    Stmt { span, kind: StmtKind::Decl(vec![object]) }
}
