//! The innermost statements of a nest as the body of a computation: what is read, what is contributed where, and when.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, Stmt, StmtKind, UnaryOp};
use crate::bindings::{Bindings, Slot};
use crate::codes;
use crate::computation::Update;
use crate::lowering::Lowering;
use crate::places::Lvalue;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::Span;
use terrace_dialect_arith as arith;
use terrace_ir::Value;

impl Bindings<'_> {
    /// Does the expression name memory (and not a temporary)?
    pub fn is_memory(&self, e: &Expr) -> bool {
        matches!(e.base().and_then(|name| self.lookup(name)), Some(Slot::Array(_) | Slot::Cell(_)))
    }

    /// `lv op e` on the right of `lv =`: operator, e, and whether it is taken away
    fn recurrence(&self, target: &Expr, e: &Expr) -> Option<(String, Expr, bool)> {
        let part = |e: &Expr, name: &str| Some((name.to_string(), e.clone(), false));
        match &e.kind {
            ExprKind::Binary(op, a, b) => {
                let name = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Mul => "*",
                    BinaryOp::And => "&",
                    BinaryOp::Or => "|",
                    BinaryOp::Xor => "^",
                    BinaryOp::LogAnd => "&&",
                    BinaryOp::LogOr => "||",
                    BinaryOp::Sub if a.same(target) => return Some(("+".into(), (**b).clone(), true)),
                    _ => return None,
                };
                match () {
                    () if a.same(target) => part(b, name),
                    () if b.same(target) => part(a, name),
                    () => None,
                }
            }
            ExprKind::Call(name, args) => {
                let [a, b] = args.as_slice() else { return None };
                let builtin = match name.as_str() {
                    "fmaxf" | "fmax" => Some("max"),
                    "fminf" | "fmin" => Some("min"),
                    _ => None,
                };
                let own = self.file.functions.iter().find(|function| function.name == *name);
                let commutes = builtin.is_some()
                    || own.is_some_and(|own| {
                        own.operator.as_ref().is_some_and(|operator| operator.commutative)
                    });
                let name = builtin.or(own.map(|_| name.as_str()))?;
                match () {
                    () if a.same(target) => part(b, name),
                    () if b.same(target) && commutes => part(a, name),
                    () => None,
                }
            }
            ExprKind::Cond(test, yes, no) => {
                let ExprKind::Binary(op, a, b) = &test.kind else { return None };
                if no.same(target) {
                    return extreme(*op, a, b, yes, target)
                        .map(|name| (name.to_string(), (**yes).clone(), false));
                }
                if yes.same(target) {
                    // `lv > e ? lv : e`: e is taken where the test fails.
                    let opposite = match op {
                        BinaryOp::Lt => BinaryOp::Ge,
                        BinaryOp::Le => BinaryOp::Gt,
                        BinaryOp::Gt => BinaryOp::Le,
                        BinaryOp::Ge => BinaryOp::Lt,
                        _ => return None,
                    };
                    return extreme(opposite, a, b, no, target)
                        .map(|name| (name.to_string(), (**no).clone(), false));
                }
                None
            }
            _ => None,
        }
    }
}

