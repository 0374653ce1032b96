//! `gpu.launch` regions as kernels of device modules, as upstream's pass of the same name.
//!
//! ```mlir
//! gpu.launch blocks(…) in (…) threads(…) in (…) { body }
//! // becomes
//! gpu.launch_func @f_kernel::@f_kernel blocks in (…) threads in (…) args(captures…)
//! gpu.module @f_kernel {
//!   gpu.func @f_kernel(captures…) kernel { ids and sizes; body; gpu.return }
//! }
//! ```
//!
//! Values from outside become arguments in the order in which the body uses them, constants too: what is cheap to make
//! again is for a pass before this one to sink. Functions that the body calls, and whatever these name, are copied into
//! the device module. Sizes that are constants are promised to the kernel. Launches inside of launches stay.

use terrace_diag::Reported;
use terrace_dialect_gpu::{self as gpu, Launch, LaunchFunc};
use terrace_ir::fold::constant_of;
use terrace_ir::ir::{ValueMap, WalkStep, Walker};
use terrace_ir::references::references;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{
    Attr, AttrKind, Builder, Context, Ir, Name, NewOp, OpDef, OpId, OpKind, Str, Traits, Type, Value,
};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Regions of `gpu.launch` become kernels of device modules
///
/// The module around gets `gpu.container_module`. `module(@m)` and `function(@f)` of a launch name the kernel, otherwise
/// it is called after the function that it is launched from.
#[pass("gpu-kernel-outlining", scope = tree, stats("kernels outlined"))]
pub struct GpuKernelOutlining;

impl Pass for GpuKernelOutlining {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        // Units with functions in them, with a list: they nest.
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            if table.has(table.root(), Traits::SymbolTable) {
                count += outline_all(table);
            }
            pending.extend(table.children_mut());
        }
        cx.count("kernels outlined", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Outline the launches of each function directly in a unit
fn outline_all(table: &mut Ir) -> u64 {
    let is_host =
        |child: &Ir| child.has(child.root(), Traits::FunctionLike) && !child.is(child.root(), gpu::Func::DEF);
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some_and(is_host)).collect();
    let mut count = 0;
    for slot in slots {
        let Some(mut function) = table.take_child(slot) else { continue };
        let mut after = slot;
        for launch in candidates(&function) {
            after = outline(table, &mut function, launch, after);
            count += 1;
        }
        table.put_child(slot, function);
    }
    if count > 0 {
        let unit = table.cx().common().unit;
        table.set_discardable(table.root(), gpu::CONTAINER_MODULE, Some(unit));
    }
    count
}

/// Outermost launches
fn candidates(ir: &Ir) -> Vec<Launch> {
    let mut found = Vec::new();
    let mut skip: Option<OpId> = None;
    for step in Walker::new(ir, ir.root()) {
        match step {
            WalkStep::Enter(op) if skip.is_none() => {
                if let Some(launch) = Launch::cast(ir, op) {
                    skip = Some(op);
                    found.push(launch);
                }
            }
            WalkStep::Leave(op) if skip == Some(op) => skip = None,
            _ => {}
        }
    }
    found
}

/// Symbols of a table by name
fn names(table: &Ir) -> HashSet<Str> {
    table.walk().filter_map(|op| symbol_name(table, op)).collect()
}

fn fresh(cx: &Context, taken: &HashSet<Str>, wanted: &str) -> String {
    let free = |name: &str| !taken.contains(&cx.intern(name));
    if free(wanted) {
        return wanted.to_string();
    }
    let mut number = 0;
    loop {
        let name = format!("{wanted}_{number}");
        if free(&name) {
            return name;
        }
        number += 1;
    }
}

