//! One computation out of a producer and what reads it.

use super::producer::{Edge, Producer};
use crate::parts;
use terrace_dialect_mdh::view::{CombineKind, Input, Output, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Two computations as one
pub struct Composed {
    /// The new op
    pub op: Compute,
    /// What stands for each result of the first and then of the second
    pub outputs: Vec<Made>,
}

/// A result of old
#[derive(Clone, Copy)]
pub enum Made {
    /// The output of this number
    Output(usize),
    /// None: only the reader used it
    Nothing,
}

/// A body under construction, and the inputs that it takes
struct Body {
    block: BlockId,
    inputs: Vec<Input>,
}

impl Body {
    /// The argument for an input; equal inputs share one
    fn argument(&mut self, ir: &mut Ir, input: Input, like: Value) -> Value {
        let same = |other: &Input| {
            other.value == input.value
                && other.map == input.map
                && other.other == input.other
                && other.guard == input.guard
        };
        if let Some(n) = self.inputs.iter().position(same) {
            return ir.block_args(self.block)[n];
        }
        self.inputs.push(input);
        let new = ir.add_block_arg(self.block, ir.ty(like));
        ir.copy_value_name(like, new);
        new
    }

    /// Another computation's body at some coordinates of the new one; gives what it yields
    fn instance(
        &mut self,
        ir: &mut Ir,
        (from, view): (BlockId, &View),
        coords: &[AffineExpr],
        sizes: &[i64],
    ) -> Option<Vec<Value>> {
        let mut map = ValueMap::default();
        for (arg, input) in ir.block_args(from).to_vec().into_iter().zip(&view.inputs) {
            let input = moved(input, coords, sizes)?;
            let new = self.argument(ir, input, arg);
            map.insert(arg, new);
        }
        self.copy(ir, from, &mut map, |dim| coords.get(dim).cloned())
    }

    /// The ops of a body behind those that are there; gives what it yields
    fn copy(
        &mut self,
        ir: &mut Ir,
        from: BlockId,
        map: &mut ValueMap,
        coord: impl Fn(usize) -> Option<AffineExpr>,
    ) -> Option<Vec<Value>> {
        for each in ir.block_ops(from).collect::<Vec<OpId>>() {
            if let Some(yielded) = Yield::cast(ir, each) {
                return yielded.values(ir).into_iter().map(|value| map.get(value)).collect();
            }
            if let Some(index) = Index::cast(ir, each) {
                let old = usize::try_from(index.dim(ir).as_i64(ir.cx())?).ok()?;
                let mut b = Builder::at_end(ir, self.block);
                let new = match coord(old)? {
                    AffineExpr::Dim(dim) => parts::index(&mut b, dim as usize),
                    AffineExpr::Constant(value) => parts::index_constant(&mut b, value),
                    _ => return None,
                };
                map.insert(index.result(ir), new);
                continue;
            }
            let copy = ir.clone_op(None, each, map);
            ir.append(self.block, copy);
        }
        None
    }
}

/// An input at coordinates of another computation
pub(super) fn moved(input: &Input, coords: &[AffineExpr], sizes: &[i64]) -> Option<Input> {
    let mut new = input.clone();
    if let Some(map) = &mut new.map {
        let place = |expr: &AffineExpr| Some(expr.replace(coords, &[])?.within(sizes));
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(place).collect();
        *map = AffineMap::new(sizes.len() as u32, 0, results?)?;
    }
    if let Some(guard) = &mut new.guard {
        *guard = guard.replace(coords, &[])?.within(sizes);
    }
    Some(new)
}

/// The reader with the producer's body in place of what it read there
pub fn inlined(
    ir: &mut Ir,
    producer: &Producer,
    reader: Compute,
    view: &View,
    edges: &[Edge],
) -> Option<Compute> {
    let types: Vec<Type> = ir.results(reader.id()).map(|value| ir.ty(value)).collect();
    let mut body = Body { block: ir.create_block(), inputs: Vec::new() };
    let values = joined(ir, producer, reader, view, edges, &mut body);
    let Some((_, values)) = values else {
        ir.erase_block(body.block);
        return None;
    };
    Yield::build(&mut Builder::at_end(ir, body.block), &values);
    let made = View { inputs: body.inputs, ..view.clone() };
    Some(made.build(&mut Builder::before(ir, reader.id()), &types, body.block))
}

/// Both computations over the reader's points, which are the producer's
pub fn merged(
    ir: &mut Ir,
    producer: &Producer,
    reader: Compute,
    view: &View,
    edges: &[Edge],
) -> Option<Composed> {
    let mut body = Body { block: ir.create_block(), inputs: Vec::new() };
    let Some((first, second)) = joined(ir, producer, reader, view, edges, &mut body) else {
        ir.erase_block(body.block);
        return None;
    };
    let (mut outputs, mut made) = (Vec::<Output>::new(), Vec::new());
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for (n, result) in ir.results(producer.op.id()).enumerate() {
        if ir.uses(result).all(|(user, _)| user == reader.id()) {
            made.push(Made::Nothing);
            continue;
        }
        made.push(Made::Output(outputs.len()));
        outputs.push(producer.view.outputs[n].clone());
        types.push(ir.ty(result));
        values.push(*first.get(n)?);
    }
    for (n, result) in ir.results(reader.id()).enumerate() {
        made.push(Made::Output(outputs.len()));
        outputs.push(view.outputs[n].clone());
        types.push(ir.ty(result));
        values.push(*second.get(n)?);
    }
    Yield::build(&mut Builder::at_end(ir, body.block), &values);
    let view = View { inputs: body.inputs, outputs, ..view.clone() };
    let op = view.build(&mut Builder::before(ir, reader.id()), &types, body.block);
    Some(Composed { op, outputs: made })
}

/// Two reductions as one with the outputs of both, before the second: `dims` of the first stand for those of the second. What both give is
/// one output
pub fn together(
    ir: &mut Ir,
    (one, view): (Compute, &View),
    (other, second): (Compute, &View),
    dims: &[usize],
) -> Option<Composed> {
    let sizes = view.sizes();
    let own: Vec<AffineExpr> = (0..sizes.len() as u32).map(AffineExpr::Dim).collect();
    let coords: Vec<AffineExpr> = dims.iter().map(|dim| AffineExpr::Dim(*dim as u32)).collect();
    let place = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> =
            map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
        AffineMap::new(sizes.len() as u32, 0, results?)
    };
    let places: Vec<AffineMap> =
        second.outputs.iter().map(|out| place(&out.maps[0])).collect::<Option<_>>()?;
    let (first_body, second_body) = (ir.entry(one.body(ir))?, ir.entry(other.body(ir))?);
    let mut body = Body { block: ir.create_block(), inputs: Vec::new() };
    let both = body
        .instance(ir, (first_body, view), &own, &sizes)
        .and_then(|values| Some((values, body.instance(ir, (second_body, second), &coords, &sizes)?)));
    let Some((mut values, more)) = both else {
        ir.erase_block(body.block);
        return None;
    };
    let operator = |view: &View, out: usize| view.groups().and_then(|groups| Some(groups.get(out)?.operator));
    let mut types: Vec<Type> = ir.results(one.id()).map(|value| ir.ty(value)).collect();
    let (mut outputs, mut added) = (view.outputs.clone(), Vec::new());
    let mut made: Vec<Made> = (0..outputs.len()).map(Made::Output).collect();
    for (out, (map, value)) in places.into_iter().zip(more).enumerate() {
        let same = |n: &usize| {
            values[*n] == value && outputs[*n].maps[0] == map && operator(view, *n) == operator(second, out)
        };
        if let Some(n) = (0..view.outputs.len()).find(same) {
            made.push(Made::Output(n));
            continue;
        }
        made.push(Made::Output(outputs.len()));
        outputs.push(Output { maps: vec![map], init: None });
        types.push(ir.ty(ir.result(other.id(), out)));
        values.push(value);
        added.push(out);
    }
    Yield::build(&mut Builder::at_end(ir, body.block), &values);
    let mut all = View { inputs: body.inputs, outputs, ..view.clone() };
    for (dim, own) in second.dims.iter().zip(dims) {
        if let CombineKind::Pw(operators, _) = &mut all.dims[*own].kind {
            operators.extend(added.iter().filter_map(|out| dim.kind.operators().get(*out)));
        }
    }
    let op = all.build(&mut Builder::before(ir, other.id()), &types, body.block);
    Some(Composed { op, outputs: made })
}

