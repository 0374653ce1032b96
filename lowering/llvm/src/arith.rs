//! `arith` on integers and floats: scalars and vectors part by part.
//!
//! Poison, wrapping and undefined divisions are LLVM's own, which are upstream's. Rounding divisions are spelled out so that
//! no step overflows where the result fits.

use crate::bf16;
use crate::builder::{const_bits, from_bytes};
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::Elem;
use crate::moves;
use crate::parts::Parts;
use crate::raw::{IntPred, Opcode, RealPred, T, V};
use terrace_dialect_arith::{self as arith, CmpF, CmpFPredicate, CmpI, CmpIPredicate, OverflowFlags};
use terrace_ir::{Attr, AttrKind, DenseData, OpId};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { arith:
    AddF any, |e, op| float(e, op, Opcode::LLVMFAdd);
    AddI any, |e, op| wrapping(e, op, Opcode::LLVMAdd);
    AddUIExtended any, add_extended;
    AndI any, |e, op| plain(e, op, Opcode::LLVMAnd);
    CeilDivSI any, |e, op| rounded(e, op, true);
    CeilDivUI any, ceil_unsigned;
    CmpF any, compare_floats;
    CmpI any, compare_ints;
    Constant constant_check, constant;
    DivF any, |e, op| float(e, op, Opcode::LLVMFDiv);
    DivSI any, |e, op| exact(e, op, Opcode::LLVMSDiv);
    DivUI any, |e, op| exact(e, op, Opcode::LLVMUDiv);
    FloorDivSI any, |e, op| rounded(e, op, false);
    MaxNumF any, |e, op| float_intrinsic(e, op, "llvm.maxnum");
    MaxSI any, |e, op| int_intrinsic(e, op, "llvm.smax");
    MaxUI any, |e, op| int_intrinsic(e, op, "llvm.umax");
    MaximumF any, |e, op| float_intrinsic(e, op, "llvm.maximum");
    MinNumF any, |e, op| float_intrinsic(e, op, "llvm.minnum");
    MinSI any, |e, op| int_intrinsic(e, op, "llvm.smin");
    MinUI any, |e, op| int_intrinsic(e, op, "llvm.umin");
    MinimumF any, |e, op| float_intrinsic(e, op, "llvm.minimum");
    MulF any, |e, op| float(e, op, Opcode::LLVMFMul);
    MulI any, |e, op| wrapping(e, op, Opcode::LLVMMul);
    MulSIExtended any, |e, op| mul_extended(e, op, Opcode::LLVMSExt);
    MulUIExtended any, |e, op| mul_extended(e, op, Opcode::LLVMZExt);
    NegF any, negate;
    OrI any, |e, op| plain(e, op, Opcode::LLVMOr);
    RemF any, |e, op| float(e, op, Opcode::LLVMFRem);
    RemSI any, |e, op| plain(e, op, Opcode::LLVMSRem);
    RemUI any, |e, op| plain(e, op, Opcode::LLVMURem);
    Select any, select;
    ShLI any, |e, op| wrapping(e, op, Opcode::LLVMShl);
    ShRSI any, |e, op| exact(e, op, Opcode::LLVMAShr);
    ShRUI any, |e, op| exact(e, op, Opcode::LLVMLShr);
    SubF any, |e, op| float(e, op, Opcode::LLVMFSub);
    SubI any, |e, op| wrapping(e, op, Opcode::LLVMSub);
    XOrI any, |e, op| plain(e, op, Opcode::LLVMXor);
};

fn plain(e: &mut Emitter<'_>, op: OpId, opcode: Opcode) {
    e.each(op, |e, v| e.ll.bin(opcode, v[0], v[1]));
}

/// Bits of `nsw` and `nuw`
pub(crate) fn overflow(e: &Emitter<'_>, op: OpId) -> (bool, bool) {
    let flags = e.ir.attr(op, "overflowFlags").and_then(|attr| OverflowFlags::of(e.cx(), attr));
    let flags = flags.unwrap_or_default();
    (flags.has(OverflowFlags::NSW), flags.has(OverflowFlags::NUW))
}

