//! Heads of loops: variable, first value, test, step.

use crate::ast::{BinaryOp, Elem, Expr, ExprKind, For, StmtKind};
use crate::bindings::Bindings;
use crate::codes;
use crate::refusal::{Done, refuse};
use terrace_diag::Span;

/// The head of a loop
pub struct Head<'a> {
    /// Variable
    pub name: &'a str,
    /// Its type; nothing if it is declared elsewhere
    pub elem: Option<Elem>,
    /// First value
    pub start: &'a Expr,
    /// What it is compared with, by which operator
    pub test: (&'a Expr, BinaryOp),
    /// Added after each turn
    pub step: i64,
    /// Where
    pub span: Span,
}

impl Bindings<'_> {
    /// Take a head apart
    pub fn head<'f>(&self, one: &'f For) -> Done<Head<'f>> {
        let wrong = |what: &str| {
            let message = format!("C-BOUND: {what}; a loop is `for (int i = 0; i < N; ++i)`");
            refuse(&codes::BOUND, one.head, message)
        };
        let (name, elem, start) = match one.init.as_ref().map(|init| &init.kind) {
            Some(StmtKind::Decl(objects)) => match objects.as_slice() {
                [object] if object.dims.is_empty() => match &object.init {
                    Some(start) => (object.name.as_str(), Some(object.elem), start),
                    None => return wrong("the loop variable has no first value"),
                },
                _ => return wrong("one loop variable, not several"),
            },
            Some(StmtKind::Expr(Expr { kind: ExprKind::Assign(None, target, start), .. })) => {
                match &target.kind {
                    ExprKind::Name(name) => (name.as_str(), None, &**start),
                    _ => return wrong("the loop variable is no plain variable"),
                }
            }
            _ => return wrong("the loop variable has no first value"),
        };
        if elem.is_some_and(|elem| !matches!(elem, Elem::Int { .. })) {
            return wrong("the loop variable is no integer");
        }
        let is_iv = |e: &Expr| matches!(&e.kind, ExprKind::Name(other) if other == name);
        let test = match one.test.as_ref().map(|test| &test.kind) {
            Some(ExprKind::Binary(op, a, b)) if is_iv(a) => (&**b, *op),
            Some(ExprKind::Binary(op, a, b)) if is_iv(b) => (&**a, op.swapped().unwrap_or(*op)),
            _ => return wrong("the test does not compare the loop variable"),
        };
        let step = match one.step.as_ref().map(|step| &step.kind) {
            Some(ExprKind::Step(target, by)) if is_iv(target) => i64::try_from(*by).ok(),
            Some(ExprKind::Assign(Some(BinaryOp::Add), target, by)) if is_iv(target) => self.constant(by),
            Some(ExprKind::Assign(Some(BinaryOp::Sub), target, by)) if is_iv(target) => {
                self.constant(by).and_then(i64::checked_neg)
            }
            Some(ExprKind::Assign(None, target, sum)) if is_iv(target) => match &sum.kind {
                ExprKind::Binary(BinaryOp::Add, a, b) if is_iv(a) => self.constant(b),
                ExprKind::Binary(BinaryOp::Add, a, b) if is_iv(b) => self.constant(a),
                ExprKind::Binary(BinaryOp::Sub, a, b) if is_iv(a) => {
                    self.constant(b).and_then(i64::checked_neg)
                }
                _ => None,
            },
            _ => None,
        };
        let step = match step {
            Some(step) if step != 0 && step.unsigned_abs() < 1 << 40 => step,
            _ => return wrong("the step is no constant"),
        };
        let ends = match test.1 {
            BinaryOp::Lt | BinaryOp::Le => step > 0,
            BinaryOp::Gt | BinaryOp::Ge => step < 0,
            _ => false,
        };
        if !ends {
            return wrong("test and step do not end the loop");
        }
        Ok(Head { name, elem, start, test, step, span: one.head })
    }

    /// First value, step and number of turns, if all are constants
    pub fn turns(&self, head: &Head<'_>) -> Option<(i64, i64, i64)> {
        let (start, end) = (self.constant(head.start)?, self.constant(head.test.0)?);
        let inclusive = matches!(head.test.1, BinaryOp::Le | BinaryOp::Ge);
        let distance =
            (i128::from(end) - i128::from(start)) * i128::from(head.step.signum()) + i128::from(inclusive);
        let by = i128::from(head.step.unsigned_abs());
        let turns = if distance <= 0 { 0 } else { (distance + by - 1) / by };
        Some((start, head.step, i64::try_from(turns).ok()?))
    }
}
