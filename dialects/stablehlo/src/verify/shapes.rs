//! Rules of ops that make tensors or move their elements.

use super::*;

verify! {
    Iota |op: Iota, check: Check<'_>| {
        let rank = check.rank(op.output(check.ir()));
        check.require(rank > 0, || "does not support scalars.".into())?;
        let dim = op.iota_dimension(check.ir()).as_i64(check.cx()).unwrap_or(-1);
        check.require((0..rank).contains(&dim), || "iota dimension cannot go beyond the output rank.".into())
    };
    Reshape reshape;
    Transpose transpose;
    BroadcastInDim broadcast_in_dim;
    Broadcast |op: Broadcast, check: Check<'_>| {
        let operand = op.operand(check.ir());
        let sizes = check.numbers(op.broadcast_sizes(check.ir()));
        check.require(sizes.iter().all(|size| *size >= 0), || {
            format!("Broadcast with negative dimension size {}", sizes_text(sizes))
        })?;
        check.result_type(&[sizes, check.shape(operand)].concat(), check.elem(operand))
    };
    Slice slice;
    DynamicSlice dynamic_slice;
    DynamicUpdateSlice dynamic_update_slice;
    Concatenate concatenate;
    Pad pad;
    Reverse reverse;
    Gather gather;
    BitcastConvert bitcast_convert;
    RngBitGenerator |op: RngBitGenerator, check: Check<'_>| {
        let ir = check.ir();
        let (from, to) = (check.ty(op.initial_state(ir)), check.ty(op.output_state(ir)));
        check.require(check.types_agree(from, to), || {
            let (from, to) = (check.text(from), check.text(to));
            format!("output state shape must be compatible with initial state shape. Got: {from} and {to}")
        })
    };
}

fn reshape(op: Reshape, check: Check<'_>) -> Done {
    let (operand, result) = (op.operand(check.ir()), op.result(check.ir()));
    check.one_element(&[operand])?;
    let count = |value| check.ty(value).num_elements(check.cx());
    let (Some(from), Some(to)) = (count(operand), count(result)) else { return Ok(()) };
    check.require(from == to, || {
        format!("number of output elements ({to}) doesn't match expected number of elements ({from})")
    })
}

fn transpose(op: Transpose, check: Check<'_>) -> Done {
    let operand = op.operand(check.ir());
    let (shape, order) = (check.shape(operand), check.numbers(op.permutation(check.ir())));
    let rank = shape.len();
    check.require(order.len() == rank, || {
        format!("TransposeOp operand rank {rank} does not match permutation size {}", order.len())
    })?;
    let range: Vec<i64> = (0..rank as i64).collect();
    check.require(is_unique(order) && order.iter().all(|dim| range.contains(dim)), || {
        let (range, order) = (sizes_text(&range), sizes_text(order));
        format!("attribute permutation must be a permutation of {range} but got {order}")
    })?;
    let turned: Vec<i64> = order.iter().map(|dim| shape[*dim as usize]).collect();
    check.result_type(&turned, check.elem(operand))
}

fn broadcast_in_dim(op: BroadcastInDim, check: Check<'_>) -> Done {
    let operand = op.operand(check.ir());
    check.one_element(&[operand])?;
    let dims = check.numbers(op.broadcast_dimensions(check.ir()));
    let (shape, result) = (check.shape(operand), check.shape(check.result()));
    check.require(dims.len() == shape.len(), || {
        format!("broadcast_dimensions size ({}) does not match operand rank ({})", dims.len(), shape.len())
    })?;
    check.require(is_unique(dims), || "broadcast_dimensions should not have duplicates".into())?;
    for (n, (dim, size)) in dims.iter().zip(shape).enumerate() {
        let Some(wanted) = usize::try_from(*dim).ok().and_then(|dim| result.get(dim)) else {
            let rank = result.len();
            return check.fail(format!(
                "broadcast_dimensions contains invalid value {dim} for result with rank {rank}"
            ));
        };
        check.require(*size == 1 || agree(*size, *wanted), || {
            format!(
                "size of operand dimension {n} ({size}) is not equal to 1 or size of result dimension {dim} ({wanted})"
            )
        })?;
    }
    Ok(())
}

