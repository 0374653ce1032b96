//! The table: what each op becomes, or why it becomes nothing; and the check of a function against it.
//!
//! Each dialect's file lists its ops as rows, with what they need beyond types that have a form. The emitter relies on it:
//! what it finds unchecked is our mistake. What has no row has a reason in [`GAPS`].

use crate::check::{Check, bad_type};
use crate::emit::{Lowering, Lowerings};
use crate::form::form;
use std::sync::LazyLock;
use terrace_diag::{Diagnostic, Diags};
use terrace_dialect_arith as arith;
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::{Ir, OpDef, OpId, Type};
use terrace_lowering_table::{Gap, Refusal, Table};
use terrace_native_client::codes;

/// Rows of all modules
const ROWS: &[&[Lowering]] = &[
    crate::arith::OPS,
    crate::casts::OPS,
    crate::cf::OPS,
    crate::contract::OPS,
    crate::func::OPS,
    crate::gpu::OPS,
    crate::math::OPS,
    crate::memref::OPS,
    crate::mma::OPS,
    crate::printf::OPS,
    crate::reshapes::OPS,
    crate::rotate::OPS,
    crate::ub::OPS,
    crate::vector::OPS,
    crate::vector_memory::OPS,
    crate::vector_elements::OPS,
    crate::vector_shape::OPS,
    crate::atomics::FENCE,
    crate::atomics::OPS,
    crate::views::OPS,
];

/// Ops that passes lower first, or that LLVM has no counterpart for
static GAPS: &[Gap] = &[
    dialect("affine", "lower it first: `lower-affine`, then `convert-scf-to-cf`"),
    ops("arith", &[arith::ScalingExtF::DEF, arith::ScalingTruncF::DEF], "lower it first: `expand-floats`"),
    dialect("bufferization", ""),
    dialect("builtin", ""),
    dialect("gpu", "device functions are lowered with `--emit=ptx`"),
    dialect("linalg", ""),
    dialect("mdh", "lower it first, from `mdh` to `sched` to `scf`"),
    ops("memref", &[memref::DmaStart::DEF, memref::DmaWait::DEF, memref::Global::DEF], ""),
    dialect("sched", "lower it first: `sched-to-scf`, then `convert-scf-to-cf`"),
    dialect("scf", "lower it first: `scf-parallel-to-calls` for `scf.parallel`, then `convert-scf-to-cf`"),
    dialect("tensor", ""),
    ops(
        "vector",
        &[vector::Print::DEF, vector::ScalableExtract::DEF, vector::ScalableInsert::DEF, vector::VScale::DEF],
        "",
    ),
];

/// A whole dialect, or what is left of it
const fn dialect(dialect: &'static str, help: &'static str) -> Gap {
    ops(dialect, &[], help)
}

const fn ops(dialect: &'static str, ops: &'static [&'static OpDef], help: &'static str) -> Gap {
    Gap { dialect, ops, why: "cannot be lowered to LLVM", help }
}

/// The table
pub(crate) fn table() -> &'static Lowerings {
    static TABLE: LazyLock<Lowerings> = LazyLock::new(|| Table::new(ROWS, &[GAPS]));
    &TABLE
}

/// Report each op of a function that cannot be emitted
pub(crate) fn check(c: &Check<'_>, diags: &mut Diags) {
    let (ir, cx, table) = (c.ir, c.ir.cx(), table());
    for op in ir.walk() {
        let Some(row) = table.row_of(ir, op) else {
            // What is inside of it is the business of the pass that lowers it.
            let known = |parent: OpId| table.row_of(ir, parent).is_some();
            if ir.parent(op).is_none_or(known) {
                let _ = diags.emit(unsupported(ir, op));
            }
            continue;
        };
        let operands = ir.operands(op).map(|value| ir.ty(value));
        let types: Vec<Type> = operands.chain(ir.results(op).map(|value| ir.ty(value))).collect();
        if let Some((ty, why)) =
            types.iter().find_map(|ty| form(cx, *ty, c.spaces).err().map(|why| (*ty, why)))
        {
            let _ = diags.emit(bad_type(cx, ty, &why.why).at(ir.span(op)));
        } else if let Err(refusal) = (row.check)(c, op) {
            let _ = diags.emit(refused(ir, op, refusal));
        }
    }
}

/// An op that has no row, with the pass that gets rid of it
pub(crate) fn unsupported(ir: &Ir, op: OpId) -> Diagnostic {
    let gap = table().gap_of(ir, op);
    let why = gap.map_or("cannot be lowered to LLVM", |gap| gap.why);
    refused(ir, op, Refusal::new(why, gap.map_or("", |gap| gap.help)))
}

fn refused(ir: &Ir, op: OpId, refusal: Refusal) -> Diagnostic {
    let Refusal { code, why, help } = refusal;
    let message = format!("`{}` {why}", ir.op_name(op));
    let error = Diagnostic::error(code.unwrap_or(&codes::UNSUPPORTED_OP), message).at(ir.span(op));
    if help.is_empty() { error } else { error.help(help) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_op_has_a_row_or_a_gap() {
        assert_eq!(super::table().faults(terrace_dialect_upstream::ALL), Vec::<String>::new());
    }
}
