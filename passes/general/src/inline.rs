//! Calls of functions with a body become the body, callees first.
//!
//! | callee | caller's block | what the call becomes |
//! |---|---|---|
//! | one block | any | its ops; results are what it returns |
//! | several blocks | of a region that may have several | its blocks, in between the two halves of the caller's |
//! | several blocks | of a structured op | `scf.execute_region` with its blocks |
//!
//! Functions that call themselves, directly or through others, stay calls. So do calls marked `no_inline` or
//! `terrace.parallel` (that range would lose its right to be cut), and calls inside of ops of dialects that say themselves
//! what may be in their bodies, unless the callee only computes (functions over arrays may hold patterns too). A function may have several calls of one callee: growth is
//! limited by `max-ops`. Functions left without a user stay: `symbol-dce` removes the private ones.

use terrace_diag::Reported;
use terrace_dialect_cf::Br;
use terrace_dialect_func::{Call, Func};
use terrace_dialect_scf::{ExecuteRegion, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{BlockId, Builder, Ir, Loc, Name, OpId, RegionId, Str, Traits, Type, Value};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::graph::successors_first;
use terrace_support::{HashMap, HashSet};

/// Replace calls by the bodies of the functions they call
///
/// Callees first, so that a body is inlined with what was inlined into it. Recursive functions, declarations and what
/// is marked `no_inline` stay calls.
#[pass("inline", scope = tree, stats("calls inlined"))]
pub struct Inline {
    /// most ops that a function may have afterwards
    #[option(default = 1000000)]
    max_ops: i64,
}

impl Pass for Inline {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        let mut inlined = 0;
        let mut pending: Vec<&mut Ir> = vec![unit];
        while let Some(table) = pending.pop() {
            inlined += inline_all(table, usize::try_from(self.max_ops).unwrap_or(0));
            pending.extend(table.children_mut());
        }
        cx.count("calls inlined", inlined);
        cx.set_changed(inlined > 0);
        Ok(())
    }
}

/// Work on the units directly in a table
fn inline_all(table: &mut Ir, max_ops: usize) -> u64 {
    let slots: Vec<OpId> = table.walk().filter(|op| table.child(*op).is_some()).collect();
    let by_name: HashMap<Str, usize> =
        slots.iter().enumerate().filter_map(|(n, slot)| Some((symbol_name(table, *slot)?, n))).collect();
    let calls: Vec<Vec<usize>> = slots
        .iter()
        .map(|slot| {
            let unit = table.child(*slot);
            let names = unit.into_iter().flat_map(|unit| unit.walk().filter_map(|op| callee(unit, op)));
            names.filter_map(|name| by_name.get(&name).copied()).collect()
        })
        .collect();
    let (order, recursive) = successors_first(&calls);
    let mut may: Vec<Option<Callee>> = slots.iter().map(|_| None).collect();
    let mut inlined = 0;
    for n in order {
        if let Some(mut caller) = table.take_child(slots[n]) {
            if !calls[n].is_empty() {
                let of = |name: Str| {
                    let n = *by_name.get(&name)?;
                    may[n].as_ref().map(|callee| (callee, slots[n]))
                };
                inlined += inline_into(&mut caller, table, &of, max_ops);
            }
            may[n] = Some(&caller).filter(|_| !recursive[n]).and_then(|unit| Callee::of(unit));
            table.put_child(slots[n], caller);
        }
    }
    inlined
}

/// The function that an op calls, if its calls may be inlined
fn callee(ir: &Ir, op: OpId) -> Option<Str> {
    let call = Call::cast(ir, op).filter(|call| call.no_inline(ir).is_none())?;
    if ir.discardable(op, terrace_dialect_builtin::marks::PARALLEL).is_some() {
        return None;
    }
    call.callee(ir).as_symbol(ir.cx()).map(|(root, _)| root)
}

