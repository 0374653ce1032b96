//! Rules of ops with regions: reductions, windows, scatter, sort, map, control flow.

use super::shapes::{GatherNames, gather_dims};
use super::*;
use crate::windows::{Window, WindowAttrs, WindowError};

verify! {
    Reduce reduce;
    ReduceWindow reduce_window;
    SelectAndScatter select_and_scatter;
    Scatter scatter;
    Sort sort;
    Map map;
    While while_op;
    If |op: If, check: Check<'_>| {
        let ir = check.ir();
        check.require(check.rank(op.pred(ir)) == 0, || "expects a predicate of rank 0".into())?;
        branches(check, &[op.true_branch(ir), op.false_branch(ir)])
    };
    Case |op: Case, check: Check<'_>| {
        let ir = check.ir();
        check.require(check.rank(op.index(ir)) == 0, || "expects an index of rank 0".into())?;
        let all = op.branches(ir);
        check.require(!all.is_empty(), || "expect at least one branch".into())?;
        branches(check, &all)
    };
}

/// May an element of the first type become one of the second? The same kind, of the same width or wider
fn promotable(check: Check<'_>, from: Type, to: Type) -> bool {
    let cx = check.cx();
    if from == to {
        return true;
    }
    let wider = match (from.kind(cx), to.kind(cx)) {
        (TypeKind::Int { sign: a, .. }, TypeKind::Int { sign: b, .. }) => a == b && !types::is_pred(cx, to),
        (TypeKind::Float(_), TypeKind::Float(_)) => true,
        (TypeKind::Complex(a), TypeKind::Complex(b)) => return a.bit_width(cx) <= b.bit_width(cx),
        (TypeKind::Opaque { .. }, _) | (_, TypeKind::Opaque { .. }) => return true,
        _ => false,
    };
    wider && from.bit_width(cx) <= to.bit_width(cx)
}

/// The computation of a fold takes and gives scalars, one each for what is folded so far and one for what comes;
/// the types of its results
fn reducer(
    check: Check<'_>,
    region: RegionId,
    inputs: &[Type],
    inits: &[Type],
) -> Result<Vec<Type>, Reported> {
    let (block, returned) = check.body(region)?;
    let (count, args, given) = (inputs.len(), check.arg_types(block), check.value_types(&returned));
    check.require(args.len() == 2 * count, || {
        format!("Reduction-region must take {} parameters, but takes {} parameter(s)", 2 * count, args.len())
    })?;
    check.require(given.len() == count, || {
        format!("Reduction-region here must produce {count} tensors, but produces {} instead", given.len())
    })?;
    for (n, result) in given.iter().enumerate() {
        let text = || check.text(*result);
        let scalar = result.shape(check.cx()).is_some_and(<[i64]>::is_empty);
        check.require(scalar, || {
            format!("Reduction-region here must produce tensors of rank 0, but produces {} instead", text())
        })?;
        for at in [n, count + n] {
            check.require(args[at] == *result, || {
                let arg = check.text(args[at]);
                format!("The type of reduction-region's parameter at index {at} is different than the corresponding result type: {arg} vs {}", text())
            })?;
        }
        let elem = result.scalar(check.cx());
        let init = inits[n];
        check.require(init.shape(check.cx()).is_some_and(<[i64]>::is_empty), || {
            format!("The shape of reduction-region's result type at index {n} differs from the op's corresponding init-value type: {} vs {}", text(), check.text(init))
        })?;
        check.require(promotable(check, init.scalar(check.cx()), elem), || {
            format!("The element-type of reduction-region's result type at index {n} is expected to be promotable from the op's corresponding init-value element-type: {} vs {}", text(), check.text(init))
        })?;
        check.require(promotable(check, inputs[n].scalar(check.cx()), elem), || {
            let from = check.text(inputs[n].scalar(check.cx()));
            format!("The element-type of reduction-region's argument at index {} is expected to be promotable from {from}, but got {}", count + n, check.text(elem))
        })?;
    }
    Ok(given)
}

