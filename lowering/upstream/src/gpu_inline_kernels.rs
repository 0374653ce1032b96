//! Kernels of device modules back into the functions that launch them: the inverse of `gpu-kernel-outlining`.
//!
//! ```mlir
//! gpu.launch_func @m::@k blocks in (…) threads in (…) args(…)
//! // becomes
//! gpu.launch blocks(…) in (…) threads(…) in (…) { body of @k }
//! ```
//!
//! For checking kernels on the host (`gpu-launch-to-parallel`). A device module is deleted when no launch names it any more.

use crate::codes;
use terrace_diag::Reported;
use terrace_dialect_arith as arith;
use terrace_dialect_func as func;
use terrace_dialect_gpu::{self as gpu, Launch, LaunchFunc};
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{BlockId, Builder, Context, Ir, Loc, NewOp, OpId, Str, Traits, Value};
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
                Err(why) => {
                    let why = why.text(function.cx());
                    return cx.fail(&function, op, &codes::NOT_ON_HOST, why);
                }
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
        table.set_discardable(table.root(), gpu::CONTAINER_MODULE, None);
    }
    Ok(count)
}

/// The device module that a launch names
fn module_of(ir: &Ir, op: OpId) -> Option<Str> {
    let launch = LaunchFunc::cast(ir, op)?;
    launch.kernel(ir).as_symbol(ir.cx()).map(|(root, _)| root)
}

/// Why a launch stays
enum Refused {
    /// The symbol is none of a kernel
    NoKernel,
    NoModule(Str),
    NoCode,
    SeveralBlocks,
    Calls(Str),
}

impl Refused {
    fn text(&self, cx: &Context) -> String {
        match self {
            Refused::NoKernel => "names no kernel".into(),
            Refused::NoModule(name) => format!("names @{}, which is not here", cx.str(*name)),
            Refused::NoCode => "names a kernel whose code is not here".into(),
            Refused::SeveralBlocks => "names a kernel of several blocks".into(),
            Refused::Calls(callee) => {
                format!("names a kernel that calls @{}: run `inline` first", cx.str(*callee))
            }
        }
    }
}

/// A kernel that can take the place of its launch
struct Kernel<'a> {
    unit: &'a Ir,
    func: gpu::Func,
    body: BlockId,
    /// The slot of its device module
    module: OpId,
}

