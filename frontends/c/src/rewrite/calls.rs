//! Functions of the file put in place of their calls, where they do more than compute a number from numbers.
//!
//! ```c
//! axpy(n, 2.0, x, y + 8);           // { int n.1 = n; double a.1 = 2.0; double *x.1 = x; double *y.1 = y + 8; … }
//! y[i] = 1 + dot(n, a, b);          // double dot.1; { …; dot.1 = s.2; } y[i] = 1 + dot.1;
//! ```
//!
//! A call that always happens is made in front of its statement. **Invariant.** Names of the function that is called get a number of
//! their own, so that they meet no others. What is called by itself, or too deep, stays a call, and is refused as such.

use super::jumps::loops;
use crate::ast::{
    BinaryOp, Elem, Expr, ExprKind, File, For, Function, Object, Stmt, StmtKind, While, change, declared,
};
use std::collections::BTreeMap;

/// Calls inside of each other
const DEEP: usize = 20;

/// Statements that calls may become
const MOST: usize = 20_000;

/// Functions without calls of functions that have arrays, loops or no result
pub fn replaced(file: &mut File) {
    let all: BTreeMap<String, Function> = file
        .functions
        .iter()
        .filter(|function| {
            function.operator.is_none() && (function.result.is_none() || works(function, file))
        })
        .map(|function| (function.name.clone(), function.clone()))
        .collect();
    let mut calls = Calls { all: &all, made: 0, size: 0, within: Vec::new() };
    let mut bodies = Vec::new();
    for function in &file.functions {
        calls.within = vec![function.name.clone()];
        bodies.push(calls.list(function.body.clone()));
    }
    for (function, body) in file.functions.iter_mut().zip(bodies) {
        function.body = body;
    }
}

/// Does it need statements to compute its result, or more than its arguments?
fn works(function: &Function, file: &File) -> bool {
    loops(&function.body)
        || function.params.iter().any(|param| !param.dims.is_empty())
        || !crate::globals::used(file, function).is_empty()
}

struct Calls<'a> {
    all: &'a BTreeMap<String, Function>,
    made: usize,
    size: usize,
    within: Vec<String>,
}

