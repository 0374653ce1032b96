//! Jumps put in terms of conditions: `break`, `continue`, `return` before the end, and loops without a trip count.
//!
//! ```c
//! for (i…) { if (c) continue; a; }            // for (i…) { if (c) {} else a; }
//! for (int i = 0; i < n; i++) { a; if (c) break; b; }
//! // { int i = 0; int out = 0; while (!out && i < n) { a; if (c) out = 1; else b;  if (!out) i++; } }
//! if (c) return x; a; return y;               // if (c) v = x; else { a; v = y; } return v;
//! ```
//!
//! What follows a condition that jumps on one way becomes its other way. Where that is not enough, a number says that the loop, or
//! the function, is done. Names of such numbers have a point in them, which no name of C has.

use crate::ast::{
    BinaryOp, Elem, Expr, ExprKind, File, For, Function, Object, Stmt, StmtKind, UnaryOp, While,
};
use terrace_diag::Span;

/// Functions without jumps, but for one `return` at the end
pub fn plain(file: &mut File, round: usize) {
    for function in &mut file.functions {
        let early = function.body.split_last().is_some_and(|(last, all)| {
            jumps(all).gives
                || !matches!(last.kind, StmtKind::Return(_)) && jumps(std::slice::from_ref(last)).gives
        });
        // What is put in place of calls in expressions knows `return` by itself.
        let numbers = function.params.iter().all(|param| param.dims.is_empty()) && !loops(&function.body);
        let mut flow = Flow { names: 100 * round, value: format!("return.{round}"), leave: String::new() };
        if early && !numbers {
            flow.function(function);
        } else {
            let body = std::mem::take(&mut function.body);
            function.body = flow.list(body, true, &Around::default());
        }
    }
}

/// Is there a loop in it?
pub fn loops(stmts: &[Stmt]) -> bool {
    let mut stack: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = stack.pop() {
        match &stmt.kind {
            StmtKind::For(_) | StmtKind::While(_) => return true,
            StmtKind::If(_, yes, no) => stack.extend(yes.iter().chain(no)),
            StmtKind::Block(all) => stack.extend(all),
            _ => {}
        }
    }
    false
}

/// Ways out of statements, of the loop around them or of the function
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Jumps {
    breaks: bool,
    continues: bool,
    gives: bool,
}

fn jumps(stmts: &[Stmt]) -> Jumps {
    let mut all = Jumps::default();
    let mut stack: Vec<(&Stmt, bool)> = stmts.iter().map(|stmt| (stmt, true)).collect();
    while let Some((stmt, own)) = stack.pop() {
        match &stmt.kind {
            StmtKind::Return(_) => all.gives = true,
            StmtKind::Break => all.breaks |= own,
            StmtKind::Continue => all.continues |= own,
            StmtKind::If(_, yes, no) => stack.extend(yes.iter().chain(no).map(|stmt| (stmt, own))),
            StmtKind::Block(inside) => stack.extend(inside.iter().map(|stmt| (stmt, own))),
            StmtKind::For(one) => stack.extend(one.body.iter().map(|stmt| (stmt, false))),
            StmtKind::While(one) => stack.extend(one.body.iter().map(|stmt| (stmt, false))),
            StmtKind::Expr(_) | StmtKind::Decl(_) => {}
        }
    }
    all
}

/// Does every way through end with a jump?
fn ends(stmts: &[Stmt]) -> bool {
    crate::with_room(|| match stmts.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue) => true,
        Some(StmtKind::If(_, yes, no)) => ends(yes) && ends(no),
        Some(StmtKind::Block(all)) => ends(all),
        _ => false,
    })
}

/// The loop around statements
#[derive(Clone, Default)]
struct Around {
    /// Number that says that it is done
    out: String,
    /// Number that says that its turn is
    next: String,
    /// The end of a turn is reached behind the statements: nothing is left that a jump would leave out
    inside: bool,
}

struct Flow {
    names: usize,
    /// Where the result goes
    value: String,
    /// Number that says that the function is done; empty if `return` stays
    leave: String,
}

fn name(text: &str, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Name(text.to_string()) }
}

fn set(text: &str, value: Expr) -> Stmt {
    let span = value.span;
    let kind = ExprKind::Assign(None, Box::new(name(text, span)), Box::new(value));
    Stmt { span, kind: StmtKind::Expr(Expr { span, kind }) }
}

