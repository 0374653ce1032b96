//! Casts of `arith`.

use crate::bf16;
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::Elem;
use crate::raw::Opcode;
use terrace_dialect_arith as arith;
use terrace_ir::{OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { arith:
    Bitcast any, |e, op| cast(e, op, Opcode::LLVMBitCast);
    ExtF any, widen;
    ExtSI any, |e, op| cast(e, op, Opcode::LLVMSExt);
    ExtUI any, |e, op| cast(e, op, Opcode::LLVMZExt);
    FPToSI any, |e, op| to_integer(e, op, Opcode::LLVMFPToSI);
    FPToUI any, |e, op| to_integer(e, op, Opcode::LLVMFPToUI);
    IndexCast any, |e, op| resize(e, op, arith::IndexCast(op).input(e.ir), Opcode::LLVMSExt);
    IndexCastUI any, |e, op| resize(e, op, arith::IndexCastUI(op).input(e.ir), Opcode::LLVMZExt);
    SIToFP any, |e, op| cast(e, op, Opcode::LLVMSIToFP);
    TruncF nearest, narrow;
    TruncI any, truncate;
    UIToFP any, |e, op| cast(e, op, Opcode::LLVMUIToFP);
};

fn nearest(c: &Check<'_>, op: OpId) -> Checked {
    match c.ir.attr(op, "roundingmode").and_then(|mode| mode.as_i64(c.cx())) {
        None | Some(0) => Ok(()),
        Some(_) => Err("rounds to nearest even only: `expand-floats` makes such casts of every mode".into()),
    }
}

fn cast(e: &mut Emitter<'_>, op: OpId, opcode: Opcode) {
    let to = e.part_type(e.ir.result(op, 0));
    let (fast, nneg) = (e.fast(op), e.is_set(op, "nonNeg"));
    e.each(op, |e, v| {
        let value = e.ll.set_fast(e.ll.cast(opcode, v[0], to), fast);
        if nneg { e.ll.set_nneg(value) } else { value }
    });
}

fn widen(e: &mut Emitter<'_>, op: OpId) {
    let to = e.part_type(e.ir.result(op, 0));
    let fast = e.fast(op);
    e.each(op, |e, v| e.ll.set_fast(bf16::extended(e, v[0], to), fast));
}

fn to_integer(e: &mut Emitter<'_>, op: OpId, opcode: Opcode) {
    let to = e.part_type(e.ir.result(op, 0));
    e.each(op, |e, v| bf16::widened_only(e, v, |v| e.ll.cast(opcode, v[0], to)));
}

/// The flags of a cast by function have no place
fn narrow(e: &mut Emitter<'_>, op: OpId) {
    let to = e.part_type(e.ir.result(op, 0));
    let fast = e.fast(op);
    e.each(op, |e, v| e.ll.set_fast(bf16::narrowed(e, v[0], to), fast));
}

fn truncate(e: &mut Emitter<'_>, op: OpId) {
    let to = e.part_type(e.ir.result(op, 0));
    let (nsw, nuw) = crate::arith::overflow(e, op);
    e.each(op, |e, v| e.ll.set_trunc_wrap(e.ll.cast(Opcode::LLVMTrunc, v[0], to), nsw, nuw));
}

/// Wider, narrower or the same
fn resize(e: &mut Emitter<'_>, op: OpId, from: Value, extend: Opcode) {
    let to = e.ir.result(op, 0);
    let bits = |elem: Elem| elem.bits();
    let (a, b) = (bits(e.elem_of(from)), bits(e.elem_of(to)));
    let ty = e.part_type(to);
    let nneg = e.is_set(op, "nonNeg");
    e.each(op, |e, v| match a.cmp(&b) {
        std::cmp::Ordering::Equal => v[0],
        std::cmp::Ordering::Greater => e.ll.cast(Opcode::LLVMTrunc, v[0], ty),
        std::cmp::Ordering::Less => {
            let value = e.ll.cast(extend, v[0], ty);
            if nneg && extend == Opcode::LLVMZExt { e.ll.set_nneg(value) } else { value }
        }
    });
}
