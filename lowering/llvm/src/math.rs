//! `math`: LLVM's intrinsics where there are any, else the C library's functions element by element.

use crate::arith::float_intrinsic;
use crate::check::{Check, Lowering, any};
use crate::emit::Emitter;
use crate::form::{Elem, Spaces};
use crate::raw::{Opcode, T, V};
use crate::vector::lane;
use terrace_dialect_upstream::math;
use terrace_ir::{FloatKind, OpId};

macro_rules! ops {
    ($($op:ident $check:expr, $emit:expr;)*) => {
        pub(crate) static OPS: &[Lowering] = &[$(Lowering { def: math::$op::DEF, check: $check, emit: $emit }),*];
    };
}

ops! {
    AbsF any, |e, op| float_intrinsic(e, op, "llvm.fabs");
    AbsI any, |e, op| flagged(e, op, "llvm.abs");
    Acos host, |e, op| float_intrinsic(e, op, "llvm.acos");
    Acosh host, |e, op| library(e, op, "acosh");
    Asin host, |e, op| float_intrinsic(e, op, "llvm.asin");
    Asinh host, |e, op| library(e, op, "asinh");
    Atan host, |e, op| float_intrinsic(e, op, "llvm.atan");
    Atan2 host, |e, op| float_intrinsic(e, op, "llvm.atan2");
    Atanh host, |e, op| library(e, op, "atanh");
    Cbrt host, |e, op| library(e, op, "cbrt");
    Ceil any, |e, op| float_intrinsic(e, op, "llvm.ceil");
    ClampF any, clamp;
    CopySign any, |e, op| float_intrinsic(e, op, "llvm.copysign");
    Cos host, |e, op| float_intrinsic(e, op, "llvm.cos");
    Cosh host, |e, op| float_intrinsic(e, op, "llvm.cosh");
    CountLeadingZeros any, |e, op| flagged(e, op, "llvm.ctlz");
    CountTrailingZeros any, |e, op| flagged(e, op, "llvm.cttz");
    CtPop any, |e, op| e.each(op, |e, v| e.ll.intrinsic("llvm.ctpop", &[e.ll.type_of(v[0])], v));
    Erf host, |e, op| library(e, op, "erf");
    Erfc host, |e, op| library(e, op, "erfc");
    Exp host, |e, op| float_intrinsic(e, op, "llvm.exp");
    Exp2 host, |e, op| float_intrinsic(e, op, "llvm.exp2");
    ExpM1 host, |e, op| library(e, op, "expm1");
    FPowI power_check, power;
    Floor any, |e, op| float_intrinsic(e, op, "llvm.floor");
    Fma any, |e, op| float_intrinsic(e, op, "llvm.fma");
    IsFinite any, |e, op| class(e, op, 0x1f8);
    IsInf any, |e, op| class(e, op, 0x204);
    IsNaN any, |e, op| class(e, op, 0x3);
    IsNormal any, |e, op| class(e, op, 0x108);
    Log host, |e, op| float_intrinsic(e, op, "llvm.log");
    Log10 host, |e, op| float_intrinsic(e, op, "llvm.log10");
    Log1p host, |e, op| library(e, op, "log1p");
    Log2 host, |e, op| float_intrinsic(e, op, "llvm.log2");
    PowF host, |e, op| float_intrinsic(e, op, "llvm.pow");
    Round any, |e, op| float_intrinsic(e, op, "llvm.round");
    RoundEven any, |e, op| float_intrinsic(e, op, "llvm.roundeven");
    Rsqrt any, rsqrt;
    Sin host, |e, op| float_intrinsic(e, op, "llvm.sin");
    Sinh host, |e, op| float_intrinsic(e, op, "llvm.sinh");
    Sincos host, sincos;
    Sqrt any, |e, op| float_intrinsic(e, op, "llvm.sqrt");
    Tan host, |e, op| float_intrinsic(e, op, "llvm.tan");
    Tanh host, |e, op| float_intrinsic(e, op, "llvm.tanh");
    Trunc any, |e, op| float_intrinsic(e, op, "llvm.trunc");
}

/// Functions of the C library are the host's
fn host(c: &Check<'_>, _: OpId) -> Result<(), String> {
    match c.spaces {
        Spaces::Host => Ok(()),
        Spaces::Nvptx => Err("has no function on the device".into()),
    }
}

