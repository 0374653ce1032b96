//! Types of scalar expressions

use super::{Elem, Scalar};
use std::cmp::Ordering;

/// Type of an expression over inputs of these types; nothing for numbers alone
pub fn type_join(e: &Scalar, args: &[Elem]) -> Option<Elem> {
    match e {
        Scalar::Arg(n) | Scalar::Element(n, _) => args.get(*n).copied(),
        Scalar::Cast(to, _) => Some(*to),
        Scalar::Index(_) | Scalar::Size(_) => Some(Elem::Index),
        Scalar::Int(_) | Scalar::Float(_) => None,
        Scalar::Neg(inner) => type_join(inner, args),
        Scalar::Op(op, a, b) => match op.compares() {
            true => Some(Elem::Int(1)),
            false => {
                let own = join(type_join(a, args), type_join(b, args));
                let fraction = [a, b].iter().any(|e| matches!(***e, Scalar::Float(_)));
                // A number with a point does not fit an integer.
                if fraction && own.is_some_and(|own| !own.is_float()) { Some(Elem::Float(32)) } else { own }
            }
        },
        Scalar::Call(name, all) => {
            let own = all.iter().map(|e| type_join(e, args)).fold(None, join);
            match own {
                Some(Elem::Int(_) | Elem::Index) if name != "abs" => Some(Elem::Float(32)),
                own => own,
            }
        }
        Scalar::Select(_, a, b) => join(type_join(a, args), type_join(b, args)),
    }
}

/// The type in which two values meet: that of one of them, but for the two floats of 16 bits
pub(crate) fn join(a: Option<Elem>, b: Option<Elem>) -> Option<Elem> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) if a.is_float() && b.is_float() => Some(match a.bits().cmp(&b.bits()) {
            Ordering::Less => b,
            Ordering::Greater => a,
            Ordering::Equal => Elem::Float(32),
        }),
        (Some(a), Some(b)) if a.is_float() || b.is_float() => Some(if a.is_float() { a } else { b }),
        (Some(Elem::Int(a)), Some(Elem::Int(b))) => Some(Elem::Int(a.max(b))),
        (Some(Elem::Int(a)), _) | (_, Some(Elem::Int(a))) if a > 1 => Some(Elem::Int(a)),
        _ => Some(Elem::Index),
    }
}
