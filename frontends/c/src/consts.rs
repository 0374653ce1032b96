//! Constant expressions of integers.

use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// The value, if names have one; nothing for what is no constant, divides by zero or leaves 64 bits
pub fn fold(e: &Expr, name: &dyn Fn(&str) -> Option<i128>) -> Option<i128> {
    let small = |value: i128| i64::try_from(value).is_ok().then_some(value);
    match &e.kind {
        ExprKind::Int(value, _) => small(*value),
        ExprKind::Name(text) => name(text),
        ExprKind::Cast(elem @ crate::ast::Elem::Int { .. }, inner) => small(elem.wrapped(fold(inner, name)?)),
        ExprKind::Unary(op, inner) => {
            let value = fold(inner, name)?;
            Some(match op {
                UnaryOp::Neg => -value,
                UnaryOp::Not => (value == 0).into(),
                UnaryOp::BitNot => !value,
            })
        }
        ExprKind::Cond(test, yes, no) => fold(if fold(test, name)? != 0 { yes } else { no }, name),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (fold(a, name)?, fold(b, name)?);
            let of = |test: bool| Some(i128::from(test));
            match op {
                BinaryOp::Add => small(a + b),
                BinaryOp::Sub => small(a - b),
                BinaryOp::Mul => small(a.checked_mul(b)?),
                BinaryOp::Div => (b != 0).then(|| a / b),
                BinaryOp::Rem => (b != 0).then(|| a % b),
                BinaryOp::Shl => small(a.checked_shl(u32::try_from(b).ok().filter(|b| *b < 63)?)?),
                BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok().filter(|b| *b < 63)?),
                BinaryOp::And => Some(a & b),
                BinaryOp::Or => Some(a | b),
                BinaryOp::Xor => Some(a ^ b),
                BinaryOp::LogAnd => of(a != 0 && b != 0),
                BinaryOp::LogOr => of(a != 0 || b != 0),
                BinaryOp::Lt => of(a < b),
                BinaryOp::Le => of(a <= b),
                BinaryOp::Gt => of(a > b),
                BinaryOp::Ge => of(a >= b),
                BinaryOp::Eq => of(a == b),
                BinaryOp::Ne => of(a != b),
            }
        }
        _ => None,
    }
}

/// The value of an expression of numbers, some of which are not whole; names are constants of the file
pub fn real(e: &Expr, constants: &[(String, Expr)]) -> Option<f64> {
    crate::with_room(|| {
        let whole = |name: &str| {
            let found = constants.iter().rev().find(|(other, _)| other == name)?;
            fold(&found.1, &|_| None)
        };
        if let Some(value) = fold(e, &whole) {
            return Some(value as f64);
        }
        match &e.kind {
            ExprKind::Float(value, _) => Some(*value),
            ExprKind::Name(name) => match &constants.iter().rev().find(|(other, _)| other == name)?.1.kind {
                ExprKind::Float(value, _) => Some(*value),
                _ => None,
            },
            ExprKind::Cast(elem @ crate::ast::Elem::Float(_), inner) => {
                real(inner, constants).map(|value| rounded(value, *elem))
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => Some(-real(inner, constants)?),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (real(a, constants)?, real(b, constants)?);
                Some(match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => return None,
                })
            }
            _ => None,
        }
    })
}

/// A number as a type holds it
pub fn rounded(value: f64, elem: crate::ast::Elem) -> f64 {
    match elem {
        crate::ast::Elem::Float(32) => f64::from(value as f32),
        _ => value,
    }
}
