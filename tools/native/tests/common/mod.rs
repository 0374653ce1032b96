//! The interpreter's values through the worker and back. Each test program uses a part of it.
#![allow(dead_code)]

pub mod vectors;

use std::path::Path;
use terrace_diag::Diagnostic;
use terrace_interp::RtValue;
use terrace_ir::{Context, FloatKind, Type, TypeKind};
use terrace_native_client::protocol::elem_size;
use terrace_native_client::{Arg, EmitOptions, RunRequest, Worker};

/// The worker of this build
pub fn worker() -> Worker {
    Worker::start_at(Path::new(env!("CARGO_BIN_EXE_terrace-native")))
        .expect("the worker of this build starts")
}

/// Options with a level of LLVM's middle end
pub fn level(opt_level: u8) -> EmitOptions {
    EmitOptions { opt_level, ..EmitOptions::default() }
}

fn elem(cx: &Context, ty: Type) -> String {
    terrace_ir::show::type_text(cx, ty)
}

fn bits_of(value: &RtValue) -> Option<u64> {
    match value {
        RtValue::Int { bits, .. } => Some(*bits as u64),
        RtValue::Float { bits, .. } => Some(*bits),
        _ => None,
    }
}

/// A scalar or vector for the worker; `None` for what it cannot be given
pub fn to_arg(cx: &Context, value: &RtValue, ty: Type) -> Option<Arg> {
    let elem = elem(cx, ty.scalar(cx));
    let RtValue::Vector(all) = value else { return Some(Arg::Scalar { elem, bits: bits_of(value)? }) };
    let size = elem_size(&elem)?;
    let mut bytes = Vec::new();
    for one in &**all {
        bytes.extend_from_slice(&bits_of(one)?.to_le_bytes()[..size]);
    }
    let TypeKind::Vector { shape, .. } = ty.kind(cx) else { return None };
    Some(Arg::Buffer { shape: shape.iter().map(|size| *size as u64).collect(), elem, bytes })
}

fn scalar(cx: &Context, bits: u64, ty: Type) -> RtValue {
    match ty.kind(cx) {
        TypeKind::Float(kind) => RtValue::float(bits, *kind),
        _ => RtValue::int(i128::from(bits), ty.bit_width(cx).unwrap_or(64)),
    }
}

/// A scalar or vector from the worker
pub fn from_arg(cx: &Context, arg: &Arg, ty: Type) -> RtValue {
    let (elem, bytes) = match arg {
        Arg::Scalar { bits, .. } => return scalar(cx, *bits, ty),
        Arg::Buffer { elem, bytes, .. } => (elem, bytes),
    };
    let one = |raw: &[u8]| {
        let mut wide = [0; 8];
        wide[..raw.len()].copy_from_slice(raw);
        scalar(cx, u64::from_le_bytes(wide), ty.scalar(cx))
    };
    RtValue::Vector(bytes.chunks(elem_size(elem).unwrap_or(1)).map(one).collect())
}

/// Call a function on scalars
pub fn call(
    worker: &mut Worker,
    cx: &Context,
    text: &str,
    (name, inputs, results): (&str, &[Type], &[Type]),
    args: &[RtValue],
    opt_level: u8,
) -> Result<Vec<RtValue>, Vec<Diagnostic>> {
    let args = args.iter().zip(inputs).map(|(arg, ty)| to_arg(cx, arg, *ty).expect("arguments are scalars"));
    let request = RunRequest {
        entry: name.into(),
        args: args.collect(),
        options: level(opt_level),
        threads: Some(3),
        ..RunRequest::default()
    };
    let reply = worker.run(text, &request)?;
    Ok(reply.results.iter().zip(results).map(|(arg, ty)| from_arg(cx, arg, *ty)).collect())
}

/// Is the second value what the first may become? NaNs are all one
pub fn agrees(wanted: &RtValue, found: &RtValue) -> bool {
    let nan = |value: &RtValue| {
        matches!(value, RtValue::Float { kind: FloatKind::F32 | FloatKind::F64 | FloatKind::F16, .. })
            && value.as_f64().is_some_and(f64::is_nan)
    };
    if let (RtValue::Vector(wanted), RtValue::Vector(found)) = (wanted, found) {
        return wanted.len() == found.len() && wanted.iter().zip(&**found).all(|(a, b)| agrees(a, b));
    }
    matches!(wanted, RtValue::Poison) || wanted == found || nan(wanted) && nan(found)
}
