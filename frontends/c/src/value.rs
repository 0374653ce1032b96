//! Values of C's types, known now or computed later, and the types that operations on them have.

use crate::ast::Elem;
use terrace_ir::{FloatKind, Value};

/// A value in C
#[derive(Clone, PartialEq, Debug)]
pub enum Val {
    /// A number known now
    Int(i128, Elem),
    /// A floating-point number known now
    Float(f64, Elem),
    /// A number computed later
    One(Value, Elem),
    /// A structure: its fields
    Record(usize, Vec<Value>),
}

impl Val {
    /// Its type
    pub fn elem(&self) -> Elem {
        match self {
            Val::Int(_, elem) | Val::Float(_, elem) | Val::One(_, elem) => *elem,
            Val::Record(n, _) => Elem::Struct(*n),
        }
    }
}

/// C's integer promotion
pub fn promoted(elem: Elem) -> Elem {
    match elem {
        Elem::Bool => Elem::INT,
        Elem::Int { bits, .. } if bits < 32 => Elem::INT,
        other => other,
    }
}

/// C's usual arithmetic conversions
pub(crate) fn common(a: Elem, b: Elem) -> Elem {
    match (promoted(a), promoted(b)) {
        (Elem::Float(x), Elem::Float(y)) => Elem::Float(x.max(y)),
        (Elem::Float(x), _) | (_, Elem::Float(x)) => Elem::Float(x),
        (Elem::Int { bits: x, signed: s }, Elem::Int { bits: y, signed: t }) => {
            let signed = match x.cmp(&y) {
                std::cmp::Ordering::Greater => s,
                std::cmp::Ordering::Less => t,
                std::cmp::Ordering::Equal => s && t,
            };
            Elem::Int { bits: x.max(y), signed }
        }
        (a, _) => a,
    }
}

pub fn float_kind(bits: u32) -> FloatKind {
    match bits {
        16 => FloatKind::F16,
        32 => FloatKind::F32,
        _ => FloatKind::F64,
    }
}
