//! Programs by value: interpreted as functions of arrays, as scheduled loops, and as structured code.
//!
//! Inputs are small integers, also where they are floats: sums and products are exact, so that any order gives the same.

#![allow(dead_code)]

pub mod program;

use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_dialect_array::types::split_type;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::{Context, Dialect, FloatKind, Ir, Type, TypeKind};
use terrace_pass::{Instrument, Pipeline, Registry};
use terrace_text::ParseOptions;

pub const REGISTRY: Registry = Registry {
    passes: &[
        terrace_passes_general::PASSES,
        terrace_passes_array::PASSES,
        terrace_lowering_array::PASSES,
        terrace_lowering_sched::PASSES,
        terrace_lowering_upstream::PASSES,
    ],
    pipelines: &[],
};

/// To loops and copies, then to structured code
pub const FIRST: &str = "func.func(array-bind,array-to-sched)";
pub const DOWN: &str =
    "sched-legalize,sched-to-scf,canonicalize,lower-affine,cse,promote-buffers,canonicalize,cse,licm";

pub fn parse(text: &str) -> Box<Ir> {
    let dialects: Vec<&'static Dialect> =
        [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL].concat();
    let cx = Context::new(&dialects);
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
    assert!(!diags.has_errors(), "{}\n{text}", render_all(diags.iter(), cx.sources(), false));
    let ir = Box::new(parsed.expect("no errors"));
    verify(&ir, text);
    ir
}

pub fn print(ir: &Ir) -> String {
    let mut out = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions::default(), &mut out);
    out
}

pub fn verify(ir: &Ir, text: &str) {
    let diags = terrace_ir::verify::verify(ir, 1);
    assert!(
        !diags.has_errors(),
        "{}\n{text}\n{}",
        render_all(diags.iter(), ir.cx().sources(), false),
        print(ir)
    );
}

/// The error says why a pass refused
pub fn lower(ir: &mut Ir, pipeline: &str) -> Result<(), String> {
    let cx: Arc<Context> = ir.cx_arc().clone();
    let mut diags = Diags::default();
    let Ok(parsed) = Pipeline::parse(pipeline, &REGISTRY, cx.sources(), &mut diags) else {
        panic!("{}", render_all(diags.iter(), cx.sources(), false));
    };
    let (report, result) = terrace_pass::run(ir, &parsed, &Instrument::quiet(|_| String::new()));
    result.map_err(|_| render_all(report.diags.iter(), cx.sources(), false))
}

/// The n-th element of an input: −3 … 3; indices stay below 2
fn element(cx: &Context, ty: Type, n: usize, seed: usize) -> RtValue {
    let value = ((n * 5 + seed * 3 + n / 7 + n * n % 5) % 7) as i64 - 3;
    match ty.kind(cx) {
        TypeKind::Float(FloatKind::F64) => RtValue::f64(value as f64),
        TypeKind::Float(_) => RtValue::f32(value as f32),
        TypeKind::Index => RtValue::index(value.rem_euclid(2)),
        TypeKind::Int { width: 1, .. } => RtValue::bool(value > 0),
        _ => RtValue::int(value.into(), ty.bit_width(cx).unwrap_or(32)),
    }
}

fn size_of(cx: &Context, ty: Type) -> Option<(i64, Type)> {
    match ty.kind(cx) {
        TypeKind::Vector { shape, elem, .. } => Some((shape[0], *elem)),
        _ => split_type(cx, ty).map(|(size, elem)| (size.as_constant().expect("bound"), elem)),
    }
}

/// A value of a type
pub fn input(cx: &Context, ty: Type, n: &mut usize, seed: usize) -> RtValue {
    if let Some((size, elem)) = size_of(cx, ty) {
        return RtValue::Vector((0..size).map(|_| input(cx, elem, n, seed)).collect());
    }
    if let TypeKind::Tuple(types) = ty.kind(cx) {
        return RtValue::Vector(types.iter().map(|ty| input(cx, *ty, n, seed)).collect());
    }
    *n += 1;
    element(cx, ty, *n - 1, seed)
}

/// Numbers of a value by leaf of its type, each in order
fn leaves(cx: &Context, ty: Type, value: &RtValue, first: usize, out: &mut Vec<Vec<RtValue>>) -> usize {
    let all = match value {
        RtValue::Vector(all) => all.to_vec(),
        _ => Vec::new(),
    };
    if let Some((_, elem)) = size_of(cx, ty) {
        let mut count = leaf_count(cx, ty);
        for value in &all {
            count = leaves(cx, elem, value, first, out);
        }
        return count;
    }
    if let TypeKind::Tuple(types) = ty.kind(cx) {
        let mut used = 0;
        for (ty, value) in types.iter().zip(&all) {
            used += leaves(cx, *ty, value, first + used, out);
        }
        return used;
    }
    out[first].push(value.clone());
    1
}

fn leaf_count(cx: &Context, ty: Type) -> usize {
    match (size_of(cx, ty), ty.kind(cx)) {
        (Some((_, elem)), _) => leaf_count(cx, elem),
        (None, TypeKind::Tuple(types)) => types.iter().map(|ty| leaf_count(cx, *ty)).sum(),
        _ => 1,
    }
}

pub fn split(cx: &Context, ty: Type, value: &RtValue) -> Vec<Vec<RtValue>> {
    let mut out = vec![Vec::new(); leaf_count(cx, ty)];
    leaves(cx, ty, value, 0, &mut out);
    out
}

/// As a number, so that −0 is 0; `None` for poison
fn number(value: &RtValue) -> Option<f64> {
    match value {
        RtValue::Poison => None,
        other => other.as_f64().or_else(|| other.as_signed().map(|n| n as f64)),
    }
}