/// What is known of a function that may be inlined
struct Callee {
    /// Blocks that can be reached, in an order where what dominates comes first
    blocks: Vec<BlockId>,
    ops: usize,
    /// No effects, no regions
    computes: bool,
    /// No effects
    pure: bool,
}

impl Callee {
    fn of(ir: &Ir) -> Option<Callee> {
        let func = Func::cast(ir, ir.root()).filter(|func| func.no_inline(ir).is_none())?;
        let entry = ir.entry(func.body(ir))?;
        let blocks = reverse_post_order(ir, entry);
        // A single block that does not return has no values to give.
        let end = ir.last_op(entry)?;
        if blocks.len() == 1 && !ir.has(end, Traits::ReturnLike) {
            return None;
        }
        let computes = blocks.len() == 1
            && ir.block_ops(entry).all(|op| ir.has(op, Traits::Pure) && ir.num_regions(op) == 0);
        let pure = blocks.len() == 1
            && ir.walk().all(|op| {
                ir.has(op, Traits::Pure)
                    || ir.has(op, Traits::RecursiveEffects)
                    || ir.has(op, Traits::ReturnLike)
            });
        Some(Callee { blocks, ops: ir.walk().count(), computes, pure })
    }
}

fn reverse_post_order(ir: &Ir, entry: BlockId) -> Vec<BlockId> {
    let successors = |block: BlockId| -> Vec<BlockId> {
        ir.last_op(block).map_or(Vec::new(), |end| ir.successors(end).collect())
    };
    let mut seen: HashSet<BlockId> = HashSet::from_iter([entry]);
    let mut order = Vec::new();
    let mut stack = vec![(entry, successors(entry))];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if seen.insert(next) => stack.push((next, successors(next))),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn inline_into<'c>(
    caller: &mut Ir,
    table: &Ir,
    of: &dyn Fn(Str) -> Option<(&'c Callee, OpId)>,
    max_ops: usize,
) -> u64 {
    let calls: Vec<OpId> = caller.walk().filter(|op| callee(caller, *op).is_some()).collect();
    let mut size = if calls.is_empty() { 0 } else { caller.walk().count() };
    let mut inlined = 0;
    for call in calls {
        let Some((known, slot)) = callee(caller, call).and_then(of) else { continue };
        let Some(body) = table.child(slot) else { continue };
        let fits = size.saturating_add(known.ops) <= max_ops;
        if !fits || !may_stand(caller, call, known) {
            continue;
        }
        size += known.ops;
        inlined += 1;
        let around = caller.parent(call).unwrap_or(caller.root());
        if known.blocks.len() == 1 {
            inline_block(caller, call, body, known.blocks[0]);
        } else if caller.has(around, Traits::SingleBlock) {
            inline_region(caller, call, body, known);
        } else {
            inline_blocks(caller, call, body, known);
        }
    }
    inlined
}

/// May the body stand where the call is?
fn may_stand(ir: &Ir, call: OpId, callee: &Callee) -> bool {
    if callee.computes {
        return true;
    }
    let mut at = ir.parent(call);
    while let Some(op) = at.filter(|op| *op != ir.root()) {
        if !(ir.has(op, Traits::InlinesCalls) || callee.pure && ir.has(op, Traits::InlinesPureCalls)) {
            return false;
        }
        at = ir.parent(op);
    }
    true
}

/// Arguments of the callee stand for the operands of the call
fn arguments(caller: &Ir, call: OpId, callee: &Ir, entry: BlockId) -> ValueMap {
    let mut map = ValueMap::default();
    for (arg, operand) in callee.block_args(entry).iter().zip(caller.operands(call)) {
        map.insert(*arg, operand);
    }
    map
}

/// Values that a terminator of the callee hands back, in the caller
fn returned(callee: &Ir, end: OpId, map: &ValueMap) -> Vec<Value> {
    callee.operands(end).map(|value| map.get(value).expect("what dominates was copied before")).collect()
}

fn replace_call(caller: &mut Ir, call: OpId, values: &[Value]) {
    for (old, &new) in caller.results(call).zip(values) {
        if let (None, Some(name)) = (caller.value_name(new), caller.value_name(old)) {
            let name = Name::Str(caller.cx().intern(name));
            caller.set_value_name(new, name);
        }
        caller.replace_all_uses(old, new);
    }
    caller.erase(call);
}

fn inline_block(caller: &mut Ir, call: OpId, callee: &Ir, entry: BlockId) {
    let mut map = arguments(caller, call, callee, entry);
    let end = callee.last_op(entry).expect("checked: it ends with a return");
    for op in callee.block_ops(entry).filter(|op| *op != end) {
        let copy = caller.clone_op(Some(callee), op, &mut map);
        caller.insert_before(call, copy);
    }
    let values = returned(callee, end, &map);
    replace_call(caller, call, &values);
}

/// Copy the blocks behind `entry`, which gets the ops of the first one; `leave` builds what a return becomes, at `loc`
fn copy_blocks(
    caller: &mut Ir,
    callee: &Ir,
    known: &Callee,
    (entry, loc): (BlockId, Loc),
    map: &mut ValueMap,
    leave: &mut dyn FnMut(&mut Builder<'_>, &[Value]),
) {
    let mut last = entry;
    let mut places = vec![entry];
    for &block in &known.blocks[1..] {
        let copy = caller.create_block();
        caller.place_block_after(last, copy);
        map.insert_block(block, copy);
        if let Some(name) = callee.block_name(block) {
            let name = Name::Str(caller.cx().intern(name));
            caller.set_block_name(copy, name);
        }
        for &arg in callee.block_args(block) {
            let new = caller.add_block_arg(copy, callee.ty(arg));
            if let Some(name) = callee.value_name(arg) {
                let name = Name::Str(caller.cx().intern(name));
                caller.set_value_name(new, name);
            }
            map.insert(arg, new);
        }
        places.push(copy);
        last = copy;
    }
    for (&block, place) in known.blocks.iter().zip(places) {
        for op in callee.block_ops(block) {
            if callee.has(op, Traits::ReturnLike) {
                let values = returned(callee, op, map);
                let mut b = Builder::at_end(caller, place);
                b.set_loc(loc);
                leave(&mut b, &values);
            } else {
                let copy = caller.clone_op(Some(callee), op, map);
                caller.append(place, copy);
            }
        }
    }
}

fn inline_blocks(caller: &mut Ir, call: OpId, callee: &Ir, known: &Callee) {
    let mut map = arguments(caller, call, callee, known.blocks[0]);
    let before = caller.block(call).expect("a walk gives ops in blocks");
    let rest = caller.split_block(call).expect("the call is in a block");
    let loc = caller.loc(call);
    let results: Vec<Value> = caller.results(call).collect();
    let args: Vec<Value> =
        results.iter().map(|result| caller.add_block_arg(rest, caller.ty(*result))).collect();
    copy_blocks(caller, callee, known, (before, loc), &mut map, &mut |b, values| {
        Br::build(b, values, rest);
    });
    replace_call(caller, call, &args);
}

fn inline_region(caller: &mut Ir, call: OpId, callee: &Ir, known: &Callee) {
    let mut map = arguments(caller, call, callee, known.blocks[0]);
    let types: Vec<Type> = caller.results(call).map(|result| caller.ty(result)).collect();
    let mut b = Builder::before(caller, call);
    let loc = b.loc();
    let op = ExecuteRegion::build(&mut b, &types);
    let region: RegionId = op.region(caller);
    let entry = caller.entry(region).unwrap_or_else(|| caller.append_block(region));
    copy_blocks(caller, callee, known, (entry, loc), &mut map, &mut |b, values| {
        Yield::build(b, values);
    });
    let results: Vec<Value> = caller.results(op.id()).collect();
    replace_call(caller, call, &results);
}