fn int(value: i128, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Int(value, Elem::INT) }
}

fn number(text: &str, elem: Elem, init: Option<Expr>, span: Span) -> Stmt {
    let object = Object {
        name: text.to_string(),
        span,
        elem,
        dims: Vec::new(),
        restrict: false,
        constant: false,
        fixed: false,
        init,
    };
    Stmt { span, kind: StmtKind::Decl(vec![object]) }
}

/// None of them is set
fn none_of(names: &[&str], span: Span) -> Option<Expr> {
    let mut all: Option<Expr> = None;
    for text in names.iter().filter(|text| !text.is_empty()) {
        let kind = ExprKind::Unary(UnaryOp::Not, Box::new(name(text, span)));
        let own = Expr { span, kind };
        all = Some(match all {
            Some(before) => {
                Expr { span, kind: ExprKind::Binary(BinaryOp::LogAnd, Box::new(before), Box::new(own)) }
            }
            None => own,
        });
    }
    all
}

impl Flow {
    fn fresh(&mut self, text: &str) -> String {
        self.names += 1;
        format!("{text}.{}", self.names)
    }

    fn function(&mut self, function: &mut Function) {
        let span = function.span;
        self.leave = format!("{}.done", self.value);
        let body = std::mem::take(&mut function.body);
        let inside = self.list(body, true, &Around::default());
        let mut all = Vec::new();
        if let Some(elem) = function.result {
            let zero = (!matches!(elem, Elem::Struct(_))).then(|| int(0, span));
            all.push(number(&self.value, elem, zero, span));
        }
        if crate::ast::assigned(&inside).contains(&self.leave) {
            all.push(number(&self.leave, Elem::INT, Some(int(0, span)), span));
        }
        all.extend(inside);
        all.push(Stmt { span, kind: StmtKind::Return(function.result.map(|_| name(&self.value, span))) });
        function.body = all;
    }

    /// Statements without jumps; `last` if the function ends behind them
    fn list(&mut self, stmts: Vec<Stmt>, last: bool, around: &Around) -> Vec<Stmt> {
        crate::with_room(|| self.list_here(stmts, last, around))
    }

    fn list_here(&mut self, stmts: Vec<Stmt>, last: bool, around: &Around) -> Vec<Stmt> {
        let mut all = Vec::new();
        let mut rest = stmts.into_iter();
        while let Some(stmt) = rest.next() {
            let span = stmt.span;
            let own = jumps(std::slice::from_ref(&stmt));
            let more = rest.len() > 0;
            if own == Jumps::default()
                || self.leave.is_empty() && own == (Jumps { gives: true, ..Jumps::default() })
            {
                all.extend(self.stmt(stmt, last && !more, around));
                continue;
            }
            match stmt.kind {
                // One way jumps, and what follows is the other one.
                StmtKind::If(test, mut yes, mut no) if ends(&yes) != ends(&no) => {
                    let left: Vec<Stmt> = rest.collect();
                    if ends(&yes) {
                        no.extend(left)
                    } else {
                        yes.extend(left)
                    }
                    let yes = self.list(yes, last, around);
                    let no = self.list(no, last, around);
                    all.push(Stmt { span, kind: StmtKind::If(test, yes, no) });
                    return all;
                }
                kind => {
                    let within = Around { inside: around.inside && !more, ..around.clone() };
                    all.extend(self.stmt(Stmt { span, kind }, last && !more, &within));
                    if !more {
                        return all;
                    }
                    let mut flags: Vec<&str> = Vec::new();
                    if own.breaks {
                        flags.push(&around.out);
                    }
                    if own.continues {
                        flags.push(&around.next);
                    }
                    let leave = self.leave.clone();
                    if own.gives {
                        flags.push(&leave);
                    }
                    let left: Vec<Stmt> = rest.collect();
                    let left = self.list(left, last, around);
                    match none_of(&flags, span) {
                        Some(test) => all.push(Stmt { span, kind: StmtKind::If(test, left, Vec::new()) }),
                        None => all.extend(left),
                    }
                    return all;
                }
            }
        }
        all
    }

