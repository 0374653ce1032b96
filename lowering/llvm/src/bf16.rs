//! bf16 on processors: computed in f32, then rounded by a few integer instructions.
//!
//! The instructions that convert to bf16 flush subnormal numbers (`target`), so they are switched off. Without them LLVM calls
//! a function for each lane. Widening is exact. A sum, product, quotient or root of numbers of 8 bits is the same whether it is
//! rounded to 24 bits and then to 8, or once. A product and a sum in one instruction are not always: where the program
//! does not allow two roundings (`llvm.fmuladd`), they are computed in f64 ([`fused`]).

use crate::emit::Emitter;
use crate::moves::{is_rounded, like};
use crate::raw::{IntPred, Llvm, Opcode, RealPred, T, V};
use terrace_ir::FloatKind;

/// Bits of the fraction of f32 that bf16 lacks
const LOST: i128 = 16;

/// The upper half of f32
const UPPER: i128 = 0xffff_0000;

/// The bit of f32 that makes a NaN quiet
const QUIET: i128 = 1 << 22;

/// What `f` computes of operands of one float type; of bf16 in f32, where the target is a processor
pub(crate) fn widened(e: &Emitter<'_>, args: &[V], f: impl Fn(&[V]) -> V) -> V {
    in_single(e, args, f, round)
}

/// The same of a sum, difference, product, quotient or root
pub(crate) fn widened_arithmetic(e: &Emitter<'_>, args: &[V], f: impl Fn(&[V]) -> V) -> V {
    in_single(e, args, f, round_arithmetic)
}

/// The same of an `f` whose result in f32 is a bf16, for operands that are
pub(crate) fn widened_exactly(e: &Emitter<'_>, args: &[V], f: impl Fn(&[V]) -> V) -> V {
    in_single(e, args, f, |_, bits, _| bits)
}

/// The same of an `f` whose result is no float
pub(crate) fn widened_only(e: &Emitter<'_>, args: &[V], f: impl Fn(&[V]) -> V) -> V {
    let (Some(own), Some(single)) = (own_type(e, args), e.ll.float(FloatKind::F32)) else { return f(args) };
    let wide = like(e.ll, single, own);
    let args: Vec<V> = args.iter().map(|arg| upper(e.ll, *arg, wide)).collect();
    f(&args)
}

/// How bits of f32 are rounded, of which the upper half is the result; the value has the same bits
type Round = fn(&Llvm, V, V) -> V;

fn in_single(e: &Emitter<'_>, args: &[V], f: impl Fn(&[V]) -> V, round: Round) -> V {
    let Some(wide) = Wide::of(e, args) else { return f(args) };
    let values: Vec<V> = wide.parts.iter().map(|args| f(args)).collect();
    wide.narrowed(e.ll, &values, round)
}

/// The type of operands, where it is bf16 of a processor
fn own_type(e: &Emitter<'_>, args: &[V]) -> Option<T> {
    args.first().map(|arg| e.ll.type_of(*arg)).filter(|own| is_rounded(e.ll, e.spaces(), *own))
}

/// Operands of bf16 in f32: all lanes in their order, or even ones and odd ones
pub(crate) struct Wide {
    own: T,
    /// Operands of each part
    pub parts: Vec<Vec<V>>,
}

impl Wide {
    /// None for operands of other types
    pub fn of(e: &Emitter<'_>, args: &[V]) -> Option<Wide> {
        let (own, single, ll) = (own_type(e, args)?, e.ll.float(FloatKind::F32)?, e.ll);
        let parts = match ll.lanes(own).filter(|lanes| lanes % 2 == 0 && lanes * 32 > vector_bits(e)) {
            None => vec![args.iter().map(|arg| upper(ll, *arg, like(ll, single, own))).collect()],
            Some(lanes) => {
                let (words, floats) = (ll.vector(ll.int(32), lanes / 2), ll.vector(single, lanes / 2));
                let part = |op: Opcode, by: i128| {
                    let taken = |arg: &V| {
                        ll.bin(op, ll.cast(Opcode::LLVMBitCast, *arg, words), ll.int_const(words, by))
                    };
                    args.iter().map(|arg| ll.cast(Opcode::LLVMBitCast, taken(arg), floats)).collect()
                };
                vec![part(Opcode::LLVMShl, LOST), part(Opcode::LLVMAnd, UPPER)]
            }
        };
        Some(Wide { own, parts })
    }

    /// Results of the parts, rounded and in one vector
    pub fn narrowed(&self, ll: &Llvm, values: &[V], round: Round) -> V {
        let rounded = |value: &V| {
            let ints = like(ll, ll.int(32), ll.type_of(*value));
            round(ll, ll.cast(Opcode::LLVMBitCast, *value, ints), *value)
        };
        let bits: Vec<V> = values.iter().map(rounded).collect();
        let number = |n: i128| ll.int_const(ll.type_of(bits[0]), n);
        let low = ll.bin(Opcode::LLVMLShr, bits[0], number(LOST));
        let all = match bits[1..] {
            [] => ll.cast(Opcode::LLVMTrunc, low, like(ll, ll.int(16), self.own)),
            [odd, ..] => ll.bin(Opcode::LLVMOr, low, ll.bin(Opcode::LLVMAnd, odd, number(UPPER))),
        };
        ll.cast(Opcode::LLVMBitCast, all, self.own)
    }
}

/// Bits of a processor's vectors
fn vector_bits(e: &Emitter<'_>) -> u32 {
    match () {
        () if e.has_feature("avx512f") => 512,
        () if e.has_feature("avx2") => 256,
        () => 128,
    }
}