fn wrapping(e: &mut Emitter<'_>, op: OpId, opcode: Opcode) {
    let (nsw, nuw) = overflow(e, op);
    e.each(op, |e, v| e.ll.set_wrap(e.ll.bin(opcode, v[0], v[1]), nsw, nuw));
}

fn exact(e: &mut Emitter<'_>, op: OpId, opcode: Opcode) {
    let exact = e.is_set(op, "isExact");
    e.each(op, |e, v| {
        let value = e.ll.bin(opcode, v[0], v[1]);
        if exact { e.ll.set_exact(value) } else { value }
    });
}

fn float(e: &mut Emitter<'_>, op: OpId, opcode: Opcode) {
    let fast = e.fast(op);
    // A remainder is a function of a library.
    let widened = |e: &Emitter<'_>, v: &[V], f: &dyn Fn(&[V]) -> V| match opcode {
        Opcode::LLVMFRem => bf16::widened(e, v, f),
        _ => bf16::widened_arithmetic(e, v, f),
    };
    e.each(op, |e, v| widened(e, v, &|v| e.ll.set_fast(e.ll.bin(opcode, v[0], v[1]), fast)));
}

fn negate(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    e.each(op, |e, v| bf16::widened_exactly(e, v, |v| e.ll.set_fast(e.ll.fneg(v[0]), fast)));
}

fn int_intrinsic(e: &mut Emitter<'_>, op: OpId, name: &str) {
    e.each(op, |e, v| e.ll.intrinsic(name, &[e.ll.type_of(v[0])], v));
}

/// Intrinsics that round to integers, choose an operand or its sign: what they compute of bf16 in f32 is a bf16
const EXACT: [&str; 13] = [
    "llvm.ceil",
    "llvm.copysign",
    "llvm.fabs",
    "llvm.floor",
    "llvm.maximum",
    "llvm.maximumnum",
    "llvm.maxnum",
    "llvm.minimum",
    "llvm.minimumnum",
    "llvm.minnum",
    "llvm.round",
    "llvm.roundeven",
    "llvm.trunc",
];

/// An intrinsic of operands and result of one float type
pub(crate) fn float_intrinsic(e: &mut Emitter<'_>, op: OpId, name: &str) {
    let fast = e.fast(op);
    let made = |e: &Emitter<'_>, v: &[V]| e.ll.set_fast(e.ll.intrinsic(name, &[e.ll.type_of(v[0])], v), fast);
    e.each(op, |e, v| match name {
        _ if EXACT.contains(&name) => bf16::widened_exactly(e, v, |v| made(e, v)),
        // Rounded once.
        "llvm.fma" => bf16::fused(e, v, |v| made(e, v)),
        "llvm.sqrt" => bf16::widened_arithmetic(e, v, |v| made(e, v)),
        _ => bf16::widened(e, v, |v| made(e, v)),
    });
}

/// Quotient toward zero, then one off where signs say so and there is a rest
fn rounded(e: &mut Emitter<'_>, op: OpId, up: bool) {
    e.each(op, |e, v| {
        let ll = e.ll;
        let ty = ll.type_of(v[0]);
        let zero = ll.zero(ty);
        let quotient = ll.bin(Opcode::LLVMSDiv, v[0], v[1]);
        let rest = ll.bin(Opcode::LLVMSRem, v[0], v[1]);
        let uneven = ll.icmp(IntPred::LLVMIntNE, rest, zero);
        // The rest has the dividend's sign: equal to the divisor's, the true quotient is positive.
        let mixed = ll.bin(Opcode::LLVMXor, rest, v[1]);
        let pred = if up { IntPred::LLVMIntSGE } else { IntPred::LLVMIntSLT };
        let off = ll.bin(Opcode::LLVMAnd, uneven, ll.icmp(pred, mixed, zero));
        let off = ll.cast(Opcode::LLVMZExt, off, ty);
        if up { ll.add(quotient, off) } else { ll.sub(quotient, off) }
    });
}