/// Inputs and starts are as many, and at least one; inputs have one shape
fn pairs(check: Check<'_>, inputs: &[Value], inits: &[Value]) -> Done {
    check.require(!inputs.is_empty() && inputs.len() == inits.len(), || {
        format!(
            "expects as many inputs as init values, at least one; got {} and {}",
            inputs.len(),
            inits.len()
        )
    })?;
    for (n, input) in inputs.iter().enumerate() {
        check.require(shapes_agree(check.shape(inputs[0]), check.shape(*input)), || {
            format!("expects all inputs to have compatible shapes. Shape at input-index {n} is not compatible with shape at input-index 0")
        })?;
    }
    let results = check.ir().num_results(check.op);
    check.require(results == inputs.len(), || {
        format!("expects as many results as inputs; got {results} and {}", inputs.len())
    })
}

fn reduce(op: Reduce, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (inputs, inits) = (op.inputs(ir), op.init_values(ir));
    pairs(check, &inputs, &inits)?;
    let (shape, dims) = (check.shape(inputs[0]), check.numbers(op.dimensions(ir)));
    for (n, dim) in dims.iter().enumerate() {
        check.require((0..shape.len() as i64).contains(dim), || {
            format!("Out-of-bounds dimension {dim}, expected to be in range [0, {})", shape.len())
        })?;
        check.require(!dims[..n].contains(dim), || format!("Duplicate reduction dimension: {dim}"))?;
    }
    let given = reducer(check, op.body(ir), &check.value_types(&inputs), &check.value_types(&inits))?;
    let left: Vec<i64> =
        (0..shape.len()).filter(|n| !dims.contains(&(*n as i64))).map(|n| shape[n]).collect();
    for (n, ty) in given.iter().enumerate() {
        check.nth_result_type(n, &left, ty.scalar(check.cx()))?;
    }
    Ok(())
}

impl ReduceWindow {
    /// The windows, or what is wrong with an attribute
    pub fn windows(self, ir: &Ir) -> Result<Vec<Window>, WindowError> {
        let cx = ir.cx();
        let list = |attr: Option<terrace_ir::Attr>| attr.map_or(&[][..], |attr| attrs::list(cx, attr));
        let attrs = WindowAttrs {
            sizes: attrs::list(cx, self.window_dimensions(ir)).to_vec(),
            strides: list(self.window_strides(ir)),
            padding: super::products::padding(cx, self.padding(ir))?,
            base_dilations: list(self.base_dilations(ir)),
            dilations: list(self.window_dilations(ir)),
            reversals: &[],
        };
        attrs.windows()
    }
}

impl SelectAndScatter {
    /// The windows, or what is wrong with an attribute
    pub fn windows(self, ir: &Ir) -> Result<Vec<Window>, WindowError> {
        let cx = ir.cx();
        let list = |attr: Option<terrace_ir::Attr>| attr.map_or(&[][..], |attr| attrs::list(cx, attr));
        let sizes = match self.window_dimensions(ir) {
            Some(attr) => attrs::list(cx, attr).to_vec(),
            None => vec![1; ir.ty(self.operand(ir)).shape(cx).map_or(0, <[i64]>::len)],
        };
        let padding = super::products::padding(cx, self.padding(ir))?;
        WindowAttrs { sizes, strides: list(self.window_strides(ir)), padding, ..WindowAttrs::default() }
            .windows()
    }
}

/// Windows for each dimension of a shape, and how many there are of each
fn counts(
    check: Check<'_>,
    windows: Result<Vec<Window>, WindowError>,
    shape: &[i64],
) -> Result<Vec<i64>, Reported> {
    let windows = match windows {
        Ok(windows) => windows,
        Err(message) => return check.fail(message),
    };
    check.require(windows.len() == shape.len(), || {
        format!(
            "expects window-dimensions size == input rank, but got window-dimensions size: {} and input: {} with rank = {}.",
            windows.len(),
            sizes_text(shape),
            shape.len()
        )
    })?;
    Ok(windows.iter().zip(shape).map(|(window, size)| window.count(*size)).collect())
}

