//! Kernels of device modules back into the functions that launch them: the inverse of `gpu-kernel-outlining`.
//!
//! ```mlir
//! gpu.launch_func @m::@k blocks in (…) threads in (…) args(…)
//! // becomes
//! gpu.launch blocks(…) in (…) threads(…) in (…) { body of @k }
//! ```
//!
//! For checking kernels on the host (`gpu-launch-to-parallel`). A device module that nobody launches from any more goes.

use crate::codes;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_gpu::{self as gpu, Launch, LaunchFunc};
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Builder, Ir, NewOp, OpId, Str, Traits, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};

/// Kernels that are launched by name become regions of `gpu.launch`
///
/// Kernels may have one block and call nothing. A device module goes when all its launches are gone.
#[pass("gpu-inline-kernels", scope = tree, stats("kernels inlined"))]
pub struct GpuInlineKernels;

impl Pass for GpuInlineKernels {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += inline_all(cx, table)?;
            }
            pending.extend(table.children_mut());
        }
        cx.count("kernels inlined", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Inline what the functions directly in a unit launch
fn inline_all(cx: &mut PassCx<'_>, table: &mut Ir) -> Result<u64, Reported> {
    let is_host =
        |child: &Ir| child.has(child.root(), Traits::FunctionLike) && !child.is(child.root(), gpu::Func::DEF);
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_host)).collect();
    let (mut count, mut modules) = (0, Vec::new());
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let found: Vec<OpId> = function.walk().filter(|op| function.is(*op, LaunchFunc::DEF)).collect();
        for op in found {
            match inline(table, &mut function, LaunchFunc(op)) {
                Ok(module) if modules.contains(&module) => {}
                Ok(module) => modules.push(module),
                Err(why) => return cx.fail(&function, op, &codes::NOT_ON_HOST, why),
            }
            count += 1;
        }
        table.put_child(slot, function);
    }
    for module in modules {
        let name = symbol_name(table, module);
        let launched = |function: &Ir| function.walk().any(|op| module_of(function, op) == name);
        if !table.walk().filter_map(|op| table.child(op)).any(launched) {
            table.erase(module);
        }
    }
    let devices = |op: OpId| table.child(op).is_some_and(|child| child.is(child.root(), gpu::Module::DEF));
    if count > 0 && !table.walk().any(devices) {
        table.set_discardable(table.root(), "gpu.container_module", None);
    }
    Ok(count)
}

/// The device module that a launch names
fn module_of(ir: &Ir, op: OpId) -> Option<Str> {
    let launch = LaunchFunc::cast(ir, op)?;
    launch.kernel(ir).as_symbol(ir.cx()).map(|(root, _)| root)
}

/// Put the kernel's body in place of the launch; gives the slot of its module
fn inline(table: &Ir, function: &mut Ir, launch: LaunchFunc) -> Result<OpId, String> {
    let cx = function.cx_arc().clone();
    let symbol = launch.kernel(function);
    let (root, nested) = symbol.as_symbol(&cx).ok_or("names no kernel")?;
    let module = table.walk().find(|op| table.child(*op).is_some() && symbol_name(table, *op) == Some(root));
    let module = module.ok_or_else(|| format!("names @{}, which is not here", cx.str(root)))?;
    let device = table.child(module).expect("found as a child");
    let name = nested.first().copied();
    let kernel = device.walk().filter(|op| symbol_name(device, *op) == name).find_map(|op| device.child(op));
    let kernel = kernel.filter(|kernel| kernel.is(kernel.root(), gpu::Func::DEF));
    let kernel = kernel.ok_or("names a kernel whose code is not here")?;
    let gpu_func = gpu::Func(kernel.root());
    let body = kernel.single_block(gpu_func.body(kernel)).ok_or("names a kernel of several blocks")?;
    if let Some(call) = kernel.walk().find_map(|op| func::Call::cast(kernel, op)) {
        let callee = call.callee(kernel).as_symbol(&cx).map_or("", |(root, _)| cx.str(root)).to_string();
        return Err(format!("names a kernel that calls @{callee}: run `inline` first"));
    }
    let (workgroup, private) =
        (gpu_func.workgroup_attributions(kernel).to_vec(), gpu_func.private_attributions(kernel).to_vec());

    // Sizes may be integers here.
    let at = launch.id();
    let sizes = |all: [Value; 3], function: &mut Ir| all.map(|value| as_index(function, at, value));
    let grid = sizes(
        [launch.grid_size_x(function), launch.grid_size_y(function), launch.grid_size_z(function)],
        function,
    );
    let block = sizes(
        [launch.block_size_x(function), launch.block_size_y(function), launch.block_size_z(function)],
        function,
    );
    let cluster = match (
        launch.cluster_size_x(function),
        launch.cluster_size_y(function),
        launch.cluster_size_z(function),
    ) {
        (Some(x), Some(y), Some(z)) => sizes([x, y, z], function).to_vec(),
        _ => Vec::new(),
    };
    let tokens = launch.async_dependencies(function);
    let dynamic = launch.dynamic_shared_memory_size(function);
    let args = launch.kernel_operands(function);
    let each = u32::from(!cluster.is_empty());
    let operands: Vec<Value> = (tokens.iter().copied())
        .chain(grid)
        .chain(block)
        .chain(cluster.iter().copied())
        .chain(dynamic)
        .collect();
    let segments =
        [&[tokens.len() as u32], &[1; 6][..], &[each; 3], &[u32::from(dynamic.is_some())]].concat();
    let token = launch.async_token(function);
    let results: Vec<_> = token.iter().map(|token| function.ty(*token)).collect();
    let mut b = Builder::before(function, at);
    let kind = b.kind(Launch::DEF);
    let new = b.insert(&NewOp {
        operands: &operands,
        segments: &segments,
        results: &results,
        regions: 1,
        ..NewOp::new(kind)
    });
    let count = cx.int_attr(workgroup.len() as i128, cx.common().i64);
    if !workgroup.is_empty() {
        function.set_discardable(new, "workgroup_attributions", Some(count));
    }
    let region = function.region(new, 0);
    let entry = function.append_block(region);
    for _ in 0..12 + 2 * cluster.len() {
        function.add_block_arg(entry, cx.common().index);
    }
    let mut map = ValueMap::default();
    let params = kernel.block_args(body);
    for (param, arg) in params.iter().zip(&args) {
        map.insert(*param, *arg);
    }
    for old in workgroup.into_iter().chain(private) {
        let new = function.add_block_arg(entry, kernel.ty(old));
        map.insert(old, new);
    }
    for op in kernel.block_ops(body) {
        if kernel.is(op, gpu::Return::DEF) {
            continue;
        }
        let copy = function.clone_op(Some(kernel), op, &mut map);
        function.append(entry, copy);
    }
    let loc = function.loc(at);
    let mut b = Builder::at_end(function, entry);
    b.set_loc(loc);
    gpu::Terminator::build(&mut b);
    if let Some(token) = token {
        let given = function.result(new, 0);
        function.copy_value_name(token, given);
        function.replace_all_uses(token, given);
    }
    function.erase(at);
    Ok(module)
}

fn as_index(ir: &mut Ir, before: OpId, value: Value) -> Value {
    let index = ir.cx().common().index;
    if ir.ty(value) == index {
        return value;
    }
    let mut b = Builder::before(ir, before);
    arith::IndexCast::build(&mut b, value, index).out(b.read())
}