fn slice(op: Slice, check: Check<'_>) -> Done {
    let ir = check.ir();
    let operand = op.operand(ir);
    let shape = check.shape(operand);
    let [starts, limits, strides] =
        [op.start_indices(ir), op.limit_indices(ir), op.strides(ir)].map(|attr| check.numbers(attr));
    check.require(starts.len() == shape.len(), || {
        let (given, rank) = (starts.len(), shape.len());
        format!("the number of elements in start_indices ({given}) does not match the rank of the operand ({rank})")
    })?;
    check.require(limits.len() == starts.len() && strides.len() == starts.len(), || {
        "failed to verify that all of {start_indices, limit_indices, strides} have same size".into()
    })?;
    let mut sizes = Vec::new();
    for (n, size) in shape.iter().enumerate() {
        let (start, limit, stride) = (starts[n], limits[n], strides[n]);
        check.require(start >= 0, || format!("negative start index {start} in dimension {n}"))?;
        check.require(*size == DYNAMIC || limit <= *size, || {
            format!("limit index {limit} is larger than dimension size {size} in dimension {n}")
        })?;
        check.require(start <= limit, || {
            format!("start index {start} is larger than limit index {limit} in dimension {n}")
        })?;
        check.require(stride > 0, || format!("stride must be positive but got {stride} in dimension {n}"))?;
        sizes.push((limit - start).unsigned_abs().div_ceil(stride.unsigned_abs()) as i64);
    }
    check.result_type(&sizes, check.elem(operand))
}

/// Start indices are of one type
fn one_index_type(check: Check<'_>, indices: &[Value]) -> Done {
    let same = indices.windows(2).all(|pair| check.elem(pair[0]) == check.elem(pair[1]));
    check.require(same, || "start indices must have same element type".into())
}

fn dynamic_slice(op: DynamicSlice, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (operand, starts) = (op.operand(ir), op.start_indices(ir));
    let (shape, sizes) = (check.shape(operand), check.numbers(op.slice_sizes(ir)));
    let (indices, rank) = (starts.len(), shape.len());
    check.require(indices == sizes.len(), || {
        let sizes = sizes.len();
        format!("has mismatched number of slice sizes ({sizes}) and number of start indices ({indices})")
    })?;
    check.require(indices == rank, || {
        format!("has mismatched number of start indices ({indices}) and the rank of operand ({rank})")
    })?;
    one_index_type(check, &starts)?;
    for (n, (size, whole)) in sizes.iter().zip(shape).enumerate() {
        check.require(*size >= 0, || format!("has negative size index to dynamic slice: {size}"))?;
        check.require(*whole == DYNAMIC || size <= whole, || {
            format!("has slice size {size} greater than dimension size {whole} in dimension {n} of operand")
        })?;
    }
    check.result_type(sizes, check.elem(operand))
}

fn dynamic_update_slice(op: DynamicUpdateSlice, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (operand, update, starts) = (op.operand(ir), op.update(ir), op.start_indices(ir));
    check.one_element(&[operand, update])?;
    let (rank, given) = (check.rank(operand), check.rank(update));
    check
        .require(given == rank, || format!("update rank does not match operand rank: {given} vs {rank}."))?;
    check.require(starts.len() as i64 == rank, || {
        format!("expects number of start_indices to match operand rank: {} vs {rank}.", starts.len())
    })?;
    one_index_type(check, &starts)?;
    for (n, (size, whole)) in check.shape(update).iter().zip(check.shape(operand)).enumerate() {
        check.require(*size == DYNAMIC || *whole == DYNAMIC || size <= whole, || {
            format!("expects size at dimension {n} of update to be in range [0, {whole}]. Got: {size}.")
        })?;
    }
    check.result_type(check.shape(operand), check.elem(operand))
}

fn concatenate(op: Concatenate, check: Check<'_>) -> Done {
    let inputs = op.inputs(check.ir());
    let Some(first) = inputs.first() else { return check.fail("expected 1 or more operands, but found 0") };
    check.one_element(&inputs)?;
    let mut shape = check.shape(*first).to_vec();
    let rank = shape.len();
    let dim = op.dimension(check.ir()).as_i64(check.cx()).unwrap_or(-1);
    check.require(rank > 0, || "rank-0 values cannot be concatenated".into())?;
    let Some(at) = usize::try_from(dim).ok().filter(|dim| *dim < rank) else {
        return check.fail(format!("dimension {dim} is out-of-bounds for input rank {rank}"));
    };
    for (n, input) in inputs.iter().enumerate().skip(1) {
        let other = check.shape(*input);
        check.require(other.len() == rank, || format!("operands (0) and ({n}) do not match rank"))?;
        for (d, size) in other.iter().enumerate() {
            check.require(d == at || agree(shape[d], *size), || {
                let (a, b) = (sizes_text(check.shape(*first)), sizes_text(other));
                format!(
                    "shapes of operand (0) and ({n}) are not compatible at non-concat index {d}: {a} != {b}"
                )
            })?;
            shape[d] = match d == at {
                true => terrace_dialect_shapes::numbers::plus(shape[d], *size),
                false if shape[d] == DYNAMIC => *size,
                false => shape[d],
            };
        }
    }
    check.result_type(&shape, check.elem(*first))
}