/// Quotient, and one more where there is a rest: `a + b - 1` might overflow
fn ceil_unsigned(e: &mut Emitter<'_>, op: OpId) {
    e.each(op, |e, v| {
        let ll = e.ll;
        let ty = ll.type_of(v[0]);
        let quotient = ll.bin(Opcode::LLVMUDiv, v[0], v[1]);
        let rest = ll.bin(Opcode::LLVMURem, v[0], v[1]);
        let uneven = ll.icmp(IntPred::LLVMIntNE, rest, ll.zero(ty));
        ll.add(quotient, cast_up(e, uneven, ty))
    });
}

/// An `i1` as 0 or 1 of a type that may itself be `i1`
fn cast_up(e: &Emitter<'_>, bit: V, ty: T) -> V {
    e.ll.cast_if(Opcode::LLVMZExt, bit, ty)
}

fn two(e: &mut Emitter<'_>, op: OpId, f: impl Fn(&Emitter<'_>, V, V) -> (V, V)) {
    let all: Vec<Parts> = e.ir.operands(op).map(|value| e.get(value)).collect();
    let [a, b] = &all[..] else { return };
    let (first, second): (Vec<V>, Vec<V>) = a.iter().zip(b.iter()).map(|(a, b)| f(e, *a, *b)).unzip();
    e.set_result(op, 0, first);
    e.set_result(op, 1, second);
}

fn add_extended(e: &mut Emitter<'_>, op: OpId) {
    two(e, op, |e, a, b| {
        let pair = e.ll.intrinsic("llvm.uadd.with.overflow", &[e.ll.type_of(a)], &[a, b]);
        (e.ll.extract_value(pair, 0), e.ll.extract_value(pair, 1))
    });
}

fn mul_extended(e: &mut Emitter<'_>, op: OpId, extend: Opcode) {
    let bits = e.elem_of(e.ir.result(op, 0)).bits();
    two(e, op, |e, a, b| {
        let ll = e.ll;
        let (ty, double) = (ll.type_of(a), ll.int(2 * bits));
        let wide = ll.lanes(ty).map_or(double, |lanes| ll.vector(double, lanes));
        let product = ll.mul(ll.cast(extend, a, wide), ll.cast(extend, b, wide));
        let high = ll.bin(Opcode::LLVMLShr, product, e.ll.int_const(wide, bits.into()));
        (ll.cast(Opcode::LLVMTrunc, product, ty), ll.cast(Opcode::LLVMTrunc, high, ty))
    });
}

fn compare_ints(e: &mut Emitter<'_>, op: OpId) {
    use IntPred::*;
    let pred = match CmpI(op).predicate(e.ir) {
        CmpIPredicate::Eq => LLVMIntEQ,
        CmpIPredicate::Ne => LLVMIntNE,
        CmpIPredicate::Slt => LLVMIntSLT,
        CmpIPredicate::Sle => LLVMIntSLE,
        CmpIPredicate::Sgt => LLVMIntSGT,
        CmpIPredicate::Sge => LLVMIntSGE,
        CmpIPredicate::Ult => LLVMIntULT,
        CmpIPredicate::Ule => LLVMIntULE,
        CmpIPredicate::Ugt => LLVMIntUGT,
        CmpIPredicate::Uge => LLVMIntUGE,
    };
    e.each(op, |e, v| e.ll.icmp(pred, v[0], v[1]));
}

