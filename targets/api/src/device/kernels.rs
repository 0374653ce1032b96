//! What the kernels of a module take, as code from LLVM has them.

use std::collections::BTreeMap;
use terrace_dialect_gpu as gpu;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{DYNAMIC, Ir, TypeKind};
use terrace_lowering_c::{Param, Part, Scalar, Signature};

fn children(ir: &Ir) -> impl Iterator<Item = &Ir> {
    let ops = ir.regions(ir.root()).flat_map(|region| ir.blocks(region));
    ops.flat_map(|block| ir.block_ops(block)).filter_map(|op| ir.child(op))
}

/// What each kernel of a module takes: pointers, and what types leave open
pub fn signatures(ir: &Ir) -> Vec<Signature> {
    let cx = ir.cx();
    let mut found = Vec::new();
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for device in children(ir).filter(|unit| gpu::Module::cast(unit, unit.root()).is_some()) {
        let module = symbol_name(device, device.root()).map_or("", |name| cx.str(name));
        for unit in children(device) {
            let Some(func) = gpu::Func::cast(unit, unit.root()).filter(|func| func.is_kernel(unit)) else {
                continue;
            };
            let name = func.sym_name(unit).unwrap_or("").to_string();
            *count.entry(name.clone()).or_default() += 1;
            let inputs = func.types(unit).0;
            let params = inputs.iter().enumerate().flat_map(|(arg, ty)| parts(unit, arg, *ty)).collect();
            found.push((module.to_string(), name, params));
        }
    }
    let signature = |(module, name, params): (String, String, Vec<Param>)| Signature {
        symbol: format!("{module}::{name}"),
        // The back end tells kernels of one name apart by their modules.
        name: {
            let name = if count[&name] == 1 { name } else { format!("{module}_{name}") };
            terrace_lowering_c::defined_name(&name, "").into_owned()
        },
        kernel: true,
        public: true,
        params,
        results: Vec::new(),
    };
    found.into_iter().map(signature).collect()
}

fn parts(unit: &Ir, arg: usize, ty: terrace_ir::Type) -> Vec<Param> {
    let cx = unit.cx();
    let word = |part: Part| Param { arg, part, ty: Scalar::Int(64), name: String::new() };
    let TypeKind::MemRef { shape, elem, layout, .. } = ty.kind(cx) else {
        let ty = Scalar::of(cx, ty).unwrap_or(Scalar::Int(64));
        return vec![Param { arg, part: Part::Value, ty, name: String::new() }];
    };
    let ty_of = Scalar::of(cx, *elem).unwrap_or(Scalar::Int(8));
    let mut all = vec![Param { arg, part: Part::Pointer, ty: ty_of, name: String::new() }];
    let strided = terrace_dialect_memref::layout::strided(cx, ty);
    if strided.as_ref().is_some_and(|strided| strided.offset == DYNAMIC) {
        all.push(word(Part::Offset));
    }
    let open = |list: &[i64], part: fn(usize) -> Part| {
        let open = list.iter().enumerate().filter(|(_, n)| **n == DYNAMIC);
        open.map(|(n, _)| word(part(n))).collect::<Vec<_>>()
    };
    all.extend(open(shape, Part::Size));
    // Strides of rows after rows follow from the sizes.
    if layout.is_some() {
        all.extend(open(&strided.map(|strided| strided.strides).unwrap_or_default(), Part::Stride));
    }
    all
}
