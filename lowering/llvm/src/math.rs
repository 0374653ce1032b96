//! `math`: LLVM's intrinsics where there are any, else the C library's functions element by element.

use crate::arith::float_intrinsic;
use crate::check::{Check, any};
use crate::emit::{Emitter, Lowering};
use crate::form::{Elem, Form, Spaces};
use crate::raw::{Callee, IntPred, Linkage, Opcode, T, V};
use crate::vector::{is_float, lane};
use crate::vector_functions;
use terrace_dialect_arith::FastMathFlags;
use terrace_dialect_math as math;
use terrace_dialect_math::polynomial_approximation::Format;
use terrace_ir::{FloatKind, OpDef, OpId, Value};
use terrace_lowering_table::{Checked, rows};

pub(crate) static OPS: &[Lowering] = rows! { math:
    AbsF any, |e, op| float_intrinsic(e, op, "llvm.fabs");
    AbsI any, |e, op| flagged(e, op, "llvm.abs");
    Acos floats, |e, op| function(e, op, "acos");
    Acosh floats, |e, op| library(e, op, "acosh");
    Asin floats, |e, op| function(e, op, "asin");
    Asinh floats, |e, op| library(e, op, "asinh");
    Atan floats, |e, op| function(e, op, "atan");
    Atan2 floats, |e, op| function(e, op, "atan2");
    Atanh floats, |e, op| library(e, op, "atanh");
    Cbrt floats, |e, op| library(e, op, "cbrt");
    Ceil any, |e, op| float_intrinsic(e, op, "llvm.ceil");
    ClampF any, clamp;
    CopySign any, |e, op| float_intrinsic(e, op, "llvm.copysign");
    Cos floats, |e, op| function(e, op, "cos");
    Cosh floats, |e, op| function(e, op, "cosh");
    CountLeadingZeros any, |e, op| flagged(e, op, "llvm.ctlz");
    CountTrailingZeros any, |e, op| flagged(e, op, "llvm.cttz");
    CtPop any, |e, op| e.each(op, |e, v| e.ll.intrinsic("llvm.ctpop", &[e.ll.type_of(v[0])], v));
    Erf floats, |e, op| library(e, op, "erf");
    Erfc floats, |e, op| library(e, op, "erfc");
    Exp floats, |e, op| function(e, op, "exp");
    Exp2 floats, |e, op| function(e, op, "exp2");
    ExpM1 floats, |e, op| library(e, op, "expm1");
    FPowI power_check, power;
    Floor any, |e, op| float_intrinsic(e, op, "llvm.floor");
    Fma any, multiply_add;
    IPowI any, int_power;
    IsFinite any, |e, op| class(e, op, 0x1f8);
    IsInf any, |e, op| class(e, op, 0x204);
    IsNaN any, |e, op| class(e, op, 0x3);
    IsNormal any, |e, op| class(e, op, 0x108);
    Log floats, |e, op| function(e, op, "log");
    Log10 floats, |e, op| function(e, op, "log10");
    Log1p floats, |e, op| library(e, op, "log1p");
    Log2 floats, |e, op| function(e, op, "log2");
    PowF floats, |e, op| function(e, op, "pow");
    Round any, |e, op| float_intrinsic(e, op, "llvm.round");
    RoundEven any, |e, op| float_intrinsic(e, op, "llvm.roundeven");
    Rsqrt any, rsqrt;
    Sin floats, |e, op| function(e, op, "sin");
    Sinh floats, |e, op| function(e, op, "sinh");
    Sincos sincos_check, sincos;
    Sqrt any, |e, op| float_intrinsic(e, op, "llvm.sqrt");
    Tan floats, |e, op| function(e, op, "tan");
    Tanh floats, |e, op| function(e, op, "tanh");
    Trunc any, |e, op| float_intrinsic(e, op, "llvm.trunc");
};

/// Formats that the device's library has functions for, with room for smaller ones
fn floats(c: &Check<'_>, op: OpId) -> Checked {
    let elem = match c.form(c.ir.result(op, 0))? {
        Form::Scalar(elem) => elem,
        Form::Vector(vector) => vector.elem,
        _ => return Err("is for numbers".into()),
    };
    if is_float(elem) { Ok(()) } else { Err("is for floats".into()) }
}