fn reduce_window(op: ReduceWindow, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (inputs, inits) = (op.inputs(ir), op.init_values(ir));
    pairs(check, &inputs, &inits)?;
    let counts = counts(check, op.windows(ir), check.shape(inputs[0]))?;
    let given = reducer(check, op.body(ir), &check.value_types(&inputs), &check.value_types(&inits))?;
    for (n, ty) in given.iter().enumerate() {
        check.nth_result_type(n, &counts, ty.scalar(check.cx()))?;
    }
    Ok(())
}

fn select_and_scatter(op: SelectAndScatter, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (operand, source) = (op.operand(ir), op.source(ir));
    let (block, returned) = check.body(op.select(ir))?;
    let args = check.arg_types(block);
    check.require(args.len() == 2, || {
        format!("expects the select-region to take 2 parameters, but takes {}", args.len())
    })?;
    let wanted = check.scalar(check.elem(operand));
    for (n, arg) in args.iter().enumerate() {
        check.require(*arg == wanted, || {
            let (wanted, arg) = (check.text(wanted), check.text(*arg));
            format!(
                "expects the type of select-region's parameter at index {n} to be {wanted}, but got {arg}"
            )
        })?;
    }
    let given = check.value_types(&returned);
    check.require(given.len() == 1 && check.is_predicate(given[0]), || {
        format!(
            "expects the return-type of select-region to be tensor<i1>, but got: {}",
            check.texts(given.clone())
        )
    })?;
    let (of_source, init) = (check.ty(source), check.ty(op.init_value(ir)));
    reducer(check, op.scatter(ir), &[of_source], &[init])?;
    let counts = counts(check, op.windows(ir), check.shape(operand))?;
    let wanted = check.cx().tensor(&counts, check.elem(operand));
    check.require(check.types_agree(wanted, of_source), || {
        format!("expects source-type to be {}, but got {}", check.text(wanted), check.text(of_source))
    })?;
    check.result_type(check.shape(operand), check.elem(operand))
}

fn scatter(op: Scatter, check: Check<'_>) -> Done {
    let (ir, cx) = (check.ir(), check.cx());
    let count = ir.num_operands(check.op);
    check.require(count >= 3 && count % 2 == 1, || {
        format!("expects as many updates as inputs, and one tensor of indices; got {count} operands")
    })?;
    let (inputs, updates) = (op.inputs(ir), op.updates(ir));
    let results = ir.num_results(check.op);
    check.require(results == inputs.len(), || {
        format!("expects as many results as inputs; got {results} and {}", inputs.len())
    })?;
    for (list, what) in [(&inputs, "inputs"), (&updates, "updates")] {
        let same = list.iter().all(|value| shapes_agree(check.shape(list[0]), check.shape(*value)));
        check.require(same, || format!("Not all {what} have compatible shapes."))?;
    }
    let Some(dims) = ScatterDimensionNumbers::cast(cx, op.scatter_dimension_numbers(ir)) else {
        return Ok(());
    };
    let dims = dims.dims(cx);
    let indices = check.shape(op.scatter_indices(ir));
    let names = GatherNames {
        offset: "update_window_dims",
        collapsed: "inserted_window_dims",
        operand_batching: "input_batching_dims",
        indices_batching: "scatter_indices_batching_dims",
        index_map: "scatter_dims_to_operand_dims",
        indices: "scatter_indices",
    };
    gather_dims(check, &dims, &names, check.shape(inputs[0]), indices)?;
    update_shape(check, &dims, check.shape(inputs[0]), indices, check.shape(updates[0]))?;
    let starts: Vec<Type> = updates.iter().map(|value| check.scalar(check.elem(*value))).collect();
    let given = reducer(check, op.update_computation(ir), &check.value_types(&inputs), &starts)?;
    for (n, (input, ty)) in inputs.iter().zip(given).enumerate() {
        check.nth_result_type(n, check.shape(*input), ty.scalar(cx))?;
    }
    Ok(())
}