fn pad(op: Pad, check: Check<'_>) -> Done {
    let ir = check.ir();
    let operand = op.operand(ir);
    check.one_element(&[operand, op.padding_value(ir)])?;
    let shape = check.shape(operand);
    let [low, high, interior] = [op.edge_padding_low(ir), op.edge_padding_high(ir), op.interior_padding(ir)]
        .map(|attr| check.numbers(attr));
    let rank = shape.len();
    for (list, name) in
        [(low, "edge_padding_low"), (high, "edge_padding_high"), (interior, "interior_padding")]
    {
        check.require(list.len() == rank, || {
            format!("{name} length ({}) must match operand rank ({rank})", list.len())
        })?;
    }
    let mut sizes = Vec::new();
    for (n, size) in shape.iter().enumerate() {
        let inner = interior[n];
        check.require(inner >= 0, || format!("Interior padding cannot be negative: {inner}"))?;
        if *size == DYNAMIC {
            sizes.push(DYNAMIC);
            continue;
        }
        let between = i128::from((*size - 1).max(0)) * i128::from(inner);
        let all = i128::from(*size) + i128::from(low[n]) + i128::from(high[n]) + between;
        check.require(all >= 0, || format!("Padding result in negative size for dimension {n}"))?;
        let Ok(all) = i64::try_from(all) else {
            return check.fail(format!("the size of dimension {n} does not fit 64 bits"));
        };
        sizes.push(all);
    }
    check.result_type(&sizes, check.elem(operand))
}

fn reverse(op: Reverse, check: Check<'_>) -> Done {
    check.one_type()?;
    let dims = check.numbers(op.dimensions(check.ir()));
    let rank = check.rank(op.operand(check.ir()));
    check.require(is_unique(dims), || format!("dimensions should be unique. Got: {}", sizes_text(dims)))?;
    for dim in dims {
        check.require((0..rank).contains(dim), || {
            format!("all dimensions should be between [0, {rank}). Got dimension: {dim}.")
        })?;
    }
    Ok(())
}

fn gather(op: Gather, check: Check<'_>) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    let (operand, indices) = (op.operand(ir), op.start_indices(ir));
    let Some(dims) = GatherDimensionNumbers::cast(cx, op.dimension_numbers(ir)) else { return Ok(()) };
    let dims = dims.dims(cx);
    let names = GatherNames {
        offset: "offset_dims",
        collapsed: "collapsed_slice_dims",
        operand_batching: "operand_batching_dims",
        indices_batching: "start_indices_batching_dims",
        index_map: "start_index_map",
        indices: "start_indices",
    };
    gather_dims(check, &dims, &names, check.shape(operand), check.shape(indices))?;
    let (shape, sizes) = (check.shape(operand), check.numbers(op.slice_sizes(ir)));
    check.require(sizes.len() == shape.len(), || {
        format!("slice_sizes size ({}) not equal to operand rank ({})", sizes.len(), shape.len())
    })?;
    for (list, name) in [(dims.collapsed, names.collapsed), (dims.operand_batching, names.operand_batching)] {
        for dim in list {
            let size = sizes[*dim as usize];
            check.require(size <= 1, || {
                format!(
                    "Expects that for each dim in {name}, slice_sizes[dim] should be <= 1, but got {size}"
                )
            })?;
        }
    }
    for (n, (size, whole)) in sizes.iter().zip(shape).enumerate() {
        check.require(*size >= 0 && (*whole == DYNAMIC || size <= whole), || {
            format!("slice size ({size}) is out of bounds for operand dimension ({whole}) at index {n}")
        })?;
    }
    let mut walked = check.shape(indices).to_vec();
    if (dims.index_vector as usize) < walked.len() {
        walked.remove(dims.index_vector as usize);
    }
    let rank = walked.len() + dims.offset.len();
    check.in_range(dims.offset, rank as i64, names.offset, "implied-result-rank")?;
    let kept = (0..shape.len() as i64)
        .filter(|dim| !dims.collapsed.contains(dim) && !dims.operand_batching.contains(dim));
    let (mut kept, mut walked) = (kept.map(|dim| sizes[dim as usize]), walked.into_iter());
    let result: Vec<i64> = (0..rank as i64)
        .filter_map(|n| if dims.offset.contains(&n) { kept.next() } else { walked.next() })
        .collect();
    check.result_type(&result, check.elem(operand))
}

/// Names of the fields in messages
pub(super) struct GatherNames {
    pub offset: &'static str,
    pub collapsed: &'static str,
    pub operand_batching: &'static str,
    pub indices_batching: &'static str,
    pub index_map: &'static str,
    pub indices: &'static str,
}

