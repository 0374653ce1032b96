//! Outermost `scf.parallel` loops as calls of functions that run any piece of them.
//!
//! ```mlir
//! scf.parallel (%i, %j) = (%a, %b) to (%c, %d) step (%s, %t) { body }
//! // becomes
//! func.call @f_parallel_0(%c0, %n, captures…) {terrace.parallel} : …
//! func.func private @f_parallel_0(%begin: index, %end: index, captures…) {
//!   scf.for %flat = %begin to %end step %c1 { coordinates of %flat; body }
//!   return
//! }
//! ```
//!
//! The iterations are numbered row by row, `%n` is how many there are. `terrace.parallel` on the call says that `[begin, end)`
//! may be cut into any pieces, and these run in any order or at once; read in sequence the call is right without a change.
//!
//! - Constants are made again inside, other values from outside become arguments.
//! - What is reduced goes through a buffer with one element per iteration, which the caller merges in the order of the
//!   iterations: the result does not depend on how many workers there are.
//! - Parallel loops inside become `scf.for`; buffers on the stack are each iteration's own already.
//! - Left alone, for `convert-scf-to-cf` to run in order: loops in other ops than `func.func` (device code has its own
//!   levels), and those that reduce values which no buffer
//!   holds, or combine them differently in each iteration.

use crate::parallel_to_for::parallel_to_for;
use crate::scf_forall_to_parallel::convert_all;
use terrace_diag::Reported;
use terrace_dialect_arith::{AddI, Constant, DivUI, MaxSI, MulI, RemUI, SubI};
use terrace_dialect_builtin::marks::{GRAIN, PARALLEL, TARGET};
use terrace_dialect_func::{Call, Func, Return};
use terrace_dialect_memref::{Alloc, Dealloc, Load, Store};
use terrace_dialect_scf::{For, Parallel, Reduce, ReduceReturn, Yield};
use terrace_ir::fold::constant_of;
use terrace_ir::ir::{ValueMap, WalkStep, Walker};
use terrace_ir::symbols::symbol_name;
use terrace_ir::{
    Attr, BlockId, Builder, Context, DYNAMIC, Ir, Name, NewOp, OpId, OpKind, Traits, Type, TypeKind, Value,
};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::HashSet;

/// Outermost parallel loops become calls of functions over pieces of them
///
/// Outlines each scf.parallel of a function that is in no other one. The call carries the unit attribute `terrace.parallel`:
/// the range of its first two arguments may be cut and run at once. Reductions are merged in the order of the iterations.
/// Parallel loops inside become scf.for.
#[pass("scf-parallel-to-calls", scope = tree, stats("loops outlined"))]
pub struct ScfParallelToCalls;

impl Pass for ScfParallelToCalls {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut count = 0;
        // Units with functions in them, with a list: they nest.
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            count += outline_all(table);
            pending.extend(table.children_mut());
        }
        cx.count("loops outlined", count);
        cx.set_changed(count > 0);
        Ok(())
    }
}

/// Outline the loops of each function directly in a unit
fn outline_all(table: &mut Ir) -> u64 {
    let slots: Vec<OpId> = table
        .walk()
        .filter(|op| table.child(*op).is_some_and(|child| child.is(child.root(), Func::DEF)))
        .collect();
    let mut names: HashSet<String> = table
        .walk()
        .filter_map(|op| symbol_name(table, op))
        .map(|name| table.cx().str(name).to_string())
        .collect();
    let mut count = 0;
    for slot in slots {
        let Some(function) = table.child_mut(slot) else { continue };
        convert_all(function);
        let made = outline_function(function, &mut names);
        count += made.len() as u64;
        let mut after = slot;
        for unit in made {
            let new = table.adopt(Box::new(unit));
            table.insert_after(after, new);
            after = new;
        }
    }
    count
}