impl Lowering<'_> {
    /// Statements of the innermost loop
    pub fn body_stmts(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        crate::with_room(|| self.body_stmts_here(stmts, top))
    }

    fn body_stmts_here(&mut self, stmts: &[Stmt], top: bool) -> Done<()> {
        for (n, stmt) in stmts.iter().enumerate() {
            self.emit.set_loc(stmt.span);
            match &stmt.kind {
                StmtKind::Decl(objects) => {
                    for object in objects {
                        self.temporary(object)?;
                    }
                }
                StmtKind::Expr(e) => self.statement(e)?,
                StmtKind::Block(all) => {
                    self.names.scopes.push(Vec::new());
                    let done = self.body_stmts(all, top && n + 1 == stmts.len());
                    self.names.scopes.pop();
                    done?;
                }
                StmtKind::If(test, yes, no) => {
                    let free = self
                        .body
                        .as_ref()
                        .is_some_and(|body| body.updates.is_empty() && body.guards.is_empty());
                    let last = top && free && n + 1 == stmts.len() && no.is_empty();
                    self.condition(stmt, test, yes, no, last)?;
                }
                StmtKind::While(one) => {
                    return refuse(
                        &codes::FLOW,
                        one.head,
                        "C-FLOW: `while` has no place in a computation: how often it turns is not known before",
                    );
                }
                StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => {
                    return refuse(
                        &codes::FLOW,
                        stmt.span,
                        "C-FLOW: a jump has no place in a computation; put what it leaves out under a condition",
                    );
                }
                StmtKind::For(one) => {
                    return refuse(
                        &codes::NEST,
                        one.head,
                        "C-NEST: not perfect: this loop is not alone in the one around it",
                    );
                }
            }
        }
        Ok(())
    }

    /// `if (e > m) m = e;` as an update by an extreme
    fn extreme_update(&mut self, test: &Expr, yes: &[Stmt]) -> Done<bool> {
        if let [Stmt { kind: StmtKind::Expr(e), .. }] = yes
            && let ExprKind::Assign(None, target, value) = &e.kind
            && self.names.is_memory(target)
            && let ExprKind::Binary(op, a, b) = &test.kind
            && !self.elementwise(target)
            && let Some(name) = extreme(*op, a, b, value, target)
        {
            let value = self.expr(value)?;
            if self.combines(name, &value, target)? {
                self.update(target, Some(name.into()), value, e.span)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn condition(&mut self, stmt: &Stmt, test: &Expr, yes: &[Stmt], no: &[Stmt], whole: bool) -> Done<()> {
        if no.is_empty() && self.extreme_update(test, yes)? {
            return Ok(());
        }
        if no.is_empty() && self.extreme_with(test, yes)? {
            return Ok(());
        }
        let (mut found, mut rest) = (Vec::new(), Vec::new());
        if whole {
            self.names.bounds(test, &mut found, &mut rest);
            if let Some(body) = &mut self.body {
                body.conditions.extend(found);
            }
            if rest.is_empty() {
                self.names.scopes.push(Vec::new());
                let done = self.body_stmts(yes, true);
                self.names.scopes.pop();
                return done;
            }
        } else {
            rest.push(test);
        }
        let mut guard: Option<Value> = None;
        for e in &rest {
            let value = self.expr(e)?;
            let value = self.emit.truth(&value);
            let ty = self.emit.ty(Elem::Bool);
            guard = Some(match guard {
                Some(before) => self.emit.op(arith::AndI::DEF, &[before, value], ty),
                None => value,
            });
        }
        let Some(guard) = guard else { return Ok(()) };
        let before = self.names.scopes.clone();
        let mut arms = Vec::new();
        for (arm, holds) in [(yes, true), (no, false)] {
            let guard = match holds {
                true => guard,
                false if no.is_empty() => guard,
                false => {
                    let not = self.emit.unary(UnaryOp::Not, &Val::One(guard, Elem::Bool));
                    self.emit.truth(&not)
                }
            };
            let outer = self.body.as_ref().and_then(|body| body.guards.last().copied());
            let joined = match outer {
                Some(outer) => {
                    let ty = self.emit.ty(Elem::Bool);
                    self.emit.op(arith::AndI::DEF, &[outer, guard], ty)
                }
                None => guard,
            };
            let depth = self.assume(test, holds);
            if let Some(body) = &mut self.body {
                body.guards.push(joined);
            }
            self.names.scopes.push(Vec::new());
            let done = self.body_stmts(arm, false);
            self.names.scopes.pop();
            if let Some(body) = &mut self.body {
                body.guards.pop();
            }
            self.forget(depth);
            done?;
            arms.push(std::mem::replace(&mut self.names.scopes, before.clone()));
        }
        self.emit.set_loc(stmt.span);
        if let (Some(no), Some(yes)) = (arms.pop(), arms.pop()) {
            self.merge(guard, yes, no);
        }
        Ok(())
    }

    fn statement(&mut self, e: &Expr) -> Done<()> {
        let (op, target, value) = match &e.kind {
            ExprKind::Assign(op, target, value) => (*op, target, (**value).clone()),
            ExprKind::Step(target, by) => {
                (Some(BinaryOp::Add), target, Expr { span: e.span, kind: ExprKind::Int(*by, Elem::INT) })
            }
            ExprKind::Call(name, _) => {
                return refuse(
                    &codes::CALL,
                    e.span,
                    format!("C-CALL: {name} is called for what it does, not for a value"),
                );
            }
            _ => return refuse(&codes::SYNTAX, e.span, "C-SYNTAX: this statement has no effect"),
        };
        if let Some(name) = target.base()
            && let Some(Slot::Iv(_)) = self.names.lookup(name)
        {
            return refuse(&codes::IV, e.span, format!("C-IV: loop variable {name} is changed in the body"));
        }
        if !self.names.is_memory(target) {
            return self.assign_temp(e);
        }
        if self.elementwise(target) {
            let kind = op.map(|op| ExprKind::Binary(op, target.clone(), Box::new(value.clone())));
            let whole = kind.map(|kind| Expr { span: e.span, kind });
            let found = self.assigned_value(target, whole.as_ref().unwrap_or(&value))?;
            return self.update(target, None, found, e.span);
        }
        if let Some(op) = op {
            if let Some(name) = reduction(op) {
                let mut found = self.expr(&value)?;
                self.number_only(&found, value.span)?;
                if op == BinaryOp::Sub {
                    found = self.emit.unary(UnaryOp::Neg, &found);
                }
                if self.combines(name, &found, target)? {
                    return self.update(target, Some(name.into()), found, e.span);
                }
            }
            let whole = Expr { span: e.span, kind: ExprKind::Binary(op, target.clone(), Box::new(value)) };
            let found = self.expr(&whole)?;
            return self.update(target, None, found, e.span);
        }
        let elem = self.names.place(target)?.map(|place| self.names.place_elem(&place));
        let mut inner = &value;
        while let ExprKind::Cast(through, next) = &inner.kind
            && elem.is_some_and(|elem| through.keeps(elem))
        {
            inner = next;
        }
        if let Some((name, part, negative)) = self.names.recurrence(target, inner) {
            let mut found = self.expr(&part)?;
            if negative {
                found = self.emit.unary(UnaryOp::Neg, &found);
            }
            if self.combines(&name, &found, target)? {
                return self.update(target, Some(name), found, e.span);
            }
        }
        // `y[i] = s;` behind `s += …;`
        if let ExprKind::Name(name) = &value.kind
            && let Some(body) = &self.body
            && let Some(sum) =
                body.updates.iter().rev().find(|u| u.place.array.is_none() && u.place.name == *name)
        {
            let (operator, found) = (sum.operator.clone(), sum.value.clone());
            let running = Some(name.clone());
            self.update(target, operator, found, e.span)?;
            if let Some(last) = self.body.as_mut().and_then(|body| body.updates.last_mut()) {
                last.running = running;
            }
            return Ok(());
        }
        let found = self.assigned_value(target, &value)?;
        self.update(target, None, found, e.span)
    }

    /// May values be converted to the target's type before they are combined, instead of afterwards as in C?
    ///
    /// C computes `s += x` in the type of both and converts the sum. That is the same for integers that wrap, and for floats
    /// up to rounding; it is another value where fractions are cut off, or where a comparison sees converted values. A directive
    /// says that the operator combines elements.
    fn combines(&self, word: &str, value: &Val, target: &Expr) -> Done<bool> {
        let Some(place) = self.names.place(target)? else { return Ok(true) };
        let (from, to) = (value.elem(), self.names.place_elem(&place));
        let directive = self.body.as_ref().is_some_and(|body| body.all_kept.is_some());
        let function = self.names.file.functions.iter().any(|function| function.name == word);
        Ok(match (word, from, to) {
            _ if directive || function || from == to && !matches!(word, "&&" | "||") => true,
            ("&&" | "||", from, to) => from == Elem::Bool && (to == Elem::Bool || self.is_truth(&place)),
            ("&" | "^", _, Elem::Bool) => false,
            ("min" | "max", Elem::Int { .. } | Elem::Bool, Elem::Int { .. }) => to.holds(from),
            (_, Elem::Float(_), Elem::Int { .. }) => false,
            _ => true,
        })
    }

    /// Is the number 0 or 1 before the nest?
    fn is_truth(&self, place: &Lvalue) -> bool {
        let known = match self.names.lookup(&place.name) {
            Some(Slot::Cell(cell)) => cell.known.as_ref().and_then(|e| self.names.constant(e)),
            _ => None,
        };
        matches!(known, Some(0 | 1))
    }

    fn assigned_value(&mut self, target: &Expr, value: &Expr) -> Done<Val> {
        match (&value.kind, self.names.place(target)?.map(|place| self.names.place_elem(&place))) {
            (ExprKind::List(_, all), Some(Elem::Struct(n))) => self.record(n, all, value.span),
            _ => self.expr(value),
        }
    }

    pub fn update(&mut self, target: &Expr, operator: Option<String>, value: Val, span: Span) -> Done<()> {
        let Some(place) = self.names.place(target)? else {
            return refuse(&codes::NAME, target.span, "C-NAME: this is no place in memory");
        };
        let map = match place.array {
            Some(_) => self.subscripts(&place)?,
            None => Vec::new(),
        };
        let elem = self.names.place_elem(&place);
        let mut value = self.typed(&value, elem, span)?;
        let mut guard = self.body.as_ref().and_then(|body| body.guards.last().copied());
        self.unmixed(&place, &map, span)?;
        if let (true, Some(holds)) = (self.elementwise(target), guard.take()) {
            // The old element stays; its place must not depend on the condition.
            let known = self.body.as_mut().map(|body| std::mem::take(&mut body.known)).unwrap_or_default();
            let old = self.current(&place);
            if let Some(body) = &mut self.body {
                body.known = known;
            }
            let Some(chosen) = self.emit.select(holds, &value, &old?) else {
                return refuse(&codes::TYPE, span, "C-TYPE: both sides need one type");
            };
            value = chosen;
        } else {
            guard = self.body.as_ref().and_then(|body| body.guards.last().copied());
        }
        let update =
            Update { place, target: target.clone(), map, operator, value, span, guard, running: None };
        if let Some(body) = &mut self.body {
            body.updates.push(update);
        }
        Ok(())
    }
}

/// Which extreme `if (a op b) target = value` keeps
fn extreme(op: BinaryOp, a: &Expr, b: &Expr, value: &Expr, target: &Expr) -> Option<&'static str> {
    let greater = matches!(op, BinaryOp::Gt | BinaryOp::Ge);
    if !greater && !matches!(op, BinaryOp::Lt | BinaryOp::Le) {
        return None;
    }
    // `value > target`: the greater one is kept.
    match () {
        () if a.same(value) && b.same(target) => Some(if greater { "max" } else { "min" }),
        () if b.same(value) && a.same(target) => Some(if greater { "min" } else { "max" }),
        () => None,
    }
}

/// The reduction that a compound assignment is
fn reduction(op: BinaryOp) -> Option<&'static str> {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Some("+"),
        BinaryOp::Mul => Some("*"),
        BinaryOp::And => Some("&"),
        BinaryOp::Or => Some("|"),
        BinaryOp::Xor => Some("^"),
        _ => None,
    }
}