/// Updates have the dimensions of the indices and those of a slice, which fits into the input
fn update_shape(
    check: Check<'_>,
    dims: &GatherDims<'_>,
    input: &[i64],
    indices: &[i64],
    updates: &[i64],
) -> Done {
    let mut walked = indices.to_vec();
    if (dims.index_vector as usize) < walked.len() {
        walked.remove(dims.index_vector as usize);
    }
    let rank = walked.len() + dims.offset.len();
    check.require(updates.len() == rank, || {
        format!("expects updates tensor must be of rank {rank} ( == rank-of('scatter_indices') - 1 + size-of('update_window_dims'), where 'scatter_indices' is expanded by a trailing 1 dimension if 'index_vector_dim' == rank-of('scatter_indices')), but got {}.", updates.len())
    })?;
    check.in_range(dims.offset, rank as i64, "update_window_dims", "rank-of('updates')")?;
    let kept = (0..input.len() as i64)
        .filter(|dim| !dims.collapsed.contains(dim) && !dims.operand_batching.contains(dim));
    for (at, whole) in dims.offset.iter().zip(kept) {
        let (size, whole) = (updates[*at as usize], input[whole as usize]);
        check.require(size == DYNAMIC || whole == DYNAMIC || size <= whole, || {
            format!("expects bounds of the window dimensions of updates to not exceed the bounds of the corresponding dimensions of operand. For dimension {at}, updates bound is {size}, operand bound is {whole}.")
        })?;
    }
    let scattered = (0..rank).filter(|n| !dims.offset.contains(&(*n as i64)));
    for (at, wanted) in scattered.zip(walked) {
        check.require(agree(updates[at], wanted), || {
            format!("expects bounds of the scatter dimensions of updates to be same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension {at}, updates bound is {} , scatter_indices bound is {wanted}.", updates[at])
        })?;
    }
    Ok(())
}

fn sort(op: Sort, check: Check<'_>) -> Done {
    let ir = check.ir();
    let inputs = op.inputs(ir);
    let results = op.results(ir);
    check.require(!inputs.is_empty(), || "expected 1 or more operands, but found 0".into())?;
    let (given, wanted) = (check.value_types(&results), check.value_types(&inputs));
    check.require(check.lists_agree(&given, &wanted), || {
        let (wanted, given) = (check.texts(wanted.clone()), check.texts(given.clone()));
        format!("inferred type(s) {wanted} are incompatible with return type(s) of operation {given}")
    })?;
    let same = inputs.iter().all(|value| shapes_agree(check.shape(inputs[0]), check.shape(*value)));
    check.require(same, || "requires the same shape for all operands and results".into())?;
    let (dim, rank) = (op.dimension(ir).as_i64(check.cx()).unwrap_or(-1), check.rank(inputs[0]));
    check.require((-rank..rank).contains(&dim), || {
        format!("dimension attribute value must be in range [-{rank}, {rank}), but found {dim}")
    })?;
    let (block, returned) = check.body(op.comparator(ir))?;
    let args = check.arg_types(block);
    check.require(args.len() == 2 * inputs.len(), || {
        format!("comparator block should have {} arguments", 2 * inputs.len())
    })?;
    for (n, arg) in args.iter().enumerate() {
        let wanted = check.scalar(check.elem(inputs[n / 2]));
        check.require(*arg == wanted, || {
            let (wanted, arg) = (check.text(wanted), check.text(*arg));
            format!("comparator block argument #{n} should be of type {wanted} but got {arg}")
        })?;
    }
    check.require(returned.len() == 1, || {
        format!("comparator must return single output but got {}", returned.len())
    })?;
    check.require(check.is_predicate(check.ty(returned[0])), || {
        format!("comparator must return tensor<i1> but got {}", check.text(check.ty(returned[0])))
    })
}

