//! Taking out what is not needed.

use super::classes::Classes;
use super::needs::Needs;
use terrace_dataflow::{Functions, Tree};
use terrace_ir::{Attr, BlockId, Ir, OpId, OpKind, Traits, Type, Value};

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

/// Remove arguments of blocks; gives the numbers of those of the unit itself, in order
fn remove_args(ir: &mut Ir, goes: &dyn Fn(Value) -> bool, removed: &mut Removed) -> Vec<usize> {
    let ops: Vec<OpId> = std::iter::once(ir.root()).chain(ir.walk()).collect();
    let mut inputs = Vec::new();
    for op in ops {
        let blocks: Vec<BlockId> = ir.regions(op).flat_map(|region| ir.blocks(region)).collect();
        for (place, block) in blocks.into_iter().enumerate() {
            let gone = ir.retain_block_args(block, |_, arg| !goes(arg));
            removed.values += gone.len() as u64;
            if op == ir.root() && place == 0 {
                inputs = gone;
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
        let segments: Vec<u32> =
            fields.map(|field| left_in(ir.operand_range(op, field), &gone) as u32).collect();
        let values: Vec<Value> = without(ir.operands(op), &gone);
        ir.set_operands(op, &values, &segments);
    }
    gone
}

/// The same op without some of its results, which have no uses
fn without_results(ir: &mut Ir, op: OpId, gone: &[usize]) -> OpId {
    let mut parts = ir.parts(op);
    for (field, size) in parts.result_segments.iter_mut().enumerate() {
        *size = left_in(ir.result_range(op, field), gone) as u32;
    }
    let kept: Vec<Value> = without((0..ir.num_results(op)).map(|k| ir.result(op, k)), gone);
    parts.results = kept.iter().map(|value| ir.ty(*value)).collect();
    ir.remake_for(op, &parts, &kept)
}

/// How many of a range are not among these, which are in order?
fn left_in(range: std::ops::Range<usize>, gone: &[usize]) -> usize {
    let below = |n: usize| gone.partition_point(|gone| *gone < n);
    range.len() - (below(range.end) - below(range.start))
}

/// Items without those of these numbers, which are in order
fn without<T>(items: impl IntoIterator<Item = T>, gone: &[usize]) -> Vec<T> {
    let items = items.into_iter().enumerate();
    items.filter(|(k, _)| gone.binary_search(k).is_err()).map(|(_, item)| item).collect()
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
    let left = |all: &[Type], gone| without(all.iter().copied(), gone);
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
    let left: Vec<Attr> = without(items.iter().copied(), gone);
    let left = (!left.is_empty()).then(|| ir.cx().array_attr(&left));
    ir.set_attr(op, name, left);
}
