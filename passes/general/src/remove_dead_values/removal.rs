//! Taking out what is not needed.

use super::classes::Classes;
use super::needs::Needs;
use terrace_dataflow::{Functions, Tree};
use terrace_ir::{Attr, BlockId, Ir, NewOp, OpId, OpKind, Traits, Type, Value};

/// What a run has removed
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Removed {
    /// Ops
    pub ops: u64,
    /// Arguments and results
    pub values: u64,
}

/// Take out what is not needed
pub fn remove(tree: &mut Tree<'_>, functions: &Functions, classes: &Classes, needs: &Needs) -> Removed {
    let mut removed = Removed::default();
    for n in 0..tree.len() {
        let goes = |value: Value| classes.of_value((n, value)).is_some_and(|class| !needs.has_class(class));
        let drops =
            |op: OpId, k: usize| classes.of_use((n, op, k)).is_some_and(|class| !needs.has_class(class));
        let closed = functions.is_closed(n);
        let ir = tree.get_mut(n);
        let outputs = if closed { unneeded_outputs(ir, &drops) } else { Vec::new() };
        // Ops inside of one that goes, go with it: the innermost come first.
        let mut dead: Vec<OpId> = Vec::new();
        for op in ir.walk().collect::<Vec<_>>() {
            if needs.has_op(n, op) {
                let gone = drop_operands(ir, op, |k| drops(op, k));
                if ir.has(op, Traits::CallLike) {
                    filter_attr(ir, op, "arg_attrs", &gone);
                }
            } else {
                drop_operands(ir, op, |_| true);
                dead.push(op);
            }
        }
        removed.ops += dead.len() as u64;
        dead.into_iter().rev().for_each(|op| ir.erase(op));
        let inputs = remove_args(ir, &goes, &mut removed);
        for op in ir.walk().collect::<Vec<_>>() {
            let results = ir.results(op).enumerate().filter(|(_, value)| goes(*value));
            let gone: Vec<usize> = results.map(|(k, _)| k).collect();
            if !gone.is_empty() {
                removed.values += gone.len() as u64;
                let new = without_results(ir, op, &gone);
                if ir.has(new, Traits::CallLike) {
                    filter_attr(ir, new, "res_attrs", &gone);
                }
            }
        }
        if closed {
            shrink_signature(ir, &inputs, &outputs);
        }
    }
    removed
}

/// Remove arguments of blocks; gives the numbers of those of the unit itself
fn remove_args(ir: &mut Ir, goes: &dyn Fn(Value) -> bool, removed: &mut Removed) -> Vec<usize> {
    let ops: Vec<OpId> = std::iter::once(ir.root()).chain(ir.walk()).collect();
    let mut inputs = Vec::new();
    for op in ops {
        let blocks: Vec<BlockId> = ir.regions(op).flat_map(|region| ir.blocks(region)).collect();
        for (place, block) in blocks.into_iter().enumerate() {
            for k in (0..ir.block_args(block).len()).rev() {
                if goes(ir.block_args(block)[k]) {
                    ir.remove_block_arg(block, k);
                    removed.values += 1;
                    if op == ir.root() && place == 0 {
                        inputs.push(k);
                    }
                }
            }
        }
    }
    inputs
}

/// Drop some operands; gives their numbers
fn drop_operands(ir: &mut Ir, op: OpId, drops: impl Fn(usize) -> bool) -> Vec<usize> {
    if ir.kind(op) == OpKind::SLOT {
        return Vec::new();
    }
    let gone: Vec<usize> = (0..ir.num_operands(op)).filter(|k| drops(*k)).collect();
    if !gone.is_empty() {
        let fields = 0..ir.operand_segments(op).map_or(0, <[u32]>::len);
        let left = |field| ir.operand_range(op, field).filter(|k| !gone.contains(k)).count() as u32;
        let segments: Vec<u32> = fields.map(left).collect();
        let all = ir.operands(op).enumerate();
        let values: Vec<Value> =
            all.filter(|(k, _)| gone.binary_search(k).is_err()).map(|(_, value)| value).collect();
        ir.set_operands(op, &values, &segments);
    }
    gone
}