fn options() -> Options {
    Options { fuel: u64::MAX, ..Options::default() }
}

pub fn types(ir: &Ir, name: &str) -> (Vec<Type>, Vec<Type>) {
    let interpreter = Interpreter::new(ir, options());
    let unit = interpreter.function(name).expect("it is there");
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(ir.cx()));
    let (inputs, results) = ty.expect("a function").as_function(ir.cx()).expect("a function");
    (inputs.to_vec(), results.to_vec())
}

pub type Numbers = Vec<Vec<Option<f64>>>;

/// Results on the standard inputs, by leaf; the error is a trap
pub fn as_it_is(ir: &Ir, name: &str) -> Result<Numbers, String> {
    let cx = ir.cx();
    let (inputs, results) = types(ir, name);
    let mut interpreter = Interpreter::new(ir, options());
    let args = inputs.iter().enumerate().map(|(n, ty)| input(cx, *ty, &mut 0, n)).collect();
    let found = interpreter.call(name, args).map_err(|trap| trap.message)?;
    let mut all = Vec::new();
    for (ty, value) in results.iter().zip(&found) {
        all.extend(split(cx, *ty, value).iter().map(|leaf| leaf.iter().map(number).collect()));
    }
    Ok(all)
}

/// The same of the function on buffers, given its types on arrays; results that are numbers stand where they stood
pub fn on_buffers(ir: &Ir, name: &str, source: &(Vec<Type>, Vec<Type>)) -> Result<Numbers, String> {
    let cx = ir.cx();
    let mut interpreter = Interpreter::new(ir, options());
    let (params, _) = types(ir, name);
    let mut params = params.into_iter();
    let mut args = Vec::new();
    let fill = |interpreter: &mut Interpreter<'_>, ty: Type, values: &[RtValue]| -> RtValue {
        let shape = ty.shape(cx).expect("a buffer").to_vec();
        let memory = interpreter.memory();
        let view = memory.alloc(&shape).unwrap_or_else(|_| panic!("memory"));
        for (i, value) in values.iter().enumerate() {
            let (mut at, mut left) = (vec![0; shape.len()], i as i64);
            for (index, size) in at.iter_mut().zip(&shape).rev() {
                (*index, left) = (left % size, left / size);
            }
            assert!(memory.store(&view, &at, value.clone()).is_ok());
        }
        RtValue::MemRef(view)
    };
    for (n, ty) in source.0.iter().enumerate() {
        let value = input(cx, *ty, &mut 0, n);
        for leaf in split(cx, *ty, &value) {
            let param = params.next().ok_or("a parameter is missing")?;
            args.push(if param.shape(cx).is_some() {
                fill(&mut interpreter, param, &leaf)
            } else {
                leaf[0].clone()
            });
        }
    }
    let outs: Vec<Type> = params.collect();
    for ty in &outs {
        args.push(fill(&mut interpreter, *ty, &[]));
    }
    let first = args.len() - outs.len();
    let found = interpreter.call(name, args.clone());
    let found = found.map_err(|trap| format!("{}: {}", trap.code.id, trap.message))?;
    let (mut found, mut outs) = (found.iter(), args[first..].iter().zip(outs));
    let mut all = Vec::new();
    for ty in &source.1 {
        let scalar = leaf_count(cx, *ty) == 1 && size_of(cx, *ty).is_none();
        if scalar && !matches!(ty.kind(cx), TypeKind::Tuple(_)) {
            all.push(vec![number(found.next().ok_or("a result is missing")?)]);
            continue;
        }
        for _ in 0..leaf_count(cx, *ty) {
            let (arg, ty) = outs.next().ok_or("a destination is missing")?;
            let shape = ty.shape(cx).expect("a buffer").to_vec();
            let view = arg.as_memref().expect("made above").clone();
            let mut leaf = Vec::new();
            for i in 0..shape.iter().product::<i64>() {
                let (mut at, mut left) = (vec![0; shape.len()], i);
                for (index, size) in at.iter_mut().zip(&shape).rev() {
                    (*index, left) = (left % size, left / size);
                }
                let value = interpreter.memory().load(&view, &at);
                leaf.push(number(&value.unwrap_or(RtValue::Poison)));
            }
            all.push(leaf);
        }
    }
    Ok(all)
}

/// Same values after each step down; what was never written may be anything
pub fn agree(text: &str, name: &str) {
    let mut ir = parse(text);
    if let Err(why) = lower(&mut ir, "func.func(array-bind)") {
        panic!("{why}\n{text}");
    }
    let source = types(&ir, name);
    let wanted = as_it_is(&ir, name).unwrap_or_else(|why| panic!("as it is: {why}\n{text}"));
    for step in [FIRST, DOWN] {
        let before = print(&ir);
        if let Err(why) = lower(&mut ir, step) {
            panic!("{step}: {why}\n{before}");
        }
        verify(&ir, text);
        let found = on_buffers(&ir, name, &source);
        let found = found.unwrap_or_else(|why| panic!("{step}: {why}\n{text}\n{}", print(&ir)));
        for (n, (wanted, found)) in wanted.iter().zip(&found).enumerate() {
            assert_eq!(wanted.len(), found.len(), "result {n} has another size\n{text}");
            for (i, (a, b)) in wanted.iter().zip(found).enumerate() {
                let what = || format!("result {n}, element {i}: {b:?} instead of {a:?} after {step}");
                assert!(a.is_none() || a == b, "{}\n{text}\n{}", what(), print(&ir));
            }
        }
    }
}
