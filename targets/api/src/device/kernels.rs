//! An NVIDIA GPU: kernels as PTX from the worker that holds LLVM, loaded by the driver.

use super::cuda::Cuda;
use std::collections::BTreeMap;
use terrace_diag::Diagnostic;
use terrace_dialect_upstream::gpu;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{DYNAMIC, Ir, TypeKind};
use terrace_lowering_c::{Param, Part, Scalar, Signature};
use terrace_native_client::{EmitKind, EmitOptions, Worker};
use terrace_opt::codes;
use terrace_runtime_cuda as cuda;

impl Cuda {
    /// Open the first device or all, have PTX made for each and load that
    pub(crate) fn start_ptx(ir: &Ir, several: bool) -> Result<Vec<Cuda>, Diagnostic> {
        super::cuda::open(several)?.into_iter().map(|device| Cuda::on_ptx(device, ir)).collect()
    }

    fn on_ptx(device: cuda::Device, ir: &Ir) -> Result<Cuda, Diagnostic> {
        let failed = |error: cuda::CudaError| Diagnostic::error(&codes::BACKEND, error.to_string());
        let (major, minor) = device.info().capability;
        let module = terrace_opt::worker_text(ir);
        let chip = format!("sm_{major}{minor}");
        let options = EmitOptions { cpu: Some(chip), ..EmitOptions::default() };
        let code = Worker::start()?.emit(&module, EmitKind::Ptx, &options);
        let code = code.map_err(|errors| {
            let none = || Diagnostic::error(&codes::BACKEND, "the worker made no PTX");
            errors.into_iter().next().unwrap_or_else(none)
        })?;
        let ptx = cuda::Ptx { text: String::from_utf8_lossy(&code).into_owned() };
        let module = device.load(&ptx).map_err(failed)?;
        Ok(Cuda { device, module })
    }
}

fn children(ir: &Ir) -> impl Iterator<Item = &Ir> {
    let ops = ir.regions(ir.root()).flat_map(|region| ir.blocks(region));
    ops.flat_map(|block| ir.block_ops(block)).filter_map(|op| ir.child(op))
}

/// What each kernel of a module takes: pointers, and what types leave open
pub(crate) fn signatures(ir: &Ir) -> Vec<Signature> {
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
    let strided = terrace_dialect_upstream::memref::layout::strided(cx, ty);
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