/// The same op without some of its results, which have no uses
fn without_results(ir: &mut Ir, op: OpId, gone: &[usize]) -> OpId {
    let stays = |k: &usize| gone.binary_search(k).is_err();
    let kept: Vec<Value> = (0..ir.num_results(op)).filter(stays).map(|k| ir.result(op, k)).collect();
    let results: Vec<Type> = kept.iter().map(|value| ir.ty(*value)).collect();
    let fields = 0..ir.result_segments(op).map_or(0, <[u32]>::len);
    let result_segments: Vec<u32> =
        fields.map(|field| ir.result_range(op, field).filter(stays).count() as u32).collect();
    let operands: Vec<Value> = ir.operands(op).collect();
    let segments = ir.operand_segments(op).unwrap_or(&[]).to_vec();
    let slots: Vec<Option<Attr>> = (0..ir.def(op).attrs.len()).map(|slot| ir.slot(op, slot)).collect();
    let new = ir.create(&NewOp {
        operands: &operands,
        segments: &segments,
        results: &results,
        result_segments: &result_segments,
        slots: &slots,
        dict: ir.dict(op),
        regions: ir.num_regions(op),
        loc: ir.loc(op),
        ..NewOp::new(ir.kind(op))
    });
    ir.insert_before(op, new);
    for (from, to) in ir.regions(op).zip(ir.regions(new)).collect::<Vec<_>>() {
        ir.move_blocks(from, to);
    }
    for (old, new) in kept.into_iter().zip(ir.results(new).collect::<Vec<_>>()) {
        ir.copy_value_name(old, new);
        ir.replace_all_uses(old, new);
    }
    ir.erase(op);
    new
}

/// Results of the unit that no caller needs, as its returns hand them back
fn unneeded_outputs(ir: &Ir, drops: &dyn Fn(OpId, usize) -> bool) -> Vec<usize> {
    let blocks = ir.regions(ir.root()).flat_map(|region| ir.blocks(region));
    let mut ends =
        blocks.filter_map(|block| ir.last_op(block)).filter(|end| ir.has(*end, Traits::ReturnLike));
    let Some(end) = ends.next() else { return Vec::new() };
    (0..ir.num_operands(end)).filter(|k| drops(end, *k)).collect()
}

/// Take inputs and outputs out of a function's type and attributes
fn shrink_signature(ir: &mut Ir, inputs: &[usize], outputs: &[usize]) {
    let root = ir.root();
    let ty = ir.attr(root, "function_type").and_then(|attr| attr.as_type(ir.cx()));
    let Some((all_inputs, all_outputs)) = ty.and_then(|ty| ty.as_function(ir.cx())) else { return };
    let left = |all: &[Type], gone: &[usize]| -> Vec<Type> {
        all.iter().enumerate().filter(|(k, _)| !gone.contains(k)).map(|(_, ty)| *ty).collect()
    };
    let ty = ir.cx().function(&left(all_inputs, inputs), &left(all_outputs, outputs));
    let ty = ir.cx().type_attr(ty);
    ir.set_attr(root, "function_type", Some(ty));
    filter_attr(ir, root, "arg_attrs", inputs);
    filter_attr(ir, root, "res_attrs", outputs);
}

/// Take entries out of an array attribute; without any left it goes
fn filter_attr(ir: &mut Ir, op: OpId, name: &str, gone: &[usize]) {
    let Some(attr) = ir.attr(op, name).filter(|_| !gone.is_empty()) else { return };
    let Some(items) = attr.as_array(ir.cx()) else { return };
    let left: Vec<Attr> =
        items.iter().enumerate().filter(|(k, _)| !gone.contains(k)).map(|(_, item)| *item).collect();
    let left = (!left.is_empty()).then(|| ir.cx().array_attr(&left));
    ir.set_attr(op, name, left);
}