/// What holds of the dimension numbers of gather and scatter alike
pub(super) fn gather_dims(
    check: Check<'_>,
    dims: &GatherDims<'_>,
    names: &GatherNames,
    operand: &[i64],
    indices: &[i64],
) -> Done {
    let (rank, index_rank) = (operand.len() as i64, indices.len() as i64);
    let implied = dims.offset.len() + dims.collapsed.len() + dims.operand_batching.len();
    let GatherNames { offset, collapsed, operand_batching, indices_batching, index_map, indices: of } = names;
    check.require(implied == operand.len(), || {
        format!(
            "{offset} size ({}) plus {collapsed} size ({}) plus {operand_batching} size ({}) is not equal to operand rank ({rank})",
            dims.offset.len(),
            dims.collapsed.len(),
            dims.operand_batching.len()
        )
    })?;
    let vector = dims.index_vector;
    check.require((0..=index_rank).contains(&vector), || {
        format!(
            "Expects index_vector_dim to be in range [0, rank-of('{of}')] i.e. [0, {index_rank}]. got: {vector}."
        )
    })?;
    let size = indices.get(vector as usize).copied().unwrap_or(1);
    check.require(agree(size, dims.index_map.len() as i64), || {
        let map = dims.index_map.len();
        format!(
            "{index_map} size ({map}) is not equal to size of index dimension ({vector}) of {of} ({size})"
        )
    })?;
    check.sorted(dims.offset, offset)?;
    check.once(dims.offset, offset)?;
    check.distinct(dims.collapsed, dims.operand_batching, [collapsed, operand_batching])?;
    check.sorted(dims.collapsed, collapsed)?;
    check.in_range(dims.collapsed, rank, collapsed, "rank-of('operand')")?;
    check.sorted(dims.operand_batching, operand_batching)?;
    check.in_range(dims.operand_batching, rank, operand_batching, "rank-of('operand')")?;
    check.once(dims.indices_batching, indices_batching)?;
    check.in_range(dims.indices_batching, index_rank, indices_batching, &format!("rank-of('{of}')"))?;
    check.require(!dims.indices_batching.contains(&vector), || {
        format!("expects {indices_batching} not to include index_vector_dim {vector}")
    })?;
    check.require(dims.operand_batching.len() == dims.indices_batching.len(), || {
        format!("{operand_batching} and {indices_batching} should have the same size")
    })?;
    for (n, (a, b)) in dims.operand_batching.iter().zip(dims.indices_batching).enumerate() {
        let (a, b) = (operand[*a as usize], indices[*b as usize]);
        check.require(agree(a, b), || {
            format!(
                "{operand_batching}[{n}] and {indices_batching}[{n}] must have compatible sizes, but got {a} and {b}"
            )
        })?;
    }
    check.distinct(dims.index_map, dims.operand_batching, [index_map, operand_batching])?;
    check.in_range(dims.index_map, rank, index_map, "rank-of('operand')")
}

/// Bits of an element, of both parts of a complex number
fn bits(cx: &Context, elem: Type) -> i64 {
    match elem.kind(cx) {
        TypeKind::Complex(part) => 2 * i64::from(part.bit_width(cx).unwrap_or(0)),
        _ => i64::from(elem.bit_width(cx).unwrap_or(0)),
    }
}

fn bitcast_convert(op: BitcastConvert, check: Check<'_>) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    let (operand, result) = (op.operand(ir), op.result(ir));
    let (from, to) = (check.elem(operand), check.elem(result));
    let texts = || [check.text(check.ty(operand)), check.text(check.ty(result))];
    check.require(types::is_complex(cx, from) == types::is_complex(cx, to), || {
        let [a, b] = texts();
        format!("cannot convert between real and complex types, but got: {a} and {b}")
    })?;
    let (from, to) = (bits(cx, from), bits(cx, to));
    let (small, big) = match from < to {
        true => (check.shape(operand), check.shape(result)),
        false => (check.shape(result), check.shape(operand)),
    };
    let mut prefix = small;
    if from != to {
        let (less, more) = (small.len(), big.len());
        check.require(less == more + 1, || {
            format!("rank of smaller element type ({less}) should be 1 more than rank of larger element type ({more}), but {less} != {more} + 1.")
        })?;
        let (narrow, wide, count) = (from.min(to), from.max(to), small[more]);
        check.require(count == DYNAMIC || count.checked_mul(narrow) == Some(wide), || {
            let [a, b] = texts();
            format!("requires compatible bit widths. Got: {a} and {b}, but {narrow} * {count} != {wide}.")
        })?;
        prefix = &small[..more];
    }
    check.require(shapes_agree(prefix, big), || {
        let [a, b] = texts();
        format!("operand and result shapes must match except for the innermost dimension of the shape with the smaller element type. Got: {a} and {b}.")
    })
}
