//! `sched.rotate`: one permutation where the processor has it by a vector of numbers, else a selection for each bit of the count.

use crate::check::any;
use crate::emit::{Emitter, Lowering};
use crate::raw::{IntPred, Opcode, V};
use terrace_dialect_sched as sched;
use terrace_ir::OpId;
use terrace_lowering_table::rows;

pub(crate) static OPS: &[Lowering] = rows! { sched: Rotate any, rotate; };

/// Bits of the lanes that are permuted
const WORD: u32 = 32;

fn rotate(e: &mut Emitter<'_>, op: OpId) {
    let rotate = sched::Rotate(op);
    let form = e.vector_of(rotate.vector(e.ir));
    let (lanes, bits) = (form.lanes(), 8 * form.elem.bytes());
    let (value, by) = (e.one(rotate.vector(e.ir)), e.one(rotate.by(e.ir)));
    let whole = form.elem.fills_bytes() && bits % WORD == 0 && lanes.is_power_of_two();
    let words = lanes * bits / WORD;
    let permutation = match words {
        16 if whole && e.has_feature("avx512f") => Some("llvm.x86.avx512.permvar.si.512"),
        8 if whole && e.has_feature("avx2") => Some("llvm.x86.avx2.permd"),
        _ => None,
    };
    let result = match permutation {
        Some(name) => permuted(e, name, value, (words, bits / WORD), by),
        None => selected(e, value, lanes, by),
    };
    e.set_result(op, 0, vec![result]);
}

/// Word n of the result is word n − by · per of the vector: the instruction takes such numbers modulo the words of a vector
fn permuted(e: &Emitter<'_>, name: &str, value: V, (words, per): (u32, u32), by: V) -> V {
    let (ll, i32) = (e.ll, e.ll.int(WORD));
    let ty = ll.type_of(value);
    let by = ll.cast(Opcode::LLVMTrunc, by, i32);
    let by = ll.bin(Opcode::LLVMMul, by, ll.const_int(i32, i64::from(per)));
    let numbers: Vec<V> = (0..words).map(|n| ll.const_int(i32, i64::from(n))).collect();
    let from = ll.bin(Opcode::LLVMSub, ll.const_vector(&numbers), ll.splat(by, words));
    let value = ll.cast(Opcode::LLVMBitCast, value, ll.vector(i32, words));
    ll.cast(Opcode::LLVMBitCast, ll.intrinsic(name, &[], &[value, from]), ty)
}

/// Rotated by each power of two that the count has
fn selected(e: &Emitter<'_>, value: V, lanes: u32, by: V) -> V {
    let ll = e.ll;
    let ty = ll.type_of(by);
    let count = ll.const_int(ty, i64::from(lanes));
    // The remainder of a negative number is negative.
    let by = ll.bin(Opcode::LLVMSRem, by, count);
    let by = ll.bin(Opcode::LLVMSRem, ll.bin(Opcode::LLVMAdd, by, count), count);
    let (lanes, mut all, mut step) = (i64::from(lanes), value, 1);
    while step < lanes {
        let places: Vec<i64> = (0..lanes).map(|lane| (lane - step).rem_euclid(lanes)).collect();
        let bit = ll.bin(Opcode::LLVMAnd, by, ll.const_int(ty, step));
        let has = ll.icmp(IntPred::LLVMIntNE, bit, ll.const_int(ty, 0));
        all = ll.select(has, ll.shuffle(all, all, &places), all);
        step *= 2;
    }
    all
}