/// Outermost parallel loops whose reductions, if any, fit into buffers
fn candidates(ir: &Ir) -> Vec<OpId> {
    let mut found = Vec::new();
    let mut skip: Option<OpId> = None;
    for step in Walker::new(ir, ir.root()) {
        match step {
            WalkStep::Enter(op) if skip.is_none() && Parallel::cast(ir, op).is_some() => {
                skip = Some(op);
                if Parallel(op).inits(ir).iter().all(|init| fits_buffer(ir.cx(), ir.ty(*init)))
                    && combines_anywhere(ir, Parallel(op))
                {
                    found.push(op);
                }
            }
            WalkStep::Leave(op) if skip == Some(op) => skip = None,
            _ => {}
        }
    }
    found
}

fn fits_buffer(cx: &Context, ty: Type) -> bool {
    let scalar =
        |ty: Type| matches!(ty.kind(cx), TypeKind::Int { .. } | TypeKind::Float(_) | TypeKind::Index);
    scalar(ty) || matches!(ty.kind(cx), TypeKind::Vector { elem, .. } if scalar(*elem))
}

/// Does how values are combined depend on nothing of the iteration?
fn combines_anywhere(ir: &Ir, op: Parallel) -> bool {
    let body = ir.entry(op.region(ir)).expect("verified: the region has a block");
    let reduce = Reduce(ir.last_op(body).expect("verified: the body ends with a terminator"));
    if reduce.reductions(ir).is_empty() {
        return true;
    }
    let mut of_body: HashSet<Value> = ir.block_args(body).iter().copied().collect();
    of_body.extend(ir.block_ops(body).flat_map(|inner| ir.results(inner)));
    let mut used = ir.walk_below(reduce.id()).flat_map(|inner| ir.operands(inner));
    used.all(|value| !of_body.contains(&value))
}

fn outline_function(ir: &mut Ir, names: &mut HashSet<String>) -> Vec<Ir> {
    let base = symbol_name(ir, ir.root()).map_or("", |name| ir.cx().str(name)).to_string();
    let mut number = 0;
    let mut made = Vec::new();
    for op in candidates(ir) {
        let name = loop {
            let name = format!("{base}_parallel_{number}");
            number += 1;
            if names.insert(name.clone()) {
                break name;
            }
        };
        made.push(outline(ir, Parallel(op), &name));
    }
    made
}

/// Replace the loop by the call; gives the function
fn outline(ir: &mut Ir, op: Parallel, name: &str) -> Ir {
    let (lower, upper, steps) = (op.lower(ir), op.upper(ir), op.steps(ir));
    let body = ir.entry(op.region(ir)).expect("verified: the region has a block");
    let mut b = Builder::before(ir, op.id());
    let trips: Vec<Value> =
        (0..steps.len()).map(|n| trip_count(&mut b, lower[n], upper[n], steps[n])).collect();
    let mut total = trips[0];
    for trip in &trips[1..] {
        total = multiply(&mut b, total, *trip);
    }
    let buffers: Vec<Value> = op
        .inits(ir)
        .into_iter()
        .map(|init| {
            let ty = ir.ty(init);
            buffer(&mut Builder::before(ir, op.id()), total, ty)
        })
        .collect();

    // In order of first use, so that the signature depends on nothing but the text.
    let mut captures: Vec<Value> = Vec::new();
    let mut seen: HashSet<Value> = HashSet::default();
    let used = lower.iter().chain(&steps).chain(&trips[1..]).copied().chain(buffers.iter().copied());
    let inside: Vec<Value> = used.chain(used_from_above(ir, op.id(), body)).collect();
    let mut constants: Vec<OpId> = Vec::new();
    for value in inside {
        if seen.insert(value) {
            match source(ir, value) {
                Some(constant) => constants.push(constant),
                None => captures.push(value),
            }
        }
    }
    let inner = Outlined { ir, op, name, captures: &captures, constants: &constants };
    let function = inner.make(&trips, &buffers);
    call(ir, op, name, total, &captures);
    merge(ir, op, total, &buffers);
    ir.erase(op.id());
    function
}

