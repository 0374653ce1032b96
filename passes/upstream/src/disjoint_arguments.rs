//! Buffers among arguments that no other pointer reaches, and those that are only read: derived, and said where back ends look.
//!
//! ```mlir
//! %m = memref.alloc() : memref<16xf32>
//! gpu.launch_func @k::@k … args(%x : memref<16xf32>, %m : memref<16xf32>)
//! gpu.func @k(%a: memref<16xf32>, %b: memref<16xf32>) kernel { a is read, b written }
//! // becomes
//! gpu.func @k(%a: memref<16xf32> {llvm.noalias, llvm.readonly}, %b: memref<16xf32> {llvm.noalias}) kernel { … }
//! ```
//!
//! Two arguments of a kernel keep apart if both are only read, or if in *every* launch of the module they are parts of different
//! allocations, or one is an argument of the launching function that says `llvm.noalias`. A kernel without a launch here
//! keeps what it says. Of functions it is derived which buffers are only read while all that is written is `llvm.noalias`.
//!
//! What is not understood counts as written: an op this file does not list, a buffer that a loop carries, any call.
//! Nothing is assumed: without allocations and without `llvm.noalias` nothing is marked.

use crate::origin::{Origin, argument, is_buffer, origin, says, viewed};
use terrace_diag::Reported;
use terrace_dialect_affine as affine;
use terrace_dialect_builtin::marks::{NOALIAS, READONLY, with_unit};
use terrace_dialect_func::{Call, CallIndirect, Func};
use terrace_dialect_gpu::{self as gpu, LaunchFunc};
use terrace_dialect_memref as memref;
use terrace_dialect_vector as vector;
use terrace_ir::{Attr, Ir, OpDef, OpId, Traits, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashMap;

/// Arguments whose memory nothing else reaches, or that are only read, say so
///
/// Run behind `gpu-kernel-outlining`. Back ends print `restrict` and `const`; on GPUs what is only read may be cached.
#[pass("disjoint-arguments", scope = tree, stats("arguments marked"))]
pub struct DisjointArguments;

impl Pass for DisjointArguments {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut launches: HashMap<String, Vec<Vec<Origin>>> = HashMap::default();
        let mut pending: Vec<&Ir> = vec![&*unit];
        while let Some(ir) = pending.pop() {
            collect(ir, &mut launches);
            pending.extend(ir.walk().filter_map(|op| ir.child(op)));
        }
        let mut count = 0;
        let mut pending: Vec<(&mut Ir, String)> = vec![(unit, String::new())];
        while let Some((ir, around)) = pending.pop() {
            count += match (gpu::Func::cast(ir, ir.root()), Func::cast(ir, ir.root())) {
                (Some(kernel), _) if kernel.is_kernel(ir) => {
                    let name = format!("{around}::{}", kernel.sym_name(ir).unwrap_or(""));
                    let launches = launches.get(&name).map_or(&[][..], Vec::as_slice);
                    mark_kernel(ir, kernel, launches)
                }
                (None, Some(func)) => mark_function(ir, func),
                _ => 0,
            };
            let name = terrace_ir::symbols::symbol_name(ir, ir.root());
            let name = name.map_or("", |name| ir.cx().str(name)).to_string();
            pending.extend(ir.children_mut().map(|child| (child, name.clone())));
        }
        cx.count("arguments marked", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Launches of a unit, by the kernel's path
fn collect(ir: &Ir, launches: &mut HashMap<String, Vec<Vec<Origin>>>) {
    for launch in ir.walk().filter_map(|op| LaunchFunc::cast(ir, op)) {
        let cx = ir.cx();
        let Some((module, [kernel])) = launch.kernel(ir).as_symbol(cx) else { continue };
        let path = format!("{}::{}", cx.str(module), cx.str(*kernel));
        let args = launch.kernel_operands(ir).iter().map(|value| origin(ir, *value)).collect();
        launches.entry(path).or_default().push(args);
    }
}

/// Ops that use no memory behind their operands
const UNUSING: [&OpDef; 4] =
    [memref::Dim::DEF, memref::ExtractStridedMetadata::DEF, memref::Prefetch::DEF, memref::Rank::DEF];

/// Ops that only read the memory behind their first operand
const READERS: [&OpDef; 9] = [
    affine::Load::DEF,
    affine::VectorLoad::DEF,
    gpu::MmaLoad::DEF,
    memref::Copy::DEF,
    memref::Load::DEF,
    vector::Gather::DEF,
    vector::Load::DEF,
    vector::MaskedLoad::DEF,
    vector::TransferRead::DEF,
];

/// May an op write to the memory behind an operand?
fn writes(ir: &Ir, op: OpId, n: usize) -> bool {
    let only_reads = n == 0 && ir.is_any(op, &READERS);
    !only_reads && !ir.is_any(op, &UNUSING)
}

/// Is it a buffer of the module of a kernel?
fn is_of_device(ir: &Ir, value: Value) -> bool {
    ir.is(ir.root(), gpu::Func::DEF)
        && ir.defining_op(value).is_some_and(|op| ir.is(op, memref::GetGlobal::DEF))
}

/// Which arguments are written; `None` if something else may be that is not known to be memory of the function's own
fn written(ir: &Ir, inputs: usize) -> Option<Vec<bool>> {
    let mut all = vec![false; inputs];
    for op in ir.walk().filter(|op| *op != ir.root()) {
        if ir.is_any(op, &[Call::DEF, CallIndirect::DEF, LaunchFunc::DEF])
            || ir.kind(op) == terrace_ir::OpKind::UNREGISTERED
        {
            return None;
        }
        for (n, value) in ir.operands(op).enumerate() {
            if !is_buffer(ir, ir.ty(value))
                || (0..ir.num_results(op)).any(|r| viewed(ir, op, r as u32) == Some(value))
            {
                continue;
            }
            if !writes(ir, op, n) {
                continue;
            }
            match origin(ir, value) {
                Origin::Fresh(_) | Origin::None => {}
                Origin::Alone(value) | Origin::Argument(value) => {
                    // Behind the arguments stand a kernel's own buffers.
                    let n = argument(ir, value)?;
                    if let Some(written) = all.get_mut(n) {
                        *written = true;
                    }
                }
                // A kernel's own module defines it, which no argument can name.
                Origin::Unknown if is_of_device(ir, value) => {}
                Origin::Unknown => return None,
            }
        }
    }
    Some(all)
}

fn mark_kernel(ir: &mut Ir, kernel: gpu::Func, launches: &[Vec<Origin>]) -> u64 {
    let inputs = kernel.types(ir).0.to_vec();
    if launches.is_empty() || launches.iter().any(|args| args.len() != inputs.len()) {
        return 0;
    }
    let Some(written) = written(ir, inputs.len()) else { return 0 };
    let apart = |a: usize, b: usize| launches.iter().all(|args| args[a].apart(args[b]));
    let alone: Vec<bool> = (0..inputs.len())
        .map(|a| (0..inputs.len()).all(|b| a == b || !(written[a] || written[b]) || apart(a, b)))
        .collect();
    let attrs = kernel.arg_attrs(ir);
    let (attrs, count) = marked(ir, attrs, &inputs, &alone, &written);
    if count > 0 {
        kernel.set_arg_attrs(ir, attrs);
    }
    count
}

fn mark_function(ir: &mut Ir, func: Func) -> u64 {
    let inputs = func.types(ir).0.to_vec();
    if ir.entry(func.body(ir)).is_none() || ir.has(ir.root(), Traits::SymbolTable) {
        return 0;
    }
    let attrs = func.arg_attrs(ir);
    let Some(written) = written(ir, inputs.len()) else { return 0 };
    let said: Vec<bool> = (0..inputs.len()).map(|n| says(ir, attrs, n, NOALIAS)).collect();
    let alone: Vec<bool> = (0..inputs.len())
        .map(|a| said[a] || !written[a] && (0..inputs.len()).all(|b| !written[b] || said[b]))
        .collect();
    let (attrs, count) = marked(ir, attrs, &inputs, &alone, &written);
    if count > 0 {
        func.set_arg_attrs(ir, attrs);
    }
    count
}

/// Attributes of arguments with what was found; how many arguments they say more of
fn marked(
    ir: &Ir,
    attrs: Option<Attr>,
    inputs: &[Type],
    alone: &[bool],
    written: &[bool],
) -> (Option<Attr>, u64) {
    let cx = ir.cx();
    let mut count = 0;
    let mut all = attrs.and_then(|attrs| attrs.as_array(cx)).map_or(Vec::new(), <[Attr]>::to_vec);
    all.resize(inputs.len(), cx.common().empty_dict);
    for (n, ty) in inputs.iter().enumerate() {
        if !is_buffer(ir, *ty) || !alone[n] {
            continue;
        }
        let mut dict = with_unit(cx, all[n], NOALIAS);
        if !written[n] {
            dict = with_unit(cx, dict, READONLY);
        }
        count += u64::from(dict != all[n]);
        all[n] = dict;
    }
    (Some(cx.array_attr(&all)), count)
}
