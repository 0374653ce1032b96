//! `scatter`: updates are combined with what a tensor holds, one after the other, in loops.

use super::Edge;
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_scf as scf;
use terrace_dialect_stablehlo as hlo;
use terrace_dialect_tensor as tensor;
use terrace_ir::{BlockId, Builder, OpId, Type, Value};

/// Loops in each other that carry values
pub(super) struct Loops {
    pub outermost: OpId,
    /// The block of the innermost one
    pub block: BlockId,
    pub places: Vec<Value>,
    /// What is carried, in the innermost one
    pub carried: Vec<Value>,
}

impl Loops {
    /// What is built by the function yields the values that go on; inner loops yield theirs
    pub(super) fn of(
        edge: &mut Edge<'_>,
        at: (Option<OpId>, Option<BlockId>),
        sizes: &[i64],
        inits: &[Value],
    ) -> Done<Loops> {
        let cx = edge.ir.cx_arc().clone();
        let kinds: Vec<Type> = inits.iter().map(|value| edge.ir.ty(*value)).collect();
        let (mut outermost, mut inside, mut places) = (None, at.1, Vec::new());
        let mut carried = inits.to_vec();
        // A tensor without dimensions has one element.
        let sizes = if sizes.is_empty() { &[1] } else { sizes };
        for size in sizes {
            let mut b = match (inside, at.0) {
                (Some(block), _) => Builder::at_end(edge.ir, block),
                (None, Some(op)) => edge.before(op),
                (None, None) => return Err("a loop has no place".into()),
            };
            let [low, high, step] =
                [0, *size, 1].map(|n| arith::Constant::build(&mut b, cx.index_attr(n)).result(b.read()));
            let made = scf::For::build(&mut b, low, high, step, &carried, &kinds);
            if let (Some(block), Some(_)) = (inside, outermost) {
                let values: Vec<Value> = edge.ir.results(made.id()).collect();
                scf::Yield::build(&mut Builder::at_end(edge.ir, block), &values);
            }
            outermost = outermost.or(Some(made.id()));
            let region = made.region(edge.ir);
            let block = match edge.ir.entry(region) {
                Some(block) => block,
                None => edge.ir.append_block(region),
            };
            if edge.ir.block_args(block).is_empty() {
                edge.ir.add_block_arg(block, cx.common().index);
                for kind in &kinds {
                    edge.ir.add_block_arg(block, *kind);
                }
            }
            places.push(edge.ir.block_args(block)[0]);
            carried = edge.ir.block_args(block)[1..].to_vec();
            inside = Some(block);
        }
        let (outermost, block) = outermost.zip(inside).ok_or("a loop has no place")?;
        Ok(Loops { outermost, block, places, carried })
    }

    /// What the innermost one gives
    pub(super) fn end(&self, edge: &mut Edge<'_>, values: &[Value]) {
        scf::Yield::build(&mut Builder::at_end(edge.ir, self.block), values);
    }
}

/// Is the place inside of the tensor? And a place that is
pub(super) fn inside(b: &mut Builder<'_>, places: &[Value], sizes: &[i64]) -> (Value, Vec<Value>) {
    let cx = b.read().cx_arc().clone();
    let zero = arith::Constant::build(b, cx.index_attr(0)).result(b.read());
    let mut all = arith::Constant::build(b, cx.bool_attr(true)).result(b.read());
    for (place, size) in places.iter().zip(sizes) {
        let size = arith::Constant::build(b, cx.index_attr(*size)).result(b.read());
        // Negative numbers are large ones without sign.
        let fits = arith::CmpI::build(b, *place, size, arith::CmpIPredicate::Ult).result(b.read());
        all = arith::AndI::build(b, all, fits).result(b.read());
    }
    let safe =
        places.iter().map(|place| arith::Select::build(b, all, *place, zero).result(b.read())).collect();
    (all, safe)
}

pub(super) fn scatter(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let scatter = hlo::Scatter(op);
    let cx = edge.ir.cx_arc().clone();
    let numbers = hlo::ScatterDimensionNumbers::cast(&cx, scatter.scatter_dimension_numbers(edge.ir))
        .ok_or("its numbers of dimensions are not there")?;
    let dims = numbers.dims(&cx);
    let (inputs, indices, updates) =
        (scatter.inputs(edge.ir), scatter.scatter_indices(edge.ir), scatter.updates(edge.ir));
    let first = *updates.first().ok_or("it has no updates")?;
    let (whole, extents, ranks) = (edge.sizes(inputs[0])?, edge.sizes(first)?, edge.sizes(indices)?.len());
    if whole.contains(&0) || extents.contains(&0) {
        return super::control::barrier(edge, op);
    }
    let entry = edge.ir.entry(scatter.update_computation(edge.ir)).ok_or("its region has no block")?;
    let loops = Loops::of(edge, (Some(op), None), &extents, &inputs)?;
    let places = &loops.places[..extents.len()];
    let batch: Vec<Value> =
        (0..extents.len()).filter(|n| !dims.offset.contains(&(*n as i64))).map(|n| places[n]).collect();
    let vector = dims.index_vector as usize;
    let unsigned = edge.is_unsigned(indices);
    let index = cx.common().index;
    let mut b = Builder::at_end(edge.ir, loops.block);
    let zero = arith::Constant::build(&mut b, cx.index_attr(0)).result(b.read());
    let mut at = vec![zero; whole.len()];
    for (k, dim) in dims.index_map.iter().enumerate() {
        let mut from = batch.clone();
        if vector < ranks {
            let k = arith::Constant::build(&mut b, cx.index_attr(k as i64)).result(b.read());
            from.insert(vector, k);
        }
        let number = tensor::Extract::build(&mut b, indices, &from).result(b.read());
        at[*dim as usize] = match unsigned {
            true => arith::IndexCastUI::build(&mut b, number, index).out(b.read()),
            false => arith::IndexCast::build(&mut b, number, index).out(b.read()),
        };
    }
    for (dim, own) in dims.operand_batching.iter().zip(dims.indices_batching) {
        at[*dim as usize] = batch[*own as usize - usize::from(*own as usize > vector)];
    }
    let left_out =
        |dim: usize| dims.collapsed.contains(&(dim as i64)) || dims.operand_batching.contains(&(dim as i64));
    let through = (0..whole.len()).filter(|dim| !left_out(*dim));
    for (dim, own) in through.zip(dims.offset) {
        at[dim] = arith::AddI::build(&mut b, at[dim], places[*own as usize]).result(b.read());
    }
    let (fits, safe) = inside(&mut b, &at, &whole);
    let old: Vec<Value> = loops
        .carried
        .iter()
        .map(|tensor| tensor::Extract::build(&mut b, *tensor, &safe).result(b.read()))
        .collect();
    let new: Vec<Value> = updates
        .iter()
        .map(|update| tensor::Extract::build(&mut b, *update, places).result(b.read()))
        .collect();
    let values = edge.body(loops.block).region(entry, &[old.clone(), new].concat())?;
    let mut b = Builder::at_end(edge.ir, loops.block);
    let mut made = Vec::new();
    for ((value, old), tensor) in values.into_iter().zip(old).zip(&loops.carried) {
        let value = arith::Select::build(&mut b, fits, value, old).result(b.read());
        made.push(tensor::Insert::build(&mut b, value, *tensor, &safe).result(b.read()));
    }
    loops.end(edge, &made);
    edge.replaced(op, loops.outermost);
    Ok(())
}
