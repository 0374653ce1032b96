//! One computation from a producer and a reader.

use super::producer::{Producer, Reader, dim_of};
use crate::hoist::product::index_dim;
use crate::parts;
use terrace_dialect_mdh::view::{Input, View};
use terrace_dialect_mdh::{Index, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Inputs of the new computation, and what becomes of the reader's
#[derive(Default)]
struct Plan {
    /// The inputs
    inputs: Vec<Input>,
    /// Arguments of the old bodies that they are
    args: Vec<Value>,
    /// What each argument of the reader's body is now
    sources: Vec<Source>,
}

/// What an argument of the reader's body becomes
enum Source {
    /// An input of the new computation
    Input(usize),
    /// The producer's element at these coordinates, of these inputs of the new computation
    Element { at: Vec<AffineExpr>, inputs: Vec<usize> },
}

/// Inline the producer into all its readers and erase it; false, and nothing has changed, if an access cannot be composed
pub fn into_readers(ir: &mut Ir, producer: &Producer) -> bool {
    if producer.readers.iter().any(|reader| Plan::new(ir, producer, reader, &reader.view).is_none()) {
        return false;
    }
    for reader in &producer.readers {
        // Once more: a reader that was replaced before may be an input of this one.
        let view = View::read(ir, reader.op).ok();
        let plan = view.and_then(|view| Some((Plan::new(ir, producer, reader, &view)?, view)));
        let Some((plan, view)) = plan else { continue };
        plan.apply(ir, producer, reader, view);
    }
    ir.erase(producer.op.id());
    true
}

impl Plan {
    fn new(ir: &Ir, producer: &Producer, reader: &Reader, view: &View) -> Option<Plan> {
        let own = ir.block_args(ir.entry(producer.op.body(ir))?);
        let args = ir.block_args(ir.entry(reader.op.body(ir))?);
        let mut plan = Plan::default();
        for (n, (input, arg)) in view.inputs.iter().zip(args).enumerate() {
            if !reader.inputs.contains(&n) {
                let input = plan.input(input.clone(), *arg);
                plan.sources.push(Source::Input(input));
                continue;
            }
            let map = input.map.as_ref()?;
            let at: Vec<AffineExpr> = producer.place.iter().map(|n| map.results[*n].clone()).collect();
            let mut inputs = Vec::new();
            for (input, arg) in producer.view.inputs.iter().zip(own) {
                inputs.push(plan.input(composed(input, &at, map.dims)?, *arg));
            }
            plan.sources.push(Source::Element { at, inputs });
        }
        Some(plan)
    }

    /// The number of an input, which is added unless there is an equal one
    fn input(&mut self, input: Input, arg: Value) -> usize {
        let key = |of: &Input| (of.value, of.map.clone(), of.other, of.guard.clone());
        let same = self.inputs.iter().position(|other| key(other) == key(&input));
        same.unwrap_or_else(|| {
            self.inputs.push(input);
            self.args.push(arg);
            self.inputs.len() - 1
        })
    }

    /// Put the new computation in place of the reader
    fn apply(self, ir: &mut Ir, producer: &Producer, reader: &Reader, mut made: View) {
        let old = reader.op;
        let (Some(first), Some(second)) = (ir.entry(producer.op.body(ir)), ir.entry(old.body(ir))) else {
            return;
        };
        let block = ir.create_block();
        let mut args = Vec::new();
        for arg in &self.args {
            let new = ir.add_block_arg(block, ir.ty(*arg));
            ir.copy_value_name(*arg, new);
            args.push(new);
        }
        let mut map = ValueMap::default();
        for (arg, source) in ir.block_args(second).to_vec().into_iter().zip(&self.sources) {
            let value = match source {
                Source::Input(n) => Some(args[*n]),
                Source::Element { at, inputs } => {
                    let inputs: Vec<Value> = inputs.iter().map(|n| args[*n]).collect();
                    element(ir, first, at, &inputs, block)
                }
            };
            if let Some(value) = value {
                map.insert(arg, value);
            }
        }
        for each in ir.block_ops(second).collect::<Vec<OpId>>() {
            let copy = ir.clone_op(None, each, &mut map);
            ir.append(block, copy);
        }
        made.inputs = self.inputs;
        let types: Vec<Type> = ir.results(old.id()).map(|value| ir.ty(value)).collect();
        let new = made.build(&mut Builder::before(ir, old.id()), &types, block);
        let pairs: Vec<(Value, Value)> = ir.results(old.id()).zip(ir.results(new.id())).collect();
        for (old, new) in pairs {
            ir.copy_value_name(old, new);
        }
        parts::replace(ir, old, new);
    }
}

/// An input of the producer as one of the reader
fn composed(input: &Input, at: &[AffineExpr], rank: u32) -> Option<Input> {
    let mut new = input.clone();
    if let Some(map) = &mut new.map {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(|expr| expr.replace(at, &[])).collect();
        *map = AffineMap::new(rank, 0, results?)?;
    }
    if let Some(guard) = &mut new.guard {
        *guard = guard.replace(at, &[])?;
    }
    Some(new)
}

/// The producer's element at some coordinates: a copy of its body at the end of a block
fn element(ir: &mut Ir, body: BlockId, at: &[AffineExpr], inputs: &[Value], to: BlockId) -> Option<Value> {
    let mut map = ValueMap::default();
    for (arg, input) in ir.block_args(body).to_vec().into_iter().zip(inputs) {
        map.insert(arg, *input);
    }
    for each in ir.block_ops(body).collect::<Vec<OpId>>() {
        if let Some(end) = Yield::cast(ir, each) {
            let value = end.values(ir).into_iter().next()?;
            return Some(map.get(value).unwrap_or(value));
        }
        if let Some(index) = Index::cast(ir, each) {
            let dim = dim_of(at.get(index_dim(ir, index)?)?)?;
            let new = parts::index(&mut Builder::at_end(ir, to), dim);
            map.insert(index.result(ir), new);
            continue;
        }
        let copy = ir.clone_op(None, each, &mut map);
        ir.append(to, copy);
    }
    None
}