/// Make the kernel, in a device module behind `after` or in the one that the launch names, and launch it; gives the last
/// op that was put into the table
fn outline(table: &mut Ir, function: &mut Ir, launch: Launch, after: OpId) -> OpId {
    let cx = function.cx_arc().clone();
    let root = |attr: Option<Attr>| Some(cx.str(attr?.as_symbol(&cx)?.0).to_string());
    let host = symbol_name(function, function.root()).map_or("", |name| cx.str(name));
    let wanted = root(launch.function(function)).unwrap_or_else(|| format!("{host}_kernel"));
    let module = root(launch.module(function));
    let captures = used_from_above(function, launch);
    let loc = function.loc(launch.id());

    let existing = module.as_ref().and_then(|name| {
        let name = cx.intern(name);
        let mut slots = table.walk();
        slots.find(|op| {
            symbol_name(table, *op) == Some(name)
                && table.child(*op).is_some_and(|child| child.is(child.root(), gpu::Module::DEF))
        })
    });
    let slot = existing.unwrap_or_else(|| {
        let name = fresh(&cx, &names(table), module.as_deref().unwrap_or(&wanted));
        let mut device = unit(function, gpu::Module::DEF, loc);
        let region = device.region(device.root(), 0);
        device.append_block(region);
        device.set_attr(device.root(), "sym_name", Some(cx.str_attr(&name)));
        let slot = table.adopt(Box::new(device));
        table.insert_after(after, slot);
        slot
    });
    let after = if existing.is_some() { after } else { slot };
    let mut device = table.take_child(slot).expect("the slot has its unit");
    let name = fresh(&cx, &names(&device), &wanted);
    let kernel = kernel(function, launch, &captures, &name);
    let block = device.entry(device.region(device.root(), 0)).expect("a device module has a block");
    let kernel = device.adopt(Box::new(kernel));
    device.append(block, kernel);
    copy_callees(table, function, &mut device);
    let path = symbol_name(&device, device.root()).map_or("", |name| cx.str(name));
    let nested = [cx.intern(&name)];
    let symbol = cx.attr(AttrKind::Symbol { root: cx.intern(path), nested: nested.into() });
    table.put_child(slot, device);
    replace(function, launch, symbol, &captures);
    after
}

/// A unit of a kind next to this one
fn unit(from: &Ir, def: &'static OpDef, loc: terrace_ir::Loc) -> Ir {
    let kind = from.cx().kind_of(def).unwrap_or(OpKind::UNREGISTERED);
    let mut ir = Ir::new_unit(from.cx_arc(), kind, 1, loc);
    ir.set_source(from.source());
    ir
}

/// Values that the body uses and does not define, in order of use
fn used_from_above(ir: &Ir, launch: Launch) -> Vec<Value> {
    let mut inside: HashSet<Value> = HashSet::default();
    for op in std::iter::once(launch.id()).chain(ir.walk_below(launch.id())) {
        if op != launch.id() {
            inside.extend(ir.results(op));
        }
        let blocks = ir.regions(op).flat_map(|region| ir.blocks(region));
        blocks.for_each(|block| inside.extend(ir.block_args(block)));
    }
    let mut found = Vec::new();
    for op in ir.walk_below(launch.id()) {
        // What has been found need not be found again.
        found.extend(ir.operands(op).filter(|value| inside.insert(*value)));
    }
    found
}

/// Sizes that are all constants, as 32-bit numbers
fn known(ir: &Ir, sizes: [Value; 3]) -> Option<Attr> {
    let cx = ir.cx();
    let number = |value| i32::try_from(constant_of(ir, value)?.as_i64(cx)?).ok();
    let all = sizes.into_iter().map(|size| number(size).map(i64::from)).collect::<Option<Vec<i64>>>()?;
    Some(cx.attr(AttrKind::DenseArray { elem: cx.common().i32, values: all.into() }))
}