/// The op to make again inside, if the value is as good as a constant
fn source(ir: &Ir, value: Value) -> Option<OpId> {
    let op = ir.defining_op(value)?;
    let plain = ir.num_operands(op) == 0 && ir.num_regions(op) == 0 && ir.num_results(op) == 1;
    (plain && ir.has(op, Traits::Pure)).then_some(op)
}

/// Values that the loop's body uses and does not define, in order of use
fn used_from_above(ir: &Ir, op: OpId, body: BlockId) -> Vec<Value> {
    let inside = defined_inside(ir, op, body);
    // The regions of what ends it belong to the merge, which stays outside; nothing comes after them.
    let reduce = ir.last_op(body);
    let mut used = Vec::new();
    for inner in ir.walk_below(op) {
        used.extend(ir.operands(inner).filter(|value| !inside.contains(value)));
        if Some(inner) == reduce {
            break;
        }
    }
    used
}

fn defined_inside(ir: &Ir, op: OpId, body: BlockId) -> HashSet<Value> {
    let mut inside: HashSet<Value> = ir.block_args(body).iter().copied().collect();
    for inner in ir.walk_below(op) {
        inside.extend(ir.results(inner));
        let blocks = ir.regions(inner).flat_map(|region| ir.blocks(region));
        blocks.for_each(|block| inside.extend(ir.block_args(block)));
    }
    inside
}

fn index(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    Constant::build(b, attr).result(b.read())
}

fn known(b: &Builder<'_>, value: Value) -> Option<i64> {
    constant_of(b.read(), value)?.as_i64(b.cx())
}

/// `ceil(max(upper - lower, 0) / step)`
fn trip_count(b: &mut Builder<'_>, lower: Value, upper: Value, step: Value) -> Value {
    let bounds = (known(b, lower), known(b, upper), known(b, step));
    if let (Some(low), Some(high), Some(step @ 1..)) = bounds
        && let Some(distance) = high.checked_sub(low)
    {
        let distance = distance.max(0) as u64;
        return index(b, distance.div_ceil(step as u64) as i64);
    }
    let distance = match bounds.0 {
        Some(0) => upper,
        _ => SubI::build(b, upper, lower).result(b.read()),
    };
    let zero = index(b, 0);
    let distance = MaxSI::build(b, distance, zero).result(b.read());
    if bounds.2 == Some(1) {
        return distance;
    }
    // Both are below 2^63, so that the sum fits when read without sign.
    let one = index(b, 1);
    let more = SubI::build(b, step, one).result(b.read());
    let sum = AddI::build(b, distance, more).result(b.read());
    DivUI::build(b, sum, step).result(b.read())
}

fn multiply(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    if let (Some(x), Some(y)) = (known(b, x), known(b, y))
        && let Some(product) = x.checked_mul(y)
    {
        return index(b, product);
    }
    MulI::build(b, x, y).result(b.read())
}

/// One element per iteration
fn buffer(b: &mut Builder<'_>, total: Value, ty: Type) -> Value {
    let size = known(b, total);
    let memref = b.cx().memref(&[size.unwrap_or(DYNAMIC)], ty);
    let sizes: &[Value] = if size.is_some() { &[] } else { &[total] };
    Alloc::build(b, sizes, &[], memref).memref(b.read())
}

fn call(ir: &mut Ir, op: Parallel, name: &str, total: Value, captures: &[Value]) {
    let mut b = Builder::before(ir, op.id());
    let zero = index(&mut b, 0);
    let operands: Vec<Value> = [zero, total].into_iter().chain(captures.iter().copied()).collect();
    let callee = b.cx().symbol_attr(name);
    let call = Call::build(&mut b, &operands, callee, &[]).id();
    let unit = ir.cx().common().unit;
    ir.set_discardable(call, PARALLEL, Some(unit));
    let grain = ir.discardable(op.id(), GRAIN);
    ir.set_discardable(call, GRAIN, grain);
}