/// Both bodies in one block: what the producer yields (once for each access of its own, the last one counts), and what the reader yields
fn joined(
    ir: &mut Ir,
    producer: &Producer,
    reader: Compute,
    view: &View,
    edges: &[Edge],
    body: &mut Body,
) -> Option<(Vec<Value>, Vec<Value>)> {
    let sizes = view.sizes();
    let old = ir.entry(reader.body(ir))?;
    let args = ir.block_args(old).to_vec();
    let mut instances: Vec<(&[AffineExpr], Vec<Value>)> = Vec::new();
    let own: Vec<AffineExpr> = (0..sizes.len() as u32).map(AffineExpr::Dim).collect();
    let places = edges.iter().map(|edge| edge.coords.as_slice());
    // Without an access, the producer is computed at the reader's own point.
    for coords in places.chain(edges.is_empty().then_some(own.as_slice())) {
        if instances.iter().all(|(other, _)| *other != coords) {
            let values = body.instance(ir, (producer.body, &producer.view), coords, &sizes)?;
            instances.push((coords, values));
        }
    }
    let mut map = ValueMap::default();
    for (n, (arg, input)) in args.into_iter().zip(&view.inputs).enumerate() {
        let value = match edges.iter().find(|edge| edge.input == n) {
            Some(edge) => {
                let (_, values) = instances.iter().find(|(coords, _)| *coords == edge.coords)?;
                *values.get(edge.result)?
            }
            None => body.argument(ir, input.clone(), arg),
        };
        map.insert(arg, value);
    }
    let yielded = body.copy(ir, old, &mut map, |dim| own.get(dim).cloned())?;
    Some((instances.pop()?.1, yielded))
}