/// The device function
fn kernel(from: &Ir, launch: Launch, captures: &[Value], name: &str) -> Ir {
    let cx = from.cx();
    let loc = from.loc(launch.id());
    let mut ir = unit(from, gpu::Func::DEF, loc);
    let root = ir.root();
    let types: Vec<Type> = captures.iter().map(|value| from.ty(*value)).collect();
    let (workgroup, private) = (launch.workgroup_attributions(from), launch.private_attributions(from));
    let count = cx.int_attr(workgroup.len() as i128, cx.common().i64);
    for (name, attr) in [
        ("sym_name", Some(cx.str_attr(name))),
        ("function_type", Some(cx.type_attr(cx.function(&types, &[])))),
        (gpu::KERNEL, Some(cx.common().unit)),
        ("workgroup_attributions", Some(count)),
        ("known_block_size", known(from, launch.block(from))),
        ("known_grid_size", known(from, launch.grid(from))),
    ] {
        if attr.is_some() {
            ir.set_attr(root, name, attr);
        }
    }
    let region = ir.region(root, 0);
    let entry = ir.append_block(region);
    let mut map = ValueMap::default();
    for value in captures {
        let arg = ir.add_block_arg(entry, from.ty(*value));
        name_like(from, *value, &mut ir, arg);
        map.insert(*value, arg);
    }
    let attributions: Vec<Value> =
        workgroup.iter().chain(private).map(|value| ir.add_block_arg(entry, from.ty(*value))).collect();
    let mut b = Builder::at_end(&mut ir, entry);
    b.set_loc(loc);
    let ids = ids(&mut b, launch.cluster(from).is_some());

    // The launch is copied as a whole, which knows of forward uses, and then unpacked. Its sizes stand for nothing.
    for operand in from.operands(launch.id()) {
        if map.get(operand).is_none() {
            map.insert(operand, ids[0]);
        }
    }
    let copy = ir.clone_op(Some(from), launch.id(), &mut map);
    ir.append(entry, copy);
    let inner = ir.region(copy, 0);
    let first = ir.entry(inner).expect("verified: the body has a block");
    for (old, new) in ir.block_args(first).to_vec().into_iter().zip(ids.into_iter().chain(attributions)) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.move_blocks(inner, region);
    ir.erase(copy);
    if let Some(op) = ir.first_op(first) {
        ir.move_tail(op, entry);
    }
    ir.detach_block(first);
    let ends: Vec<OpId> = ir.blocks(region).filter_map(|block| ir.last_op(block)).collect();
    for end in ends.into_iter().filter(|end| ir.is(*end, gpu::Terminator::DEF)).collect::<Vec<_>>() {
        let mut b = Builder::before(&mut ir, end);
        gpu::Return::build(&mut b, &[]);
        ir.erase(end);
    }
    ir
}

fn name_like(from: &Ir, old: Value, ir: &mut Ir, new: Value) {
    if let Some(name) = from.value_name(old) {
        let name = Name::Str(ir.cx().intern(name));
        ir.set_value_name(new, name);
    }
}

/// Ops that give what the arguments of a launch's body are
fn ids(b: &mut Builder<'_>, clusters: bool) -> Vec<Value> {
    let defs: &[&'static OpDef] =
        &[gpu::BlockId::DEF, gpu::ThreadId::DEF, gpu::GridDim::DEF, gpu::BlockDim::DEF];
    let more: &[&'static OpDef] = if clusters { &[gpu::ClusterId::DEF, gpu::ClusterDim::DEF] } else { &[] };
    let index = b.cx().common().index;
    let mut all = Vec::new();
    for def in defs.iter().chain(more) {
        for dim in gpu::Dimension::ALL {
            let (kind, dim) = (b.kind(def), dim.attr(b.cx()));
            let op = b.insert(&NewOp { slots: &[Some(dim)], results: &[index], ..NewOp::new(kind) });
            all.push(b.read().result(op, 0));
        }
    }
    all
}

/// The launch of the kernel in place of the region
fn replace(ir: &mut Ir, launch: Launch, kernel: Attr, captures: &[Value]) {
    let parts = launch.parts(ir, kernel, captures);
    let mut b = Builder::before(ir, launch.id());
    let new = LaunchFunc::of(&mut b, &parts);
    if let (Some(old), Some(new)) = (launch.async_token(ir), new.async_token(ir)) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(launch.id());
}

/// Copy into the device module what its functions name and it does not have
fn copy_callees(table: &Ir, function: &Ir, device: &mut Ir) {
    let host = symbol_name(function, function.root());
    let mut taken = names(device);
    let mut pending: Vec<Str> = Vec::new();
    // What the kernels of the module name; those that were there have been looked at before, again does no harm.
    for child in device.walk().filter_map(|op| device.child(op)) {
        named(child, &mut pending);
    }
    pending.reverse();
    while let Some(name) = pending.pop() {
        if taken.contains(&name) {
            continue;
        }
        let block = device.entry(device.region(device.root(), 0)).expect("a device module has a block");
        // The function that is worked on is out of the table.
        let (found, unit) = if Some(name) == host {
            (None, Some(function))
        } else {
            let found = table.walk().find(|op| symbol_name(table, *op) == Some(name));
            (found, found.and_then(|op| table.child(op)))
        };
        let copy = match (found, unit) {
            (_, Some(unit)) => {
                named(unit, &mut pending);
                device.adopt(unit.clone_unit())
            }
            (Some(op), None) => device.clone_op(Some(table), op, &mut ValueMap::default()),
            (None, None) => continue,
        };
        taken.insert(name);
        device.append(block, copy);
    }
}

/// Names that the ops of a unit refer to
fn named(ir: &Ir, names: &mut Vec<Str>) {
    for op in ir.walk() {
        references(ir, op, |reference| names.push(reference.root));
    }
}
