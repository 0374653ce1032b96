//! Functions that only compute, put in place of their calls; and temporaries under conditions.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, Object, Stmt, StmtKind};
use crate::bindings::Slot;
use crate::codes;
use crate::lowering::Lowering;
use crate::refusal::{Done, refuse};
use crate::value::Val;
use terrace_diag::Span;

/// Calls inside of each other
const CALLS: usize = 30;

/// Calls in one function, those inside of others counted each time
const INLINED: usize = 20_000;

impl Lowering<'_> {
    /// The result of a function of the file
    pub fn inline(&mut self, n: usize, args: &[Val], span: Span) -> Done<Val> {
        let file = self.names.file;
        let function = &file.functions[n];
        if self.calls.within.len() >= CALLS || self.calls.within.contains(&function.name) {
            return refuse(&codes::CALL, span, format!("C-CALL: {} calls itself", function.name));
        }
        self.calls.made += 1;
        if self.calls.made > INLINED {
            let message =
                format!("C-CALL: with {}, more than {INLINED} calls are to be computed here", function.name);
            return refuse(&codes::CALL, span, message);
        }
        let Some(result) = function.result else {
            return refuse(&codes::CALL, span, format!("C-CALL: {} gives no value", function.name));
        };
        if function.params.len() != args.len() {
            let message = format!(
                "C-CALL: {} takes {} arguments, not {}",
                function.name,
                function.params.len(),
                args.len()
            );
            return refuse(&codes::CALL, span, message);
        }
        let mut scope = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            if !param.dims.is_empty() {
                let message = format!(
                    "C-CALL: {} takes arrays; only functions of numbers are called here",
                    function.name
                );
                return refuse(&codes::CALL, span, message);
            }
            let value = self.typed(arg, param.elem, span)?;
            scope.push((
                param.name.clone(),
                Slot::Temp { value: Some(value), affine: None, elem: param.elem },
            ));
        }
        // The function sees its own names only.
        let outside = std::mem::replace(&mut self.names.scopes, vec![scope]);
        let base = self.body.as_mut().map(|body| std::mem::take(&mut body.scopes));
        self.calls.within.push(function.name.clone());
        let all: Vec<&Stmt> = function.body.iter().collect();
        let value = self.pure(&all);
        self.calls.within.pop();
        self.names.scopes = outside;
        if let (Some(body), Some(base)) = (self.body.as_mut(), base) {
            body.scopes = base;
        }
        match value? {
            Some(value) => self.typed(&value, result, span),
            None => refuse(
                &codes::CALL,
                function.span,
                format!("C-CALL: {} may end without a value", function.name),
            ),
        }
    }

    /// Statements of a function of numbers; nothing if they end without `return`
    fn pure(&mut self, stmts: &[&Stmt]) -> Done<Option<Val>> {
        crate::with_room(|| self.pure_here(stmts))
    }

    fn pure_here(&mut self, stmts: &[&Stmt]) -> Done<Option<Val>> {
        let Some((first, rest)) = stmts.split_first() else { return Ok(None) };
        self.emit.set_loc(first.span);
        match &first.kind {
            StmtKind::Return(Some(e)) => return self.expr(e).map(Some),
            StmtKind::Return(None) => return Ok(None),
            StmtKind::Decl(objects) => {
                for object in objects {
                    self.temporary(object)?;
                }
            }
            StmtKind::Expr(e) => self.assign_temp(e)?,
            StmtKind::Block(all) => {
                self.names.scopes.push(Vec::new());
                let inside: Vec<&Stmt> = all.iter().collect();
                let value = match returns(all) {
                    // What follows is part of it, so that each way ends with a value.
                    true => {
                        let joined: Vec<&Stmt> = inside.into_iter().chain(rest.iter().copied()).collect();
                        let value = self.pure(&joined);
                        self.names.scopes.pop();
                        return value;
                    }
                    false => self.pure(&inside),
                };
                self.names.scopes.pop();
                value?;
            }
            StmtKind::If(test, yes, no) => {
                let t = self.expr(test)?;
                let t = self.emit.truth(&t);
                let ends = returns(yes) || returns(no);
                let before = self.names.scopes.clone();
                let mut arms = Vec::new();
                for arm in [yes, no] {
                    self.names.scopes.push(Vec::new());
                    let mut all: Vec<&Stmt> = arm.iter().collect();
                    if ends {
                        all.extend(rest);
                    }
                    let value = self.pure(&all);
                    self.names.scopes.pop();
                    arms.push((value?, std::mem::replace(&mut self.names.scopes, before.clone())));
                }
                let (Some((b, no_scopes)), Some((a, yes_scopes))) = (arms.pop(), arms.pop()) else {
                    return Ok(None);
                };
                if ends {
                    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
                    let Some(value) = self.emit.select(t, &a, &b) else {
                        return refuse(&codes::TYPE, first.span, "C-TYPE: the results have different types");
                    };
                    return Ok(Some(value));
                }
                self.merge(t, yes_scopes, no_scopes);
            }
            StmtKind::Break | StmtKind::Continue => {
                return refuse(&codes::FLOW, first.span, "C-FLOW: there is no loop around this jump");
            }
            StmtKind::While(_) | StmtKind::For(_) => {
                return refuse(
                    &codes::CALL,
                    first.span,
                    "C-CALL: a loop inside of a function that is called for a number",
                );
            }
        }
        self.pure(rest)
    }

    /// After a condition a temporary has the value of the arm that ran
    pub fn merge(
        &mut self,
        test: terrace_ir::Value,
        yes: Vec<Vec<(String, Slot)>>,
        no: Vec<Vec<(String, Slot)>>,
    ) {
        let mut merged = Vec::new();
        for (yes, no) in yes.into_iter().zip(no) {
            let mut scope = Vec::new();
            for ((name, a), (_, b)) in yes.into_iter().zip(no) {
                let slot = match (a, b) {
                    (Slot::Temp { value: x, affine: e, elem }, Slot::Temp { value: y, affine: f, .. }) => {
                        let value = match (&x, &y) {
                            _ if x == y => x,
                            (Some(x), Some(y)) => self.emit.select(test, x, y),
                            _ => None,
                        };
                        Slot::Temp { value, affine: if e == f { e } else { None }, elem }
                    }
                    (a, _) => a,
                };
                scope.push((name, slot));
            }
            merged.push(scope);
        }
        self.names.scopes = merged;
    }

    /// A new temporary
    pub fn temporary(&mut self, object: &Object) -> Done<()> {
        if !object.dims.is_empty() {
            let message = format!(
                "C-NEST: the array {} is declared inside; declare it outside of the loops",
                object.name
            );
            return refuse(&codes::NEST, object.span, message);
        }
        let (mut value, mut affine) = (None, None);
        if let Some(init) = &object.init {
            let found = match (&init.kind, object.elem) {
                (ExprKind::List(_, all), Elem::Struct(n)) => self.record(n, all, init.span)?,
                _ => self.expr(init)?,
            };
            value = Some(self.typed(&found, object.elem, init.span)?);
            if let Elem::Int { .. } = object.elem {
                affine = self.names.affine(init);
            }
        }
        self.names.declare(&object.name, Slot::Temp { value, affine, elem: object.elem });
        Ok(())
    }

    /// `x = e;`, `x += e;`, `s.f = e;` of a temporary
    pub fn assign_temp(&mut self, e: &Expr) -> Done<()> {
        let (target, value) = match &e.kind {
            ExprKind::Assign(None, target, value) => (target, (**value).clone()),
            ExprKind::Assign(Some(op), target, value) => {
                (target, Expr { span: e.span, kind: ExprKind::Binary(*op, target.clone(), value.clone()) })
            }
            ExprKind::Step(target, by) => {
                let by = Expr { span: e.span, kind: ExprKind::Int(*by, Elem::INT) };
                (
                    target,
                    Expr {
                        span: e.span,
                        kind: ExprKind::Binary(BinaryOp::Add, target.clone(), Box::new(by)),
                    },
                )
            }
            _ => return refuse(&codes::SYNTAX, e.span, "C-SYNTAX: this statement has no effect"),
        };
        let found = self.expr(&value)?;
        let affine = self.names.affine(&value);
        match &target.kind {
            ExprKind::Name(name) => match self.names.lookup(name).cloned() {
                Some(Slot::Temp { elem, .. }) => {
                    let value = self.typed(&found, elem, e.span)?;
                    let affine = affine.filter(|_| matches!(elem, Elem::Int { .. }));
                    if let Some(slot) = self.names.slot_mut(name) {
                        *slot = Slot::Temp { value: Some(value), affine, elem };
                    }
                    Ok(())
                }
                Some(Slot::Iv(_)) => {
                    refuse(&codes::IV, e.span, format!("C-IV: loop variable {name} is changed"))
                }
                Some(_) => refuse(&codes::CALL, e.span, format!("C-CALL: {name} is not a temporary")),
                None => refuse(&codes::NAME, target.span, format!("C-NAME: {name} is not declared")),
            },
            ExprKind::Field(inner, field) => {
                let ExprKind::Name(name) = &inner.kind else {
                    return refuse(&codes::CALL, e.span, "C-CALL: only temporaries are changed here");
                };
                let Some(Slot::Temp { value, elem: Elem::Struct(n), .. }) = self.names.lookup(name).cloned()
                else {
                    return refuse(&codes::NAME, inner.span, format!("C-NAME: {name} is no structure"));
                };
                let fields = self.names.file.structs[n].fields.clone();
                let Some(at) = fields.iter().position(|(name, _)| name == field) else {
                    return refuse(&codes::NAME, target.span, format!("C-NAME: there is no field {field}"));
                };
                let mut values = match value {
                    Some(Val::Record(_, values)) => values,
                    // Not set yet: a program does not read it before, so any value will do.
                    _ => fields.iter().map(|(_, elem)| self.emit.zero(*elem)).collect(),
                };
                self.number_only(&found, e.span)?;
                values[at] = self.emit.to(&found, fields[at].1);
                if let Some(slot) = self.names.slot_mut(name) {
                    *slot = Slot::Temp {
                        value: Some(Val::Record(n, values)),
                        affine: None,
                        elem: Elem::Struct(n),
                    };
                }
                Ok(())
            }
            _ => refuse(&codes::CALL, e.span, "C-CALL: a function called for a number changes memory"),
        }
    }
}

/// Is there a `return` in it?
pub fn returns(stmts: &[Stmt]) -> bool {
    let mut stack: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::Return(_) => return true,
            StmtKind::Block(all) => stack.extend(all),
            StmtKind::If(_, yes, no) => stack.extend(yes.iter().chain(no)),
            StmtKind::For(one) => stack.extend(&one.body),
            _ => {}
        }
    }
    false
}