/// Combine the elements of the buffers from the first to the last, and free them
fn merge(ir: &mut Ir, op: Parallel, total: Value, buffers: &[Value]) {
    if buffers.is_empty() {
        return;
    }
    let inits = op.inits(ir);
    let types: Vec<Type> = inits.iter().map(|init| ir.ty(*init)).collect();
    let mut b = Builder::before(ir, op.id());
    let (zero, one) = (index(&mut b, 0), index(&mut b, 1));
    let (whole, block) = for_loop(&mut b, [zero, total, one], &inits, &types);
    let args = ir.block_args(block).to_vec();
    let loc = ir.loc(op.id());
    let body = ir.entry(op.region(ir)).expect("verified: the region has a block");
    let reduce = Reduce(ir.last_op(body).expect("verified: the body ends with a terminator"));
    let mut given = Vec::with_capacity(buffers.len());
    for (n, region) in reduce.reductions(ir).into_iter().enumerate() {
        let mut b = Builder::at_end(ir, block);
        b.set_loc(loc);
        let element = Load::build(&mut b, buffers[n], &args[..1]).result(b.read());
        let from = ir.entry(region).expect("verified: one block");
        for (arg, with) in ir.block_args(from).to_vec().into_iter().zip([args[n + 1], element]) {
            ir.replace_all_uses(arg, with);
        }
        let end = ir.last_op(from).expect("verified: the region ends with a terminator");
        given.push(ReduceReturn(end).result(ir));
        ir.erase(end);
        if let Some(first) = ir.first_op(from) {
            ir.move_tail(first, block);
        }
    }
    let mut b = Builder::at_end(ir, block);
    b.set_loc(loc);
    Yield::build(&mut b, &given);
    for &buffer in buffers {
        Dealloc::build(&mut Builder::before(ir, op.id()), buffer);
    }
    for (old, new) in ir.results(op.id()).zip(ir.results(whole)) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
}

/// A loop with an empty body, and the body
fn for_loop(b: &mut Builder<'_>, bounds: [Value; 3], inits: &[Value], types: &[Type]) -> (OpId, BlockId) {
    let kind = b.kind(For::DEF);
    let operands: Vec<Value> = bounds.into_iter().chain(inits.iter().copied()).collect();
    let segments = [1, 1, 1, inits.len() as u32];
    let new =
        NewOp { operands: &operands, segments: &segments, results: types, regions: 1, ..NewOp::new(kind) };
    let whole = b.insert(&new);
    let ir = b.ir();
    let region = ir.region(whole, 0);
    let block = ir.append_block(region);
    let index = ir.cx().common().index;
    ir.add_block_arg(block, index);
    for ty in types {
        ir.add_block_arg(block, *ty);
    }
    (whole, block)
}

/// What the new function is made from
struct Outlined<'a> {
    ir: &'a Ir,
    op: Parallel,
    name: &'a str,
    captures: &'a [Value],
    constants: &'a [OpId],
}

