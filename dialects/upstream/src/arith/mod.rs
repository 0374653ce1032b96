//! `arith`: scalar and element-wise arithmetic.
//!
//! Signless integers: the op says how it reads its bits. Overflow wraps unless flags make it poison. No implicit
//! broadcasting: operands and result have one type. Files by kind of op; constant folding's arithmetic in `fold`.

pub mod casts;
pub mod compare;
pub mod constant;
pub mod floats;
pub mod fold;
pub(crate) mod interp;
pub mod ints;
pub mod rules;
mod scaling;
mod simplify;

pub use casts::*;
pub use compare::*;
pub use constant::*;
pub use floats::*;
pub use ints::*;
pub use scaling::*;

use terrace_ir::{Attr, AttrForm, Builder, Context, EnumDef, Loc, OpId, Type};
use terrace_macros::dialect;

/// Overflow that makes the result poison
pub static OVERFLOW: EnumDef = EnumDef {
    name: "arith.overflow",
    cases: &[("none", 0), ("nsw", 1), ("nuw", 2)],
    flags: true,
    separator: ", ",
};

/// What floating-point optimization may assume
pub static FASTMATH: EnumDef = EnumDef {
    name: "arith.fastmath",
    cases: &[
        ("none", 0),
        ("reassoc", 1),
        ("nnan", 2),
        ("ninf", 4),
        ("nsz", 8),
        ("arcp", 16),
        ("contract", 32),
        ("afn", 64),
        ("fast", 127),
    ],
    flags: true,
    separator: ",",
};

/// Rounding modes of narrowing casts
pub static ROUNDING: EnumDef = EnumDef {
    name: "arith.round",
    cases: &[
        ("to_nearest_even", 0),
        ("downward", 1),
        ("upward", 2),
        ("toward_zero", 3),
        ("to_nearest_away", 4),
    ],
    flags: false,
    separator: "",
};

terrace_ir::attr_rules! {
    /// Overflow flags
    OverflowAttr "Integer overflow arith flags", AttrForm::Enum(&OVERFLOW), |cx, attr| attr.as_enum(cx, &OVERFLOW).is_some();
    /// Fast-math flags
    FastMathAttr "Floating point fast math flags", AttrForm::Enum(&FASTMATH), |cx, attr| attr.as_enum(cx, &FASTMATH).is_some();
    /// Rounding mode, an `i32`
    RoundingAttr "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4", AttrForm::IntEnum(&ROUNDING, |cx| cx.common().i32),
        |cx, attr| attr.as_int(cx).is_some_and(|(value, ty)| ty == cx.common().i32 && (0..=4).contains(&value));
}

/// Default of overflow flags
pub fn no_overflow(cx: &Context) -> Attr {
    cx.enum_attr(&OVERFLOW, 0)
}

/// Default of fast-math flags
pub fn no_fastmath(cx: &Context) -> Attr {
    cx.enum_attr(&FASTMATH, 0)
}

/// The op that holds a constant number, for dialects whose folds give such: `materialize: arith::materialize`
pub fn materialize(b: &mut Builder<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    if attr.ty(b.cx()) != Some(ty) {
        return crate::ub::materialize(b, attr, ty, loc);
    }
    b.set_loc(loc);
    Some(Constant::build(b, attr).id())
}

dialect! {
    /// Scalar and element-wise arithmetic
    pub ARITH = "arith" {
        ops: [
            AddF, AddI, AddUIExtended, AndI, Bitcast, CeilDivSI, CeilDivUI, CmpF, CmpI, Constant, DivF, DivSI,
            DivUI, ExtF, ExtSI, ExtUI, FPToSI, FPToUI, FloorDivSI, IndexCast, IndexCastUI, MaxNumF, MaxSI, MaxUI,
            MaximumF, MinNumF, MinSI, MinUI, MinimumF, MulF, MulI, MulSIExtended, MulUIExtended, NegF, OrI, RemF,
            RemSI, RemUI, SIToFP, ScalingExtF, ScalingTruncF, Select, ShLI, ShRSI, ShRUI, SubF, SubI, TruncF, TruncI, UIToFP, XOrI,
        ],
        enums: [&OVERFLOW, &FASTMATH, &ROUNDING],
        materialize: materialize,
    }
}
