//! Parts and elements at places that are values: `dynamic_slice`, `dynamic_update_slice`, `gather`.
//!
//! Places are clamped so that all of the part is inside, as the specification has it.

use super::{Edge, Points, d};
use crate::tensors::Done;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::Index;
use terrace_dialect_stablehlo as hlo;
use terrace_dialect_tensor as tensor;
use terrace_ir::{BlockId, Builder, DYNAMIC, OpId, Value};

/// A number as an index, between zero and the last place
fn clamped(b: &mut Builder<'_>, number: Value, unsigned: bool, last: i64) -> Value {
    let cx = b.read().cx_arc().clone();
    let index = cx.common().index;
    let number = match unsigned {
        true => arith::IndexCastUI::build(b, number, index).out(b.read()),
        false => arith::IndexCast::build(b, number, index).out(b.read()),
    };
    let [zero, last] =
        [0, last.max(0)].map(|place| arith::Constant::build(b, cx.index_attr(place)).result(b.read()));
    let above = match unsigned {
        true => number,
        false => arith::MaxSI::build(b, number, zero).result(b.read()),
    };
    match unsigned {
        true => arith::MinUI::build(b, above, last).result(b.read()),
        false => arith::MinSI::build(b, above, last).result(b.read()),
    }
}

/// Where a part starts: numbers, and values where they are dynamic
fn offsets(
    edge: &mut Edge<'_>,
    op: OpId,
    starts: &[Value],
    whole: &[i64],
    part: &[i64],
) -> (Vec<i64>, Vec<Value>) {
    let (mut fixed, mut given) = (Vec::new(), Vec::new());
    for (start, (whole, part)) in starts.iter().zip(whole.iter().zip(part)) {
        let last = whole - part;
        match edge.number(*start).filter(|_| !edge.is_unsigned(*start)) {
            _ if last <= 0 => fixed.push(0),
            Some(number) => fixed.push(number.clamp(0, last)),
            None => {
                let unsigned = edge.is_unsigned(*start);
                let number = edge.only(op, *start);
                let place = clamped(&mut edge.before(op), number, unsigned, last);
                fixed.push(DYNAMIC);
                given.push(place);
            }
        }
    }
    (fixed, given)
}

pub(super) fn dynamic_slice(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let slice = hlo::DynamicSlice(op);
    let (from, starts, result) =
        (slice.operand(edge.ir), slice.start_indices(edge.ir), edge.ir.result(op, 0));
    let (whole, part) = (edge.sizes(from)?, edge.sizes(result)?);
    let (fixed, given) = offsets(edge, op, &starts, &whole, &part);
    let ty = edge.ir.ty(result);
    let mut b = edge.before(op);
    let [at, extents, ones] = [&fixed, &part, &vec![1; part.len()]].map(|list| b.cx().i64_array(list));
    let made =
        tensor::ExtractSlice::build(&mut b, from, &given, &[], &[], at, extents, ones, ty).result(b.read());
    edge.becomes(op, made)
}

pub(super) fn dynamic_update_slice(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let update = hlo::DynamicUpdateSlice(op);
    let (into, part, starts) =
        (update.operand(edge.ir), update.update(edge.ir), update.start_indices(edge.ir));
    let (whole, sizes) = (edge.sizes(into)?, edge.sizes(part)?);
    let (fixed, given) = offsets(edge, op, &starts, &whole, &sizes);
    let mut b = edge.before(op);
    let [at, extents, ones] = [&fixed, &sizes, &vec![1; sizes.len()]].map(|list| b.cx().i64_array(list));
    let made =
        tensor::InsertSlice::build(&mut b, part, into, &given, &[], &[], at, extents, ones).result(b.read());
    edge.becomes(op, made)
}

/// Coordinates of the result in a body
pub(super) fn coordinate(b: &mut Builder<'_>, dim: usize) -> Value {
    let (attr, index) = (b.cx().int_attr(dim as i128, b.cx().common().i64), b.cx().common().index);
    Index::build(b, attr, index).result(b.read())
}

/// Each element of the result is an element of the operand, at a place that the indices say
pub(super) fn gather(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let gather = hlo::Gather(op);
    let cx = edge.ir.cx_arc().clone();
    let (from, indices) = (gather.operand(edge.ir), gather.start_indices(edge.ir));
    let numbers = hlo::GatherDimensionNumbers::cast(&cx, gather.dimension_numbers(edge.ir))
        .ok_or("its numbers of dimensions are not there")?;
    let dims = numbers.dims(&cx);
    let (whole, ranks) = (edge.sizes(from)?, edge.sizes(indices)?.len());
    let results = edge.sizes(edge.ir.result(op, 0))?;
    let parts = gather.slice_sizes(edge.ir).as_dense_array(&cx).unwrap_or(&[]).to_vec();
    let vector = dims.index_vector as usize;
    // Dimensions of the result that choose an index, by the indices' dimensions without that of its numbers.
    let batch: Vec<usize> = (0..results.len()).filter(|n| !dims.offset.contains(&(*n as i64))).collect();
    let of_indices = |dim: i64| batch[dim as usize - usize::from(dim as usize > vector)];
    let mut points = Points::kept(edge, &results)?;
    let tensor = points.whole(edge, from)?;
    let mut places: Vec<Option<Value>> = vec![None; whole.len()];
    for (k, dim) in dims.index_map.iter().enumerate() {
        let dim = *dim as usize;
        let mut at: Vec<_> = batch.iter().map(|n| d(*n)).collect();
        if vector < ranks {
            at.insert(vector, (k as i64).into());
        }
        let number = points.read(edge, indices, at)?;
        let unsigned = edge.is_unsigned(indices);
        let mut b = Builder::at_end(edge.ir, points.block);
        places[dim] = Some(clamped(&mut b, number, unsigned, whole[dim] - parts[dim]));
    }
    for (dim, own) in dims.operand_batching.iter().zip(dims.indices_batching) {
        let mut b = Builder::at_end(edge.ir, points.block);
        places[*dim as usize] = Some(coordinate(&mut b, of_indices(*own)));
    }
    let left_out =
        |dim: usize| dims.collapsed.contains(&(dim as i64)) || dims.operand_batching.contains(&(dim as i64));
    let through: Vec<usize> = (0..whole.len()).filter(|dim| !left_out(*dim)).collect();
    for (dim, own) in through.into_iter().zip(dims.offset) {
        let mut b = Builder::at_end(edge.ir, points.block);
        let offset = coordinate(&mut b, *own as usize);
        places[dim] = Some(match places[dim] {
            Some(start) => arith::AddI::build(&mut b, start, offset).result(b.read()),
            None => offset,
        });
    }
    let value = read(edge, points.block, tensor, places);
    points.whole_result(edge, op, value);
    Ok(())
}

fn read(edge: &mut Edge<'_>, block: BlockId, tensor: Value, places: Vec<Option<Value>>) -> Value {
    let cx = edge.ir.cx_arc().clone();
    let mut b = Builder::at_end(edge.ir, block);
    let zero = arith::Constant::build(&mut b, cx.index_attr(0)).result(b.read());
    let places: Vec<Value> = places.into_iter().map(|place| place.unwrap_or(zero)).collect();
    tensor::Extract::build(&mut b, tensor, &places).result(b.read())
}