impl<'a> Kernel<'a> {
    /// The one that a launch names
    fn find(table: &'a Ir, function: &Ir, launch: LaunchFunc) -> Result<Kernel<'a>, Refused> {
        let cx = table.cx();
        let (root, nested) = launch.kernel(function).as_symbol(cx).ok_or(Refused::NoKernel)?;
        let module =
            table.walk().find(|op| table.child(*op).is_some() && symbol_name(table, *op) == Some(root));
        let module = module.ok_or(Refused::NoModule(root))?;
        let device = table.child(module).expect("found as a child");
        let name = nested.first().copied();
        let kernels = device.walk().filter(|op| symbol_name(device, *op) == name);
        let unit = kernels.filter_map(|op| device.child(op)).next();
        let unit = unit.filter(|unit| unit.is(unit.root(), gpu::Func::DEF)).ok_or(Refused::NoCode)?;
        let func = gpu::Func(unit.root());
        let body = unit.single_block(func.body(unit)).ok_or(Refused::SeveralBlocks)?;
        if let Some(call) = unit.walk().find_map(|op| func::Call::cast(unit, op)) {
            let callee = call.callee(unit).as_symbol(cx).map_or_else(|| cx.intern(""), |(root, _)| root);
            return Err(Refused::Calls(callee));
        }
        Ok(Kernel { unit, func, body, module })
    }

    /// Write the body into a launch, whose block has the ids and sizes as arguments
    fn body_into(&self, function: &mut Ir, entry: BlockId, args: &[Value], loc: Loc) {
        let Kernel { unit, func, body, .. } = *self;
        let mut map = ValueMap::default();
        for (param, arg) in unit.block_args(body).iter().zip(args) {
            map.insert(*param, *arg);
        }
        for old in func.workgroup_attributions(unit).iter().chain(func.private_attributions(unit)) {
            let new = function.add_block_arg(entry, unit.ty(*old));
            map.insert(*old, new);
        }
        for op in unit.block_ops(body).filter(|op| !unit.is(*op, gpu::Return::DEF)) {
            let copy = function.clone_op(Some(unit), op, &mut map);
            function.append(entry, copy);
        }
        let mut b = Builder::at_end(function, entry);
        b.set_loc(loc);
        gpu::Terminator::build(&mut b);
    }
}

/// A `gpu.launch` of the sizes of a `gpu.launch_func` before it, and its block with ids and sizes as arguments
fn empty_launch(ir: &mut Ir, launch: LaunchFunc) -> (OpId, BlockId) {
    let at = launch.id();
    // Sizes may be integers here.
    let sizes = |all: [Value; 3], ir: &mut Ir| all.map(|value| as_index(ir, at, value));
    let grid = [launch.grid_size_x(ir), launch.grid_size_y(ir), launch.grid_size_z(ir)];
    let grid = sizes(grid, ir);
    let block = [launch.block_size_x(ir), launch.block_size_y(ir), launch.block_size_z(ir)];
    let block = sizes(block, ir);
    let cluster = [launch.cluster_size_x(ir), launch.cluster_size_y(ir), launch.cluster_size_z(ir)];
    let cluster = match cluster {
        [Some(x), Some(y), Some(z)] => sizes([x, y, z], ir).to_vec(),
        _ => Vec::new(),
    };
    let tokens = launch.async_dependencies(ir);
    let dynamic = launch.dynamic_shared_memory_size(ir);
    let each = u32::from(!cluster.is_empty());
    let operands: Vec<Value> = (tokens.iter().copied())
        .chain(grid)
        .chain(block)
        .chain(cluster.iter().copied())
        .chain(dynamic)
        .collect();
    let segments =
        [&[tokens.len() as u32], &[1; 6][..], &[each; 3], &[u32::from(dynamic.is_some())]].concat();
    let results: Vec<_> = launch.async_token(ir).iter().map(|token| ir.ty(*token)).collect();
    let mut b = Builder::before(ir, at);
    let kind = b.kind(Launch::DEF);
    let new = b.insert(&NewOp {
        operands: &operands,
        segments: &segments,
        results: &results,
        regions: 1,
        ..NewOp::new(kind)
    });
    let region = ir.region(new, 0);
    let entry = ir.append_block(region);
    let index = ir.cx().common().index;
    for _ in 0..12 + 2 * cluster.len() {
        ir.add_block_arg(entry, index);
    }
    (new, entry)
}

/// Put the kernel's body in place of the launch; gives the slot of its module
fn inline(table: &Ir, function: &mut Ir, launch: LaunchFunc) -> Result<OpId, Refused> {
    let kernel = Kernel::find(table, function, launch)?;
    let at = launch.id();
    let args = launch.kernel_operands(function);
    let (new, entry) = empty_launch(function, launch);
    let shared = kernel.func.workgroup_attributions(kernel.unit).len();
    if shared > 0 {
        let count = function.cx().int_attr(shared as i128, function.cx().common().i64);
        function.set_discardable(new, "workgroup_attributions", Some(count));
    }
    let loc = function.loc(at);
    kernel.body_into(function, entry, &args, loc);
    if let Some(token) = launch.async_token(function) {
        let given = function.result(new, 0);
        function.copy_value_name(token, given);
        function.replace_all_uses(token, given);
    }
    function.erase(at);
    Ok(kernel.module)
}

fn as_index(ir: &mut Ir, before: OpId, value: Value) -> Value {
    let index = ir.cx().common().index;
    if ir.ty(value) == index {
        return value;
    }
    let mut b = Builder::before(ir, before);
    arith::IndexCast::build(&mut b, value, index).out(b.read())
}
