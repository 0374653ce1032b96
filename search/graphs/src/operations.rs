//! How many operations on numbers a computation does, where its mathematics says so.
//!
//! Counted from the op as the author wrote it: for each point, the arithmetic ops of the body, and one combination per output if the
//! point is folded into others.

use terrace_dialect_arith as arith;
use terrace_dialect_math as math;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::View;
use terrace_ir::{Ir, OpDef, OpId};

/// Ops of `arith` that only move or compare numbers
const FREE: &[&OpDef] = &[
    arith::Constant::DEF,
    arith::Select::DEF,
    arith::CmpF::DEF,
    arith::CmpI::DEF,
    arith::IndexCast::DEF,
    arith::ExtF::DEF,
    arith::ExtSI::DEF,
    arith::ExtUI::DEF,
    arith::TruncF::DEF,
    arith::TruncI::DEF,
];

/// Operations of one computation; `None` if it cannot be read, or for a number beyond 64 bits
pub fn operations(unit: &Ir, compute: Compute) -> Option<u64> {
    let view = View::read(unit, compute).ok()?;
    let folded = view.dims.iter().any(|dim| !dim.kind.operators().is_empty());
    let body = compute.body(unit);
    let ops = unit.blocks(body).flat_map(|block| unit.block_ops(block));
    let arithmetic: u64 = ops.map(|op| cost(unit, op)).sum();
    let combinations = if folded { view.outputs.len() as u64 } else { 0 };
    points(&view)?.checked_mul(arithmetic + combinations)
}

/// Points of a computation; `None` for a number beyond 64 bits
pub(crate) fn points(view: &View) -> Option<u64> {
    view.sizes().into_iter().try_fold(1u64, |all, size| all.checked_mul(u64::try_from(size).ok()?))
}

/// Operations that an op of a body stands for
fn cost(unit: &Ir, op: OpId) -> u64 {
    let dialect = unit.op_name(op).split('.').next();
    match dialect {
        Some("arith" | "math") if unit.is(op, math::Fma::DEF) => 2,
        Some("arith" | "math") => u64::from(!unit.is_any(op, FREE)),
        _ => 0,
    }
}