    fn stmt(&mut self, stmt: Stmt, last: bool, around: &Around) -> Vec<Stmt> {
        let span = stmt.span;
        match stmt.kind {
            StmtKind::Return(value) if !self.leave.is_empty() => {
                let mut all: Vec<Stmt> = value.into_iter().map(|value| set(&self.value, value)).collect();
                if !last {
                    all.push(set(&self.leave, int(1, span)));
                }
                all
            }
            StmtKind::Break if !around.out.is_empty() => vec![set(&around.out, int(1, span))],
            StmtKind::Continue if around.inside => Vec::new(),
            StmtKind::Continue if !around.next.is_empty() => vec![set(&around.next, int(1, span))],
            StmtKind::If(test, yes, no) => {
                let yes = self.list(yes, last, around);
                let no = self.list(no, last, around);
                vec![Stmt { span, kind: StmtKind::If(test, yes, no) }]
            }
            StmtKind::Block(all) => {
                vec![Stmt { span, kind: StmtKind::Block(self.list(all, last, around)) }]
            }
            StmtKind::For(one) => self.counted(span, *one),
            StmtKind::While(one) => {
                let mut all = Vec::new();
                let one = self.loop_of(*one, &mut all);
                all.push(Stmt { span, kind: StmtKind::While(Box::new(one)) });
                match all.len() {
                    1 => all,
                    _ => vec![Stmt { span, kind: StmtKind::Block(all) }],
                }
            }
            kind => vec![Stmt { span, kind }],
        }
    }

    fn counted(&mut self, span: Span, mut one: For) -> Vec<Stmt> {
        // Under a directive a jump is a mistake, which is reported later.
        if one.directive.is_some() {
            return vec![Stmt { span, kind: StmtKind::For(Box::new(one)) }];
        }
        let own = jumps(&one.body);
        if !own.breaks && (self.leave.is_empty() || !own.gives) {
            let (body, flag) = self.turn(std::mem::take(&mut one.body), &Around::default());
            one.body = flag.into_iter().chain(body).collect();
            return vec![Stmt { span, kind: StmtKind::For(Box::new(one)) }];
        }
        let step = one.step.into_iter().map(|e| Stmt { span: e.span, kind: StmtKind::Expr(e) }).collect();
        let bare = While { head: one.head, test: one.test, body: one.body, step, first: false };
        let mut all: Vec<Stmt> = one.init.into_iter().collect();
        let made = self.loop_of(bare, &mut all);
        all.push(Stmt { span, kind: StmtKind::While(Box::new(made)) });
        vec![Stmt { span, kind: StmtKind::Block(all) }]
    }

    /// A turn of a loop, with the number that says that it is done, if there is one
    fn turn(&mut self, body: Vec<Stmt>, around: &Around) -> (Vec<Stmt>, Option<Stmt>) {
        let span = body.first().map_or(Span::point(terrace_diag::SourceId(0), 0), |stmt| stmt.span);
        let next = if jumps(&body).continues { self.fresh("continue") } else { String::new() };
        let around = Around { next: next.clone(), inside: true, ..around.clone() };
        let body = self.list(body, false, &around);
        let used = !next.is_empty() && crate::ast::assigned(&body).contains(&next);
        (body, used.then(|| number(&next, Elem::INT, Some(int(0, span)), span)))
    }

    /// A loop without a trip count; declarations in front of it go to `front`
    fn loop_of(&mut self, one: While, front: &mut Vec<Stmt>) -> While {
        let span = one.head;
        let own = jumps(&one.body);
        let out = if own.breaks { self.fresh("break") } else { String::new() };
        let leave = if own.gives { self.leave.clone() } else { String::new() };
        if own.breaks {
            front.push(number(&out, Elem::INT, Some(int(0, span)), span));
        }
        let around = Around { out: out.clone(), next: String::new(), inside: true };
        let (body, flag) = self.turn(one.body, &around);
        let goes_on = none_of(&[&out, &leave], span);
        let test = match (goes_on.clone(), one.test) {
            (Some(goes_on), Some(test)) => Some(Expr {
                span: test.span,
                kind: ExprKind::Binary(BinaryOp::LogAnd, Box::new(goes_on), Box::new(test)),
            }),
            (goes_on, test) => goes_on.or(test),
        };
        let step = match (goes_on, one.step.is_empty()) {
            (Some(test), false) => vec![Stmt { span, kind: StmtKind::If(test, one.step, Vec::new()) }],
            (_, _) => one.step,
        };
        let body = flag.into_iter().chain(body).collect();
        While { head: one.head, test, body, step, first: one.first }
    }
}
