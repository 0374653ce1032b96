//! Programs by value: interpreted as functions of arrays, as scheduled loops, and as structured code.
//!
//! Inputs are small integers, also where they are floats: sums and products are exact, so that any order gives the same.

#![allow(dead_code)]

pub mod program;

use terrace_dialect_array::types::split_type;
use terrace_dialect_test::values::{as_number, difference, element, fill, interpreter, read};
use terrace_dialect_test::{Harness, Numbers};
use terrace_interp::RtValue;
use terrace_ir::{Context, Ir, Type, TypeKind};
use terrace_pass::Registry;

pub use terrace_dialect_test::values::{shown as print, types};

pub const HARNESS: Harness = Harness {
    dialects: &[terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL],
    registry: Registry {
        passes: &[
            terrace_passes_general::PASSES,
            terrace_passes_array::PASSES,
            terrace_lowering_array::PASSES,
            terrace_lowering_sched::PASSES,
            terrace_passes_sched::PASSES,
            terrace_lowering_upstream::PASSES,
        ],
        pipelines: &[],
    },
};

/// To loops and copies, then to structured code
pub const FIRST: &str = "func.func(array-bind,array-to-sched)";
pub const DOWN: &str =
    "sched-legalize,sched-to-scf,canonicalize,lower-affine,cse,promote-buffers,canonicalize,cse,licm";

pub fn parse(text: &str) -> Box<Ir> {
    HARNESS.parse(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

pub fn verify(ir: &Ir, text: &str) {
    terrace_dialect_test::values::verify(ir).unwrap_or_else(|why| panic!("{why}\n{text}\n{}", print(ir)));
}

/// The error says why a pass refused
pub fn lower(ir: &mut Ir, pipeline: &str) -> Result<(), String> {
    HARNESS.transform(ir, pipeline)
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

/// Results on the standard inputs, by leaf; the error is a trap
pub fn as_it_is(ir: &Ir, name: &str) -> Result<Numbers, String> {
    let cx = ir.cx();
    let (inputs, results) = types(ir, name);
    let mut machine = interpreter(ir);
    let args = inputs.iter().enumerate().map(|(n, ty)| input(cx, *ty, &mut 0, n)).collect();
    let found = machine.call(name, args).map_err(|trap| trap.message)?;
    let mut all = Vec::new();
    for (ty, value) in results.iter().zip(&found) {
        all.extend(split(cx, *ty, value).iter().map(|leaf| leaf.iter().map(as_number).collect()));
    }
    Ok(all)
}

/// The same of the function on buffers, given its types on arrays; results that are numbers stand where they stood
pub fn on_buffers(ir: &Ir, name: &str, source: &(Vec<Type>, Vec<Type>)) -> Result<Numbers, String> {
    let cx = ir.cx();
    let mut machine = interpreter(ir);
    let (params, _) = types(ir, name);
    let mut params = params.into_iter();
    let mut args = Vec::new();
    for (n, ty) in source.0.iter().enumerate() {
        let value = input(cx, *ty, &mut 0, n);
        for leaf in split(cx, *ty, &value) {
            let param = params.next().ok_or("a parameter is missing")?;
            args.push(match param.shape(cx) {
                Some(shape) => RtValue::MemRef(fill(&mut machine, shape, &leaf)),
                None => leaf[0].clone(),
            });
        }
    }
    let mut outs = Vec::new();
    for ty in params {
        let shape = ty.shape(cx).expect("a destination is a buffer");
        let view = fill(&mut machine, shape, &[]);
        args.push(RtValue::MemRef(view.clone()));
        outs.push((shape, view));
    }
    let found = machine.call(name, args);
    let found = found.map_err(|trap| format!("{}: {}", trap.code.id, trap.message))?;
    let (mut found, mut outs) = (found.iter(), outs.into_iter());
    let mut all = Vec::new();
    for ty in &source.1 {
        let scalar = leaf_count(cx, *ty) == 1 && size_of(cx, *ty).is_none();
        if scalar && !matches!(ty.kind(cx), TypeKind::Tuple(_)) {
            all.push(vec![as_number(found.next().ok_or("a result is missing")?)]);
            continue;
        }
        for _ in 0..leaf_count(cx, *ty) {
            let (shape, view) = outs.next().ok_or("a destination is missing")?;
            all.push(read(&mut machine, shape, &view));
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
        if let Some(what) = difference(&wanted, &found) {
            panic!("{what} after {step}\n{text}\n{}", print(&ir));
        }
    }
}
