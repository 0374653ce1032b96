//! Index functions and conditions as expressions of MDH text

use crate::syntax::{Expr, ExprKind};
use terrace_diag::Span;
use terrace_dialect_mdh::view::Condition;
use terrace_support::affine::{AffineExpr, AffineKind};

/// `low <= e && e < high`
pub(super) fn condition(one: &Condition, ids: &[String], at: Span) -> Option<Expr> {
    let of = |op, a: Expr, b: Expr| Expr { span: at, kind: ExprKind::Op(op, Box::new(a), Box::new(b)) };
    let e = affine(&one.expr, ids, at)?;
    let below = of("<", e.clone(), affine(&one.high, ids, at)?);
    let Some(low) = &one.low else { return Some(below) };
    let limit = affine(low, ids, at)?;
    let above = if low.as_constant().is_some() { of("<=", limit, e) } else { of(">=", e, limit) };
    Some(of("&&", above, below))
}

/// An index function over names; nothing if text has no word for a part of it
pub(super) fn affine(e: &AffineExpr, ids: &[String], at: Span) -> Option<Expr> {
    let kind = match e {
        AffineExpr::Dim(n) => ExprKind::Name(ids.get(*n as usize)?.clone()),
        AffineExpr::Symbol(_) => return None,
        AffineExpr::Constant(value) => ExprKind::Int(*value),
        AffineExpr::Binary(_) => {
            let (kind, a, b) = e.as_binary()?;
            let op = |op, a: Expr, b: Expr| ExprKind::Op(op, Box::new(a), Box::new(b));
            let (left, right) = (affine(a, ids, at)?, affine(b, ids, at)?);
            let negative = b.as_constant().filter(|value| *value < 0).and_then(i64::checked_neg);
            // `x + y * -1` is `x - y`.
            let minus = b.operands_of(AffineKind::Mul).filter(|(_, c)| c.as_constant() == Some(-1));
            match (kind, negative, minus) {
                (AffineKind::Add, Some(value), _) => {
                    op("-", left, Expr { span: at, kind: ExprKind::Int(value) })
                }
                (AffineKind::Add, _, Some((inner, _))) => op("-", left, affine(inner, ids, at)?),
                (AffineKind::Add, ..) => op("+", left, right),
                (AffineKind::Mul, ..) => op("*", right, left),
                (AffineKind::Mod, ..) => op("%", left, right),
                (AffineKind::FloorDiv, ..) => op("/", left, right),
                (AffineKind::CeilDiv, ..) => return None,
            }
        }
    };
    Some(Expr { span: at, kind })
}