fn map(op: Map, check: Check<'_>) -> Done {
    let ir = check.ir();
    let (inputs, dims) = (op.inputs(ir), check.numbers(op.dimensions(ir)));
    check.require(!inputs.is_empty(), || "expected 1 or more operands, but found 0".into())?;
    check.one_shape()?;
    let (block, returned) = check.body(op.computation(ir))?;
    let args = check.arg_types(block);
    check.require(args.len() == inputs.len(), || {
        let (given, args) = (inputs.len(), args.len());
        format!(
            "expects number of operands to match the arity of map computation, but got: {given} and {args}"
        )
    })?;
    for (n, arg) in args.iter().enumerate() {
        let wanted = check.scalar(check.elem(inputs[n]));
        check.require(*arg == wanted, || {
            let (wanted, arg) = (check.text(wanted), check.text(*arg));
            format!("computation arguments must be 0-rank tensor of the operand's elements, {wanted}, but got: arg #{n} of type {arg}")
        })?;
    }
    check.require(returned.len() == 1, || {
        format!("computation must return single output, but got: {}", returned.len())
    })?;
    check.require(check.rank(returned[0]) == 0, || {
        format!("computation must return 0-rank tensor, but got: {}", check.text(check.ty(returned[0])))
    })?;
    let all: Vec<i64> = (0..check.rank(inputs[0])).collect();
    check.require(dims == all, || {
        format!("requires the dimension numbers of all dimensions in order, but got: {}", sizes_text(dims))
    })?;
    check.result_type(check.shape(inputs[0]), check.elem(returned[0]))
}

fn while_op(op: While, check: Check<'_>) -> Done {
    let ir = check.ir();
    let carried = check.value_types(&op.operand(ir));
    let results = check.value_types(&op.results(ir));
    let (condition, decided) = check.body(op.cond(ir))?;
    let (body, returned) = check.body(op.body(ir))?;
    let lists = [
        (check.arg_types(condition), "expect operands to be compatible with condition block arguments"),
        (check.arg_types(body), "expect operands to be compatible with body block arguments"),
        (check.value_types(&returned), "expect operands to be compatible with body block return types"),
        (results, "expect operands to be compatible with results"),
    ];
    for (given, message) in lists {
        check.require(check.lists_agree(&carried, &given), || {
            let (carried, given) = (check.texts(carried.clone()), check.texts(given.clone()));
            format!("{message} but got {carried} vs {given}")
        })?;
    }
    check.require(decided.len() == 1, || {
        format!("expect condition body returns a single value but got {}", decided.len())
    })?;
    check.require(check.is_predicate(check.ty(decided[0])), || {
        let ty = check.text(check.ty(decided[0]));
        format!("expect condition block return a zero-ranked tensor of i1 but got {ty}")
    })
}

/// Branches take nothing and give the results
fn branches(check: Check<'_>, regions: &[RegionId]) -> Done {
    let ir = check.ir();
    let results: Vec<Type> = ir.results(check.op).map(|value| check.ty(value)).collect();
    let mut first = None;
    for (n, region) in regions.iter().enumerate() {
        let (block, returned) = check.body(*region)?;
        let args = ir.block_args(block).len();
        check.require(args == 0, || format!("branch {n} must have 0 arguments, but found {args}"))?;
        let given = check.value_types(&returned);
        let wanted = first.get_or_insert_with(|| given.clone());
        check.require(check.lists_agree(wanted, &given), || {
            let (wanted, given) = (check.texts(wanted.clone()), check.texts(given.clone()));
            format!("branch 0 and branch {n} have mismatched return types: {wanted} vs {given}")
        })?;
        check.require(check.lists_agree(&results, &given), || {
            let (given, results) = (check.texts(given.clone()), check.texts(results.clone()));
            format!("inferred type(s) {given} are incompatible with return type(s) of operation {results}")
        })?;
    }
    Ok(())
}