/// `a * b + c` of `bf16`, rounded once; `f` of other types
///
/// In f64 the product is exact, and what the sum lacks is known. The sum becomes f32 by rounding to odd: where that is inexact, the
/// neighbor is taken whose last bit is set. Rounding this to 8 bits is then as if nothing had been rounded before.
pub(crate) fn fused(e: &Emitter<'_>, args: &[V], f: impl Fn(&[V]) -> V) -> V {
    let ll = e.ll;
    let (Some(own), Some(single), Some(double)) =
        (own_type(e, args), ll.float(FloatKind::F32), ll.float(FloatKind::F64))
    else {
        return f(args);
    };
    let (single, double, ints) = (like(ll, single, own), like(ll, double, own), like(ll, ll.int(32), own));
    let wide = |n: usize| ll.cast(Opcode::LLVMFPExt, upper(ll, args[n], single), double);
    let sub = |a: V, b: V| ll.bin(Opcode::LLVMFSub, a, b);
    let (product, addend) = (ll.bin(Opcode::LLVMFMul, wide(0), wide(1)), wide(2));
    let sum = ll.bin(Opcode::LLVMFAdd, product, addend);
    let back = sub(sum, product);
    let lost = ll.bin(Opcode::LLVMFAdd, sub(product, sub(sum, back)), sub(addend, back));
    let near = ll.cast(Opcode::LLVMFPTrunc, sum, single);
    let apart = sub(sum, ll.cast(Opcode::LLVMFPExt, near, double));
    let zero = ll.zero(double);
    // Either all of it, or the larger part of it: the sign is that of both.
    let rest = ll.select(ll.fcmp(RealPred::LLVMRealOEQ, apart, zero), lost, apart);
    let bits = ll.cast(Opcode::LLVMBitCast, near, ints);
    let even =
        ll.icmp(IntPred::LLVMIntEQ, ll.bin(Opcode::LLVMAnd, bits, ll.int_const(ints, 1)), ll.zero(ints));
    let odd = ll.bin(Opcode::LLVMAnd, ll.fcmp(RealPred::LLVMRealONE, rest, zero), even);
    let below = ll.fcmp(RealPred::LLVMRealOLT, rest, zero);
    let shrinks = ll.bin(Opcode::LLVMXor, below, ll.icmp(IntPred::LLVMIntSLT, bits, ll.zero(ints)));
    let step = ll.select(shrinks, ll.all_ones(ints), ll.int_const(ints, 1));
    let chosen = ll.select(odd, ll.add(bits, step), bits);
    rounded(ll, ll.cast(Opcode::LLVMBitCast, chosen, single), own)
}

/// A wider float, or the same
pub(crate) fn extended(e: &Emitter<'_>, value: V, to: T) -> V {
    let own = e.ll.type_of(value);
    let single = e.ll.float(FloatKind::F32).filter(|_| is_rounded(e.ll, e.spaces(), own) && own != to);
    let value = single.map_or(value, |single| upper(e.ll, value, like(e.ll, single, own)));
    e.ll.cast_if(Opcode::LLVMFPExt, value, to)
}

/// A narrower float, or the same; from f32 to bf16 without a call
pub(crate) fn narrowed(e: &Emitter<'_>, value: V, to: T) -> V {
    let from = e.ll.type_of(value);
    if from == to {
        return value;
    }
    let single = e.ll.float(FloatKind::F32).is_some_and(|single| from == like(e.ll, single, from));
    match single && is_rounded(e.ll, e.spaces(), to) {
        true => rounded(e.ll, value, to),
        false => e.ll.cast(Opcode::LLVMFPTrunc, value, to),
    }
}

/// bf16 as the upper half of f32. Not by a conversion: LLVM takes that away from comparisons and signs, and computes these in bf16,
/// lane by lane
fn upper(ll: &Llvm, value: V, to: T) -> V {
    let (ints, halves) = (like(ll, ll.int(32), to), like(ll, ll.int(16), to));
    let bits = ll.cast(Opcode::LLVMZExt, ll.cast(Opcode::LLVMBitCast, value, halves), ints);
    ll.cast(Opcode::LLVMBitCast, ll.bin(Opcode::LLVMShl, bits, ll.int_const(ints, LOST)), to)
}

/// f32 to the nearest bf16, ties to even; a NaN stays one and becomes quiet
fn rounded(ll: &Llvm, value: V, to: T) -> V {
    Wide { own: to, parts: Vec::new() }.narrowed(ll, &[value], round)
}

/// To the nearest, ties to even; a NaN stays one and becomes quiet
pub(crate) fn round(ll: &Llvm, bits: V, value: V) -> V {
    let quiet = ll.bin(Opcode::LLVMOr, bits, ll.int_const(ll.type_of(bits), QUIET));
    let nan = ll.fcmp(RealPred::LLVMRealUNO, value, value);
    ll.select(nan, quiet, round_arithmetic(ll, bits, value))
}

/// The same of what arithmetic gives of bf16. Its NaN is that of an operand or the processor's own, quiet and with zeros in the lower
/// half: what is added there does not reach the upper one
fn round_arithmetic(ll: &Llvm, bits: V, _: V) -> V {
    let number = |n: i128| ll.int_const(ll.type_of(bits), n);
    let odd = ll.bin(Opcode::LLVMAnd, ll.bin(Opcode::LLVMLShr, bits, number(LOST)), number(1));
    ll.add(ll.add(bits, number((1 << (LOST - 1)) - 1)), odd)
}
