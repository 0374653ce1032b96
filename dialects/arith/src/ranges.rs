//! Ranges of the results of integer ops.

use super::ints::*;
use super::{CmpI, CmpIPredicate, ExtSI, ExtUI, IndexCast, IndexCastUI, OverflowFlags, Select, TruncI};
use std::cmp::Ordering;
use terrace_dataflow::ints::{Orders, Wraps};
use terrace_dataflow::{InferInts, Ints};
use terrace_ir::{Ir, OpId};

type Ranges = Vec<Option<Ints>>;

fn both(operands: &[Option<Ints>]) -> Option<(Ints, Ints)> {
    Some(((*operands.first()?)?, (*operands.get(1)?)?))
}

impl From<OverflowFlags> for Wraps {
    fn from(flags: OverflowFlags) -> Wraps {
        Wraps { nsw: flags.has(OverflowFlags::NSW), nuw: flags.has(OverflowFlags::NUW) }
    }
}

macro_rules! infer {
    ($($name:ident |$ir:ident, $op:ident, $a:ident, $b:ident| $result:expr;)*) => {$(
        impl InferInts for $name {
            fn infer_ints($ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Ranges {
                let $op = $name(op);
                let _ = $op;
                vec![both(operands).map(|($a, $b)| $result)]
            }
        }
    )*};
}

fn floor(a: i128, b: i128) -> i128 {
    a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)
}

fn ceil(a: i128, b: i128) -> i128 {
    -floor(-a, b)
}

fn quotient(a: i128, b: i128) -> i128 {
    a / b
}

infer! {
    AddI |ir, op, a, b| a.add(b, op.overflow(ir).into());
    SubI |ir, op, a, b| a.sub(b, op.overflow(ir).into());
    MulI |ir, op, a, b| a.mul(b, op.overflow(ir).into());
    ShLI |ir, op, a, b| a.shl(b, op.overflow(ir).into());
    DivUI |_ir, op, a, b| a.div_unsigned(b, quotient);
    CeilDivUI |_ir, op, a, b| a.div_unsigned(b, ceil);
    DivSI |_ir, op, a, b| a.div_signed(b, quotient);
    CeilDivSI |_ir, op, a, b| a.div_signed(b, ceil);
    FloorDivSI |_ir, op, a, b| a.div_signed(b, floor);
    RemUI |_ir, op, a, b| a.rem_unsigned(b);
    RemSI |_ir, op, a, b| a.rem_signed(b);
    ShRUI |_ir, op, a, b| a.shr(b, false);
    ShRSI |_ir, op, a, b| a.shr(b, true);
    AndI |_ir, op, a, b| a.bitwise(b, |a, b| a & b);
    OrI |_ir, op, a, b| a.bitwise(b, |a, b| a | b);
    XOrI |_ir, op, a, b| a.bitwise(b, |a, b| a ^ b);
    MaxSI |_ir, op, a, b| a.extreme(b, true, true);
    MaxUI |_ir, op, a, b| a.extreme(b, false, true);
    MinSI |_ir, op, a, b| a.extreme(b, true, false);
    MinUI |_ir, op, a, b| a.extreme(b, false, false);
}

/// Widened or cut to the width of the result
fn cast(ir: &Ir, op: OpId, operands: &[Option<Ints>], signed: bool) -> Ranges {
    let from = operands.first().copied().flatten();
    let to = Ints::width_of(ir.cx(), ir.ty(ir.result(op, 0)));
    vec![from.zip(to).map(|(from, to)| match signed {
        _ if to < from.width() => from.truncate(to),
        true => from.extend_signed(to),
        false => from.extend_unsigned(to),
    })]
}

macro_rules! casts {
    ($($name:ident $signed:literal;)*) => {$(
        impl InferInts for $name {
            fn infer_ints(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Ranges {
                cast(ir, op, operands, $signed)
            }
        }
    )*};
}

casts! {
    ExtSI true;
    ExtUI false;
    TruncI true;
    IndexCast true;
    IndexCastUI false;
}

impl InferInts for CmpI {
    fn infer_ints(ir: &Ir, op: OpId, operands: &[Option<Ints>]) -> Ranges {
        let Some((a, b)) = both(operands) else { return Vec::new() };
        vec![holds(CmpI(op).predicate(ir), a, b).map(|holds| Ints::one(1, holds.into()))]
    }
}

/// Does a comparison hold, or not hold, for all values?
fn holds(predicate: CmpIPredicate, a: Ints, b: Ints) -> Option<bool> {
    let holds = |order| predicate.holds(order, order);
    let holds = Orders {
        less: holds(Ordering::Less),
        equal: holds(Ordering::Equal),
        greater: holds(Ordering::Greater),
    };
    let decided = |signed| a.orders(b, signed).decide(holds);
    match predicate {
        // Apart in one reading is apart.
        CmpIPredicate::Eq | CmpIPredicate::Ne => decided(false).or_else(|| decided(true)),
        _ => decided(predicate.is_signed()),
    }
}

impl InferInts for Select {
    fn infer_ints(_: &Ir, _: OpId, operands: &[Option<Ints>]) -> Ranges {
        let &[condition, Some(yes), Some(no)] = operands else { return Vec::new() };
        vec![Some(match condition.and_then(Ints::only) {
            Some(0) => no,
            Some(_) => yes,
            None => yes.join(no),
        })]
    }
}