fn compare_floats(e: &mut Emitter<'_>, op: OpId) {
    use RealPred::*;
    let pred = match CmpF(op).predicate(e.ir) {
        CmpFPredicate::AlwaysFalse => LLVMRealPredicateFalse,
        CmpFPredicate::Oeq => LLVMRealOEQ,
        CmpFPredicate::Ogt => LLVMRealOGT,
        CmpFPredicate::Oge => LLVMRealOGE,
        CmpFPredicate::Olt => LLVMRealOLT,
        CmpFPredicate::Ole => LLVMRealOLE,
        CmpFPredicate::One => LLVMRealONE,
        CmpFPredicate::Ord => LLVMRealORD,
        CmpFPredicate::Ueq => LLVMRealUEQ,
        CmpFPredicate::Ugt => LLVMRealUGT,
        CmpFPredicate::Uge => LLVMRealUGE,
        CmpFPredicate::Ult => LLVMRealULT,
        CmpFPredicate::Ule => LLVMRealULE,
        CmpFPredicate::Une => LLVMRealUNE,
        CmpFPredicate::Uno => LLVMRealUNO,
        CmpFPredicate::AlwaysTrue => LLVMRealPredicateTrue,
    };
    let fast = e.fast(op);
    e.each(op, |e, v| bf16::widened_only(e, v, |v| e.ll.set_fast(e.ll.fcmp(pred, v[0], v[1]), fast)));
}

fn select(e: &mut Emitter<'_>, op: OpId) {
    e.each(op, |e, v| {
        let ty = e.ll.type_of(v[1]);
        let [yes, no] =
            [v[1], v[2]].map(|value| moves::typed(e.ll, value, moves::moved_as(e.ll, e.spaces(), ty)));
        moves::typed(e.ll, e.ll.select(v[0], yes, no), ty)
    });
    // What the type of a memref knows stays a constant.
    let result = e.ir.result(op, 0);
    let known = e.static_parts(&e.form_of(result));
    let parts: Vec<V> = e.get(result).iter().zip(known).map(|(part, known)| known.unwrap_or(*part)).collect();
    e.set(result, parts);
}

fn constant_check(c: &Check<'_>, op: OpId) -> Checked {
    let attr = c.ir.attr(op, "value").ok_or("has no value")?;
    match attr.kind(c.cx()) {
        AttrKind::Int { .. } | AttrKind::Float { .. } => Ok(()),
        AttrKind::Dense { data: DenseData::Splat(_) | DenseData::Raw(_), .. } => Ok(()),
        _ => Err("has a value that is neither a number nor dense numbers".into()),
    }
}

fn const_elem(e: &Emitter<'_>, elem: Elem, bits: u128) -> V {
    const_bits(e.ll, elem, bits)
}

fn constant(e: &mut Emitter<'_>, op: OpId) {
    if let Some(attr) = e.ir.attr(op, "value") {
        let parts = const_parts(e, attr, op);
        e.set_result(op, 0, parts);
    }
}

fn const_parts(e: &Emitter<'_>, attr: Attr, op: OpId) -> Vec<V> {
    let result = e.ir.result(op, 0);
    let elem = e.elem_of(result);
    match attr.kind(e.cx()) {
        AttrKind::Int { value, .. } => vec![const_elem(e, elem, *value as u128)],
        AttrKind::Float { bits, .. } => vec![const_elem(e, elem, u128::from(*bits))],
        AttrKind::Dense { data, .. } => {
            let vector = e.vector_of(result);
            let lanes = vector.lanes() as usize;
            match data {
                DenseData::Splat(raw) => {
                    let one = const_elem(e, elem, from_bytes(raw));
                    vec![e.ll.const_vector(&vec![one; lanes]); vector.parts()]
                }
                DenseData::Raw(raw) => {
                    let bytes = terrace_ir::show::elem_bytes(e.cx(), e.ir.ty(result).scalar(e.cx())).max(1);
                    let all: Vec<V> =
                        raw.chunks(bytes).map(|raw| const_elem(e, elem, from_bytes(raw))).collect();
                    all.chunks(lanes).map(|row| e.ll.const_vector(row)).collect()
                }
                DenseData::Strs(_) => unreachable!("the coverage check wants numbers"),
            }
        }
        _ => unreachable!("the coverage check wants numbers"),
    }
}
