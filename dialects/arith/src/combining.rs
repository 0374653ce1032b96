//! The ops that combine two scalars, by kind of combining.

use super::*;
use terrace_interp::combine::Combining;
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, Context, OpDef, Type, TypeKind};

/// The op that combines two scalars so; `None` where the type has none
pub fn scalar_op(kind: Combining, float: bool) -> Option<&'static OpDef> {
    Some(match (kind, float) {
        (Combining::Add, true) => AddF::DEF,
        (Combining::Add, false) => AddI::DEF,
        (Combining::Mul, true) => MulF::DEF,
        (Combining::Mul, false) => MulI::DEF,
        (Combining::MinNumF, true) => MinNumF::DEF,
        (Combining::MaxNumF, true) => MaxNumF::DEF,
        (Combining::MinimumF, true) => MinimumF::DEF,
        (Combining::MaximumF, true) => MaximumF::DEF,
        (Combining::MinUI, false) => MinUI::DEF,
        (Combining::MinSI, false) => MinSI::DEF,
        (Combining::MaxUI, false) => MaxUI::DEF,
        (Combining::MaxSI, false) => MaxSI::DEF,
        (Combining::And, false) => AndI::DEF,
        (Combining::Or, false) => OrI::DEF,
        (Combining::Xor, false) => XOrI::DEF,
        _ => return None,
    })
}

/// The constant that changes nothing when it is combined so; `None` where the type has none
///
/// The sum of no floats is `+0`, as upstream has it.
pub fn identity(cx: &Context, kind: Combining, ty: Type) -> Option<Attr> {
    if let TypeKind::Float(format) = *ty.kind(cx) {
        let value = match kind {
            Combining::Add => 0.0,
            Combining::Mul => 1.0,
            Combining::MaximumF => f64::NEG_INFINITY,
            Combining::MinimumF => f64::INFINITY,
            Combining::MaxNumF | Combining::MinNumF => f64::NAN,
            _ => return None,
        };
        return Some(cx.float_attr(round_to_bits(value, format)?, ty));
    }
    let width = ty.bit_width(cx).filter(|width| (1..=127).contains(width));
    let (low, high) = width.map_or((0, 0), |width| (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1));
    let value = match kind {
        Combining::Add | Combining::Or | Combining::Xor | Combining::MaxUI => 0,
        Combining::Mul => 1,
        Combining::And | Combining::MinUI => -1,
        Combining::MaxSI => low,
        Combining::MinSI => high,
        _ => return None,
    };
    Some(cx.int_attr(value, ty))
}

/// Conversions between an attribute enum with a case for each kind of combining, and [`Combining`]
#[macro_export]
macro_rules! combining {
    ($($name:ident),*) => {
        $crate::combining!(@cases [$($name),*] Add Mul MinUI MinSI MinNumF MaxUI MaxSI MaxNumF And Or Xor MinimumF MaximumF);
    };
    (@cases [$name:ident] $($case:ident)*) => {
        impl ::core::convert::From<$name> for terrace_interp::combine::Combining {
            fn from(kind: $name) -> Self {
                match kind { $($name::$case => Self::$case,)* }
            }
        }

        impl ::core::convert::From<terrace_interp::combine::Combining> for $name {
            fn from(kind: terrace_interp::combine::Combining) -> Self {
                match kind { $(terrace_interp::combine::Combining::$case => Self::$case,)* }
            }
        }
    };
}