impl Outlined<'_> {
    fn make(&self, trips: &[Value], buffers: &[Value]) -> Ir {
        let (from, cx) = (self.ir, self.ir.cx());
        let loc = from.loc(self.op.id());
        let kind = cx.kind_of(Func::DEF).unwrap_or(OpKind::UNREGISTERED);
        let mut ir = Ir::new_unit(from.cx_arc(), kind, 1, loc);
        ir.set_source(from.source());
        let index_ty = cx.common().index;
        let types: Vec<Type> =
            [index_ty; 2].into_iter().chain(self.captures.iter().map(|value| from.ty(*value))).collect();
        self.sign(&mut ir, &types);
        let region = ir.region(ir.root(), 0);
        let entry = ir.append_block(region);
        let args: Vec<Value> = types.iter().map(|ty| ir.add_block_arg(entry, *ty)).collect();
        for (arg, name) in args.iter().zip(["begin", "end"]) {
            set_name(&mut ir, *arg, name);
        }
        let mut map = ValueMap::default();
        for (value, arg) in self.captures.iter().zip(&args[2..]) {
            if let Some(name) = from.value_name(*value) {
                set_name(&mut ir, *arg, name);
            }
            map.insert(*value, *arg);
        }
        for &constant in self.constants {
            let copy = ir.clone_op(Some(from), constant, &mut map);
            ir.append(entry, copy);
        }
        let mut b = Builder::at_end(&mut ir, entry);
        b.set_loc(loc);
        let one = index(&mut b, 1);
        let (_, block) = for_loop(&mut b, [args[0], args[1], one], &[], &[]);
        Return::build(&mut b, &[]);
        let flat = ir.block_args(block)[0];
        set_name(&mut ir, flat, "flat");
        let mut b = Builder::at_end(&mut ir, block);
        b.set_loc(loc);
        self.coordinates(&mut b, flat, trips, &mut map);
        self.body(&mut ir, block, flat, buffers, &mut map);
        let inner: Vec<OpId> = ir.walk().filter(|op| Parallel::cast(&ir, *op).is_some()).collect();
        for op in inner {
            parallel_to_for(&mut ir, op);
        }
        ir
    }

    fn sign(&self, ir: &mut Ir, types: &[Type]) {
        let cx = self.ir.cx();
        let ty = cx.type_attr(cx.function(types, &[]));
        let attrs: [(&str, Attr); 3] = [
            ("sym_name", cx.str_attr(self.name)),
            ("function_type", ty),
            ("sym_visibility", cx.str_attr("private")),
        ];
        for (name, attr) in attrs {
            ir.set_attr(ir.root(), name, Some(attr));
        }
        ir.set_discardable(ir.root(), TARGET, self.ir.discardable(self.ir.root(), TARGET));
    }

    /// Induction variables of the point with this number
    fn coordinates(&self, b: &mut Builder<'_>, flat: Value, trips: &[Value], map: &mut ValueMap) {
        let from = self.ir;
        let (lower, steps) = (self.op.lower(from), self.op.steps(from));
        let inside = |map: &ValueMap, value: Value| map.get(value).expect("bounds are captured");
        let body = from.entry(self.op.region(from)).expect("verified: the region has a block");
        let ivs = from.block_args(body);
        let mut rest = flat;
        let mut numbers = vec![flat; ivs.len()];
        for n in (1..ivs.len()).rev() {
            let trip = inside(map, trips[n]);
            numbers[n] = RemUI::build(b, rest, trip).result(b.read());
            rest = DivUI::build(b, rest, trip).result(b.read());
        }
        numbers[0] = rest;
        for (n, &iv) in ivs.iter().enumerate() {
            let (step, low) = (inside(map, steps[n]), inside(map, lower[n]));
            let mut at = numbers[n];
            if known(b, step) != Some(1) {
                at = MulI::build(b, at, step).result(b.read());
            }
            if known(b, low) != Some(0) {
                at = AddI::build(b, at, low).result(b.read());
            }
            if let Some(name) = from.value_name(iv) {
                let name = name.to_string();
                set_name(b.ir(), at, &name);
            }
            map.insert(iv, at);
        }
    }

    /// Copy the body; what it gives to be reduced goes to the buffers
    fn body(&self, ir: &mut Ir, block: BlockId, flat: Value, buffers: &[Value], map: &mut ValueMap) {
        let from = self.ir;
        let old = from.entry(self.op.region(from)).expect("verified: the region has a block");
        let reduce = from.last_op(old).expect("verified: the body ends with a terminator");
        for op in from.block_ops(old).filter(|op| *op != reduce) {
            let copy = ir.clone_op(Some(from), op, map);
            ir.append(block, copy);
        }
        let mut b = Builder::at_end(ir, block);
        b.set_loc(from.loc(reduce));
        for (value, buffer) in from.operands(reduce).zip(buffers) {
            let inside = |value: Value| map.get(value).expect("what the body uses is captured");
            Store::build(&mut b, inside(value), inside(*buffer), &[flat]);
        }
        Yield::build(&mut b, &[]);
    }
}

fn set_name(ir: &mut Ir, value: Value, name: &str) {
    let name = Name::Str(ir.cx().intern(name));
    ir.set_value_name(value, name);
}
