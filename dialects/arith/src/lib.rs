//! `arith`: scalar and element-wise arithmetic.
//!
//! Signless integers: the op says how it reads its bits. Overflow wraps unless flags make it poison. No implicit
//! broadcasting: operands and result have one type. Files by kind of op; constant folding's arithmetic in `fold`.

pub mod casts;
mod combining;
pub mod compare;
pub mod constant;
mod float_order;
pub mod floats;
pub mod fold;
pub mod interp;
pub mod ints;
mod ranges;
pub mod rules;
pub mod scalars;
mod scaling;
mod simplify;
mod unordered;

pub use casts::*;
pub use combining::{identity, scalar_op};
pub use compare::*;
pub use constant::*;
pub use float_order::FloatOrder;
pub use floats::*;
pub use ints::*;
pub use scaling::*;

use terrace_ir::{Attr, Builder, Loc, OpId, Type};
use terrace_macros::dialect;

terrace_ir::attr_flags! {
    /// Overflow that makes the result poison
    pub OverflowFlags = "arith.overflow", "Integer overflow arith flags", ", " {
        NONE "none" 0, NSW "nsw" 1, NUW "nuw" 2,
    }
    /// What floating-point optimization may assume
    pub FastMathFlags = "arith.fastmath", "Floating point fast math flags", "," {
        NONE "none" 0, REASSOC "reassoc" 1, NNAN "nnan" 2, NINF "ninf" 4, NSZ "nsz" 8, ARCP "arcp" 16,
        CONTRACT "contract" 32, AFN "afn" 64, FAST "fast" 127,
    }
}

terrace_ir::attr_enums! {
    /// Rounding modes of narrowing casts
    pub RoundingMode = "arith.round", "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4", i32 {
        ToNearestEven "to_nearest_even" 0, Downward "downward" 1, Upward "upward" 2, TowardZero "toward_zero" 3,
        ToNearestAway "to_nearest_away" 4,
    }
}

/// The op that holds a constant number, for dialects whose folds give such: `materialize: arith::materialize`
pub fn materialize(b: &mut Builder<'_>, attr: Attr, ty: Type, loc: Loc) -> Option<OpId> {
    if attr.ty(b.cx()) != Some(ty) {
        return terrace_dialect_ub::materialize(b, attr, ty, loc);
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
        enums: [OverflowFlags::DEF, FastMathFlags::DEF, RoundingMode::DEF],
        materialize: materialize,
    }
}