/// An intrinsic on the floats, a function of libdevice on the device
fn function(e: &mut Emitter<'_>, op: OpId, name: &str) {
    if on_rows(e, op) {
        return;
    }
    match e.spaces() {
        Spaces::Host => float_intrinsic(e, op, &format!("llvm.{name}")),
        Spaces::Nvptx | Spaces::Spirv => library(e, op, name),
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

/// The format of rows that functions without calls take on the host; those of less than 32 bits are computed in f32
fn row_format(e: &Emitter<'_>, value: Value) -> Option<Format> {
    let format = match e.elem_of(value) {
        Elem::Float(FloatKind::F64) => Format::Double,
        Elem::Float(FloatKind::F32 | FloatKind::F16 | FloatKind::BF16) => Format::Single,
        _ => return None,
    };
    (e.spaces() == Spaces::Host && e.vector_of(value).lanes() > 1).then_some(format)
}

/// A function of rows without calls, where there is such a form
fn of_rows(e: &Emitter<'_>, def: &OpDef, args: &[Value]) -> Option<Vec<V>> {
    let format = row_format(e, args[0])?;
    let args: Vec<_> = args.iter().map(|value| e.get(*value)).collect();
    let part = |n: usize| {
        let each: Vec<V> = args.iter().map(|parts| parts[n]).collect();
        vector_functions::of_rows(e, def, format, &each)
    };
    (0..args[0].len()).map(part).collect()
}

/// The op on rows without calls; says whether there is such a form
fn on_rows(e: &mut Emitter<'_>, op: OpId) -> bool {
    let args: Vec<Value> = e.ir.operands(op).collect();
    let parts = of_rows(e, e.ir.def(op), &args);
    let found = parts.is_some();
    if let Some(parts) = parts {
        e.set_result(op, 0, parts);
    }
    found
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
    if on_rows(e, op) {
        return;
    }
    let fast = e.fast(op);
    e.each(op, |e, v| {
        crate::bf16::widened(e, v, |v| {
            let ty = e.ll.type_of(v[0]);
            let root = e.ll.set_fast(e.ll.intrinsic("llvm.sqrt", &[ty], v), fast);
            e.ll.set_fast(e.ll.bin(Opcode::LLVMFDiv, e.ll.real_const(ty, 1.0), root), fast)
        })
    });
}

fn sincos_check(c: &Check<'_>, op: OpId) -> Checked {
    match c.spaces {
        Spaces::Host => floats(c, op),
        Spaces::Nvptx | Spaces::Spirv => Err("is for the host; take `math.sin` and `math.cos`".into()),
    }
}

fn sincos(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    let both = [("llvm.sin", math::Sin::DEF), ("llvm.cos", math::Cos::DEF)];
    for (n, (name, def)) in both.into_iter().enumerate() {
        let operand = math::Sincos(op).operand(e.ir);
        if let Some(parts) = of_rows(e, def, &[operand]) {
            e.set_result(op, n, parts);
            continue;
        }
        let operand = e.get(operand);
        let one = |v: &V| e.ll.set_fast(e.ll.intrinsic(name, &[e.ll.type_of(*v)], &[*v]), fast);
        let parts: Vec<V> = operand.iter().map(one).collect();
        e.set_result(op, n, parts);
    }
}

fn power_check(c: &Check<'_>, op: OpId) -> Checked {
    floats(c, op)?;
    let bits = c.ir.ty(math::FPowI(op).rhs(c.ir)).scalar(c.cx()).bit_width(c.cx());
    if bits.is_some_and(|bits| bits <= 32) {
        Ok(())
    } else {
        Err("takes exponents of at most 32 bits".into())
    }
}

fn power(e: &mut Emitter<'_>, op: OpId) {
    let fast = e.fast(op);
    let i32 = e.ll.int(32);
    if e.spaces() != Spaces::Host {
        return device_power(e, op);
    }
    e.each(op, |e, v| {
        lanes(e, e.ll.type_of(v[0]), v, |v| {
            let exponent = e.ll.cast_if(Opcode::LLVMSExt, v[1], i32);
            e.ll.set_fast(e.ll.intrinsic("llvm.powi", &[e.ll.type_of(v[0]), i32], &[v[0], exponent]), fast)
        })
    });
}

fn int_power(e: &mut Emitter<'_>, op: OpId) {
    let bits = e.elem_of(e.ir.result(op, 0)).bits();
    let function = power_function(e, bits);
    e.each(op, |e, v| lanes(e, e.ll.type_of(v[0]), v, |v| e.ll.call(function, v)));
}

/// A function of two integers, made once for a width: squares multiplied by the exponent's bits
///
/// Where two roundings are allowed, the processor's way: without an instruction of its own, one rounding is a call
fn multiply_add(e: &mut Emitter<'_>, op: OpId) {
    let either = e.fast(op) & FastMathFlags::CONTRACT.bits() != 0;
    float_intrinsic(e, op, if either { "llvm.fmuladd" } else { "llvm.fma" });
}

/// One over a power is rounded toward zero: something is left for bases 1 and −1 only.
fn power_function(e: &Emitter<'_>, bits: u32) -> Callee {
    let (ll, name) = (e.ll, format!("__terrace_ipow_{bits}"));
    let (ty, here) = (ll.int(bits), ll.block());
    let made = ll.declare(&name, ty, &[ty, ty]);
    if ll.has_body(made.value) {
        return made;
    }
    ll.set_linkage(made.value, Linkage::LLVMInternalLinkage);
    e.program.attribute(made, None);
    let block = || ll.append_block(made.value, "");
    let (start, positive, negative, done) = (block(), block(), block(), block());
    let (base, exponent) = (ll.param(made.value, 0), ll.param(made.value, 1));
    let (zero, one) = (ll.zero(ty), ll.const_int(ty, 1));
    ll.at_end(start);
    ll.cond_br(ll.icmp(IntPred::LLVMIntSLT, exponent, zero), negative, positive);

    ll.at_end(positive);
    let (rest, square, product) = (ll.phi(ty), ll.phi(ty), ll.phi(ty));
    let odd = ll.icmp(IntPred::LLVMIntNE, ll.bin(Opcode::LLVMAnd, rest, one), zero);
    let next = ll.select(odd, ll.mul(product, square), product);
    let half = if bits == 1 { zero } else { ll.bin(Opcode::LLVMLShr, rest, one) };
    for (phi, first, again) in
        [(rest, exponent, half), (square, base, ll.mul(square, square)), (product, one, next)]
    {
        ll.add_incoming(phi, first, start);
        ll.add_incoming(phi, again, positive);
    }
    ll.cond_br(ll.icmp(IntPred::LLVMIntEQ, half, zero), done, positive);
    ll.at_end(done);
    ll.ret(Some(next));

    ll.at_end(negative);
    let minus = ll.all_ones(ty);
    let is_odd = ll.icmp(IntPred::LLVMIntNE, ll.bin(Opcode::LLVMAnd, exponent, one), zero);
    let of_minus = ll.select(is_odd, minus, one);
    let is = |what: V| ll.icmp(IntPred::LLVMIntEQ, base, what);
    let value = ll.select(is(minus), of_minus, zero);
    ll.ret(Some(ll.select(is(one), one, value)));
    ll.at_end(here);
    made
}

/// A function on scalars applied to each lane
fn lanes(e: &Emitter<'_>, result: T, v: &[V], f: impl Fn(&[V]) -> V) -> V {
    let Some(count) = e.ll.lanes(e.ll.type_of(v[0])) else { return f(v) };
    (0..count).fold(e.ll.poison(result), |row, n| {
        let each: Vec<V> = v.iter().map(|row| lane(e, *row, n.into())).collect();
        e.ll.insert_element(row, f(&each), e.ll.const_i64(n.into()))
    })
}

/// The device library's power of a float by an integer
fn device_power(e: &mut Emitter<'_>, op: OpId) {
    let elem = e.elem_of(e.ir.result(op, 0));
    let (name, wide) = match (elem, e.spaces()) {
        (Elem::Float(FloatKind::F64), Spaces::Spirv) => ("_Z4powndi", FloatKind::F64),
        (_, Spaces::Spirv) => ("_Z4pownfi", FloatKind::F32),
        (Elem::Float(FloatKind::F64), _) => ("__nv_powi", FloatKind::F64),
        _ => ("__nv_powif", FloatKind::F32),
    };
    let (own, wide, i32) = (e.elem_type(elem), e.elem_type(Elem::Float(wide)), e.ll.int(32));
    let function = pure_function(e, name, wide, &[wide, i32]);
    e.each(op, |e, v| {
        lanes(e, e.ll.type_of(v[0]), v, |v| {
            let args = [crate::bf16::extended(e, v[0], wide), e.ll.cast_if(Opcode::LLVMSExt, v[1], i32)];
            crate::bf16::narrowed(e, e.ll.call(function, &args), own)
        })
    });
}

/// A function of the C library, of libdevice or of OpenCL: on f64, or on f32 also for what is smaller
fn library(e: &mut Emitter<'_>, op: OpId, name: &str) {
    if on_rows(e, op) {
        return;
    }
    let elem = e.elem_of(e.ir.result(op, 0));
    let wide = if elem == Elem::Float(FloatKind::F64) { FloatKind::F64 } else { FloatKind::F32 };
    let count = e.ir.num_operands(op);
    let (suffix, letter) = if wide == FloatKind::F64 { ("", "d") } else { ("f", "f") };
    let name = match e.spaces() {
        Spaces::Host => format!("{name}{suffix}"),
        Spaces::Nvptx => format!("__nv_{name}{suffix}"),
        // LLVM takes functions of OpenCL by their names in C++.
        Spaces::Spirv => format!("_Z{}{name}{}", name.len(), letter.repeat(count)),
    };
    let (own, wide) = (e.elem_type(elem), e.elem_type(Elem::Float(wide)));
    let function = pure_function(e, &name, wide, &vec![wide; count]);
    e.each(op, |e, v| {
        lanes(e, e.ll.type_of(v[0]), v, |v| {
            let args: Vec<V> = v.iter().map(|v| crate::bf16::extended(e, *v, wide)).collect();
            crate::bf16::narrowed(e, e.ll.call(function, &args), own)
        })
    });
}

/// A function from outside that only computes
fn pure_function(e: &Emitter<'_>, name: &str, result: T, params: &[T]) -> Callee {
    let function = e.ll.declare(name, result, params);
    e.ll.known_attr(function.value, None, "nounwind", 0);
    e.ll.known_attr(function.value, None, "willreturn", 0);
    e.ll.known_attr(function.value, None, "memory", 0);
    function
}