impl Calls<'_> {
    fn list(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        crate::with_room(|| stmts.into_iter().flat_map(|stmt| self.stmt(stmt)).collect())
    }

    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        let span = stmt.span;
        self.size += 1;
        let mut front = Vec::new();
        let kind = match stmt.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Call(name, args), span: at }) => {
                match self.body(&name, &args, None) {
                    Some(made) => return vec![made],
                    None => StmtKind::Expr(Expr { span: at, kind: ExprKind::Call(name, args) }),
                }
            }
            StmtKind::Expr(mut e) => {
                self.expr(&mut e, &mut front);
                StmtKind::Expr(e)
            }
            StmtKind::Return(Some(mut e)) => {
                self.expr(&mut e, &mut front);
                StmtKind::Return(Some(e))
            }
            StmtKind::Decl(objects) => {
                let mut all = Vec::new();
                for mut object in objects {
                    if let Some(init) = &mut object.init {
                        self.expr(init, &mut all);
                    }
                    all.push(Stmt { span, kind: StmtKind::Decl(vec![object]) });
                }
                return all;
            }
            StmtKind::If(mut test, yes, no) => {
                self.expr(&mut test, &mut front);
                StmtKind::If(test, self.list(yes), self.list(no))
            }
            StmtKind::Block(all) => StmtKind::Block(self.list(all)),
            StmtKind::For(one) => {
                let body = self.list(one.body.clone());
                StmtKind::For(Box::new(For { body, ..*one }))
            }
            StmtKind::While(one) => {
                let (body, step) = (self.list(one.body.clone()), self.list(one.step.clone()));
                StmtKind::While(Box::new(While { body, step, ..*one }))
            }
            kind => kind,
        };
        front.push(Stmt { span, kind });
        front
    }

    /// Calls in an expression that always happen, made in front of it
    fn expr(&mut self, e: &mut Expr, front: &mut Vec<Stmt>) {
        crate::with_room(|| match &mut e.kind {
            ExprKind::Int(..) | ExprKind::Float(..) | ExprKind::Name(_) => {}
            ExprKind::Deref(a)
            | ExprKind::Field(a, _)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Step(a, _) => self.expr(a, front),
            // What may not be computed stays where it is.
            ExprKind::Binary(BinaryOp::LogAnd | BinaryOp::LogOr, a, _) | ExprKind::Cond(a, ..) => {
                self.expr(a, front);
            }
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) => {
                self.expr(a, front);
                self.expr(b, front);
            }
            ExprKind::List(_, all) => all.iter_mut().for_each(|e| self.expr(e, front)),
            ExprKind::Call(name, args) => {
                args.iter_mut().for_each(|e| self.expr(e, front));
                let result = self.all.get(name).and_then(|function| function.result);
                if let Some(elem) = result {
                    self.made += 1;
                    let own = format!("{name}.{}", self.made);
                    let target = Expr { span: e.span, kind: ExprKind::Name(own.clone()) };
                    if let Some(made) = self.body(name, args, Some(&target)) {
                        front.push(object(&own, elem, Vec::new(), None, e.span));
                        front.push(made);
                        e.kind = target.kind;
                    }
                }
            }
        });
    }

    /// The function in a block of its own; its result goes to `target`
    fn body(&mut self, name: &str, args: &[Expr], target: Option<&Expr>) -> Option<Stmt> {
        let function = self.all.get(name)?;
        if self.within.len() > DEEP
            || self.size > MOST
            || self.within.contains(&function.name)
            || function.params.len() != args.len()
        {
            return None;
        }
        // One `return` at most, at the end.
        let (last, body) = match function.body.split_last() {
            Some((Stmt { kind: StmtKind::Return(value), .. }, body)) => (value.clone(), body.to_vec()),
            _ => (None, function.body.clone()),
        };
        if last.is_none() && target.is_some() || gives(&body) {
            return None;
        }
        self.made += 1;
        let number = self.made;
        let span = function.span;
        let mut body = body;
        if let (Some(value), Some(_)) = (last, target) {
            let place = Expr { span, kind: ExprKind::Name(RESULT.into()) };
            let kind = ExprKind::Assign(None, Box::new(place), Box::new(value));
            body.push(Stmt { span, kind: StmtKind::Expr(Expr { span, kind }) });
        }
        let mut names: Vec<String> = declared(&body).into_iter().map(String::from).collect();
        names.extend(function.params.iter().map(|param| param.name.clone()));
        rename(&mut body, &names, number);
        if let Some(target) = target {
            change(&mut body, &mut |e| {
                if matches!(&e.kind, ExprKind::Name(name) if name == RESULT) {
                    e.kind = target.kind.clone();
                }
            });
        }
        self.within.push(function.name.clone());
        let body = self.list(body);
        self.within.pop();
        let mut all = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            let own = format!("{}.{number}", param.name);
            // Arrays are other names of the caller's, whatever size they say.
            let dims = if param.dims.is_empty() { Vec::new() } else { vec![None] };
            let arg = Expr { span: arg.span, kind: arg.kind.clone() };
            all.push(object(&own, param.elem, dims, Some(arg), arg_span(args, span)));
        }
        all.extend(body);
        Some(Stmt { span: arg_span(args, span), kind: StmtKind::Block(all) })
    }
}

/// Stands for the place of the result while names get their numbers
const RESULT: &str = "result.of.call";

fn arg_span(args: &[Expr], span: terrace_diag::Span) -> terrace_diag::Span {
    args.first().map_or(span, |arg| arg.span)
}

fn gives(stmts: &[Stmt]) -> bool {
    crate::inline::returns(stmts)
}

fn object(
    name: &str,
    elem: Elem,
    dims: Vec<Option<Expr>>,
    init: Option<Expr>,
    span: terrace_diag::Span,
) -> Stmt {
    let object = Object {
        name: name.to_string(),
        span,
        elem,
        dims,
        restrict: false,
        constant: false,
        fixed: false,
        init,
    };
    Stmt { span, kind: StmtKind::Decl(vec![object]) }
}

/// Names with a number behind
fn rename(stmts: &mut [Stmt], names: &[String], number: usize) {
    let own = |name: &str| names.iter().any(|other| other == name).then(|| format!("{name}.{number}"));
    change(stmts, &mut |e| {
        if let ExprKind::Name(name) = &mut e.kind
            && let Some(new) = own(name)
        {
            *name = new;
        }
    });
    let mut stack: Vec<&mut Stmt> = stmts.iter_mut().collect();
    while let Some(stmt) = stack.pop() {
        match &mut stmt.kind {
            StmtKind::Decl(objects) => {
                for object in objects {
                    if let Some(new) = own(&object.name) {
                        object.name = new;
                    }
                    for dim in object.dims.iter_mut().flatten() {
                        dim.change(&mut |e| {
                            if let ExprKind::Name(name) = &mut e.kind
                                && let Some(new) = own(name)
                            {
                                *name = new;
                            }
                        });
                    }
                }
            }
            StmtKind::For(one) => stack.extend(one.init.iter_mut().chain(&mut one.body)),
            StmtKind::While(one) => stack.extend(one.body.iter_mut().chain(&mut one.step)),
            StmtKind::If(_, yes, no) => stack.extend(yes.iter_mut().chain(no)),
            StmtKind::Block(all) => stack.extend(all),
            _ => {}
        }
    }
}