/// Integer intrinsics whose last operand says whether an input gives poison: never
fn flagged(e: &mut Emitter<'_>, op: OpId, name: &str) {
    e.each(op, |e, v| e.ll.intrinsic(name, &[e.ll.type_of(v[0])], &[v[0], e.ll.const_int(e.ll.int(1), 0)]));
}

/// Membership in classes of floats, LLVM's bits
fn class(e: &mut Emitter<'_>, op: OpId, classes: i64) {
    e.each(op, |e, v| {
        let bits = e.ll.const_int(e.ll.int(32), classes);
        e.ll.intrinsic("llvm.is.fpclass", &[e.ll.type_of(v[0])], &[v[0], bits])
    });
}

fn clamp(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    e.each(op, |e, v| {
        let ty = [e.ll.type_of(v[0])];
        let above = e.ll.set_fast(e.ll.intrinsic("llvm.maximum", &ty, &[v[0], v[1]]), fast);
        e.ll.set_fast(e.ll.intrinsic("llvm.minimum", &ty, &[above, v[2]]), fast)
    });
}

fn rsqrt(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    e.each(op, |e, v| {
        let ty = e.ll.type_of(v[0]);
        let root = e.ll.set_fast(e.ll.intrinsic("llvm.sqrt", &[ty], v), fast);
        e.ll.set_fast(e.ll.bin(Opcode::LLVMFDiv, e.real_const(ty, 1.0), root), fast)
    });
}

fn sincos(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    for (n, name) in ["llvm.sin", "llvm.cos"].into_iter().enumerate() {
        let operand = e.operand(op, 0);
        let one = |v: &V| e.ll.set_fast(e.ll.intrinsic(name, &[e.ll.type_of(*v)], &[*v]), fast);
        let parts: Vec<V> = operand.iter().map(one).collect();
        e.set_result(op, n, parts);
    }
}

fn power_check(c: &Check<'_>, op: OpId) -> Result<(), String> {
    host(c, op)?;
    let bits = c.ir.ty(c.ir.operand(op, 1)).scalar(c.cx()).bit_width(c.cx());
    if bits.is_some_and(|bits| bits <= 32) {
        Ok(())
    } else {
        Err("takes exponents of at most 32 bits".into())
    }
}

fn power(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    let i32 = e.ll.int(32);
    e.each(op, |e, v| {
        lanes(e, e.ll.type_of(v[0]), v, |v| {
            let exponent = e.cast_if(Opcode::LLVMSExt, v[1], i32);
            e.ll.set_fast(e.ll.intrinsic("llvm.powi", &[e.ll.type_of(v[0]), i32], &[v[0], exponent]), fast)
        })
    });
}

/// A function on scalars applied to each lane
fn lanes(e: &Emitter<'_>, result: T, v: &[V], f: impl Fn(&[V]) -> V) -> V {
    let Some(count) = e.ll.lanes(e.ll.type_of(v[0])) else { return f(v) };
    (0..count).fold(e.ll.poison(result), |row, n| {
        let each: Vec<V> = v.iter().map(|row| lane(e, *row, n.into())).collect();
        e.ll.insert_element(row, f(&each), e.ll.const_i64(n.into()))
    })
}

/// A function of the C library: `name` on f64, `namef` on f32 and what is smaller
fn library(e: &mut Emitter<'_>, op: OpId, name: &str) {
    let elem = e.elem_of(e.ir.operand(op, 0));
    let wide = if elem == Elem::Float(FloatKind::F64) { FloatKind::F64 } else { FloatKind::F32 };
    let name = if wide == FloatKind::F64 { name.to_owned() } else { format!("{name}f") };
    let (own, wide) = (e.elem_type(elem), e.elem_type(Elem::Float(wide)));
    let function = e.ll.declare(&name, wide, &[wide]);
    e.ll.known_attr(function.value, None, "nounwind", 0);
    e.ll.known_attr(function.value, None, "willreturn", 0);
    e.ll.known_attr(function.value, None, "memory", 0);
    e.each(op, |e, v| {
        lanes(e, e.ll.type_of(v[0]), v, |v| {
            let value = e.ll.call(function, &[e.cast_if(Opcode::LLVMFPExt, v[0], wide)]);
            e.cast_if(Opcode::LLVMFPTrunc, value, own)
        })
    });
}
