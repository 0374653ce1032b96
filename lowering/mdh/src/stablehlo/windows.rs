//! `reduce_window` and `convolution`: places of results and of windows are dimensions; what is read outside has no effect.

use super::moves::outside_constant;
use super::{Edge, Points, d};
use crate::tensors::{Done, few};
use terrace_dialect_builtin::marks;
use terrace_dialect_mdh::operator::{Builtin, Operator, identity};
use terrace_dialect_mdh::view::{CombineKind, Condition, Input, Order, Other, Output};
use terrace_dialect_stablehlo as hlo;
use terrace_dialect_stablehlo::windows::{Window, WindowAttrs, pairs};
use terrace_ir::{Attr, Ir, OpId, TypeKind, Value};
use terrace_support::affine::AffineExpr;

fn list<'e>(edge: &'e Edge<'_>, attr: Option<Attr>) -> &'e [i64] {
    attr.and_then(|attr| attr.as_dense_array(edge.ir.cx())).unwrap_or(&[])
}

/// Where a window reads: the index, and what must be 0 for an element to be there
struct Place {
    index: AffineExpr,
    guard: Option<AffineExpr>,
    /// May it be outside?
    leaves: bool,
}

/// The place of a result's element in its window, along one dimension
fn place(window: &Window, at: AffineExpr, inside: Option<AffineExpr>, base: i64) -> Place {
    let mut index = AffineExpr::mul(at, window.stride.into());
    if let Some(inside) = inside {
        let inside = match window.reversed {
            true => AffineExpr::sub((window.size - 1).into(), inside),
            false => inside,
        };
        index = index + AffineExpr::mul(inside, window.dilation.into());
    }
    if window.low != 0 {
        index = index - window.low.into();
    }
    let distance = window.base_dilation;
    let reach =
        (window.count(base) - 1).max(0) * window.stride + (window.size - 1) * window.dilation - window.low;
    let leaves = window.low > 0 || distance > 1 || reach > base - 1;
    if distance == 1 {
        return Place { index, guard: None, leaves };
    }
    let guard = Some(AffineExpr::modulo(index.clone(), distance.into()));
    Place { index: AffineExpr::floor_div(index, distance.into()), guard, leaves }
}

/// All guards at once: none of them is negative
fn all(guards: impl Iterator<Item = AffineExpr>) -> Option<AffineExpr> {
    guards.reduce(|all, guard| all + guard)
}

pub(super) fn reduce_window(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let reduce = hlo::ReduceWindow(op);
    let (inputs, starts) = (reduce.inputs(edge.ir), reduce.init_values(edge.ir));
    let ir = &*edge.ir;
    let padding = reduce.padding(ir).and_then(|attr| pairs(ir.cx(), attr)).unwrap_or_default();
    let attrs = WindowAttrs {
        sizes: list(edge, Some(reduce.window_dimensions(ir))).to_vec(),
        strides: list(edge, reduce.window_strides(ir)),
        padding,
        base_dilations: list(edge, reduce.base_dilations(ir)),
        dilations: list(edge, reduce.window_dilations(ir)),
        reversals: &[],
    };
    let windows = attrs.windows().map_err(|_| "its window has no form here")?;
    let entry = ir.entry(reduce.body(ir)).ok_or("its region has no block")?;
    let builtins = edge.operators(entry, inputs.len()).ok_or(
        "its region combines by no operator that has a name: add, multiply, maximum, minimum, and, or, xor",
    )?;
    let sizes = edge.sizes(*inputs.first().ok_or("it has no operands")?)?;
    let results = edge.sizes(edge.ir.result(op, 0))?;
    let operators = edge.accumulated(&builtins, &inputs);
    let rank = sizes.len();
    let begins: Vec<_> =
        starts.iter().zip(&builtins).map(|(start, builtin)| edge.start(*start, *builtin)).collect();
    if let Some((dim, backwards)) = prefix(&windows, &sizes).filter(|_| begins.iter().all(Option::is_none)) {
        return prefixes(edge, op, &inputs, operators, (dim, backwards));
    }
    let mut dims: Vec<(i64, CombineKind)> = results.iter().map(|size| (*size, CombineKind::Cc)).collect();
    let mut places = Vec::new();
    for (n, window) in windows.iter().enumerate() {
        let inside = (window.size > 1).then(|| d(dims.len()));
        places.push(place(window, d(n), inside, sizes[n]));
        if window.size > 1 {
            dims.push((window.size, CombineKind::Pw(operators.clone(), Order::Fixed)));
        }
    }
    few(&dims.iter().map(|(size, _)| *size).collect::<Vec<i64>>())?;
    let folds = dims.len() > rank;
    let mut points = Points::over(edge, dims);
    let one = Some(points.map(Vec::new())?);
    let (mut outputs, mut yields) = (Vec::new(), Vec::new());
    for ((input, begin), builtin) in inputs.iter().zip(begins).zip(&builtins) {
        if begin.is_some() && !folds {
            return Err(
                "a window of one element that starts from another value than its operator's has no form here"
                    .into(),
            );
        }
        yields.push(read(edge, &mut points, *input, &places, *builtin)?);
        outputs.push(Output {
            maps: vec![points.map((0..rank).map(d).collect())?],
            init: begin.map(|start| (start, one.clone())),
        });
    }
    points.finish(edge, op, outputs, &yields);
    Ok(())
}

/// An element of a window; the operator's neutral element outside
fn read(
    edge: &mut Edge<'_>,
    points: &mut Points,
    input: Value,
    places: &[Place],
    builtin: Builtin,
) -> Done<Value> {
    let at: Vec<AffineExpr> = places.iter().map(|place| place.index.clone()).collect();
    if !places.iter().any(|place| place.leaves) {
        return points.read(edge, input, at);
    }
    let elem = edge.ir.ty(input).scalar(edge.ir.cx());
    let neutral = identity(builtin, edge.ir.cx(), elem).ok_or("its operator has no neutral element")?;
    let guard = all(places.iter().filter_map(|place| place.guard.clone()));
    let map = Some(points.map(at)?);
    points.input(edge, Input { value: input, map, other: Some(Other::Constant(neutral)), guard })
}

/// Are the windows all that is before (or behind) each element, along one dimension?
fn prefix(windows: &[Window], sizes: &[i64]) -> Option<(usize, bool)> {
    let plain = |window: &Window| window.stride == 1 && window.dilation == 1 && window.base_dilation == 1;
    let mut wide = windows
        .iter()
        .enumerate()
        .filter(|(_, window)| window.size > 1 || window.low != 0 || window.high != 0);
    let (dim, window) = wide.next()?;
    if wide.next().is_some() || !windows.iter().all(plain) || window.size != sizes[dim] {
        return None;
    }
    match (window.low, window.high) {
        (low, 0) if low == window.size - 1 => Some((dim, false)),
        (0, high) if high == window.size - 1 => Some((dim, true)),
        _ => None,
    }
}

fn prefixes(
    edge: &mut Edge<'_>,
    op: OpId,
    inputs: &[Value],
    operators: Vec<Operator>,
    (dim, backwards): (usize, bool),
) -> Done<()> {
    let sizes = edge.sizes(inputs[0])?;
    few(&sizes)?;
    let kind = |n: usize| if n == dim { CombineKind::Ps(operators.clone()) } else { CombineKind::Cc };
    let dims = sizes.iter().enumerate().map(|(n, size)| (*size, kind(n))).collect();
    let mut points = Points::over(edge, dims);
    let at = |n: usize| match n == dim && backwards {
        true => AffineExpr::sub((sizes[n] - 1).into(), d(n)),
        false => d(n),
    };
    let at: Vec<AffineExpr> = (0..sizes.len()).map(at).collect();
    let (mut outputs, mut yields) = (Vec::new(), Vec::new());
    for input in inputs {
        yields.push(points.read(edge, *input, at.clone())?);
        outputs.push(Output { maps: vec![points.map(at.clone())?], init: None });
    }
    points.finish(edge, op, outputs, &yields);
    Ok(())
}

/// Groups of features: which of the features of an operand belong to one of the result
fn grouped(feature: AffineExpr, of_group: i64, groups: i64, size: i64, within: AffineExpr) -> AffineExpr {
    if groups == 1 {
        return within;
    }
    AffineExpr::mul(AffineExpr::floor_div(feature, of_group.into()), size.into()) + within
}

/// Is zero times each of its elements zero? Then what a border of zeros adds is nothing, and is left out
///
/// Of a sum of zeros alone the sign may differ.
fn is_finite(ir: &Ir, value: Value) -> bool {
    let is_int = matches!(ir.ty(value).scalar(ir.cx()).kind(ir.cx()), TypeKind::Int { .. });
    is_int || marks::of_argument(ir, value, marks::FINITE).is_some()
}

pub(super) fn convolution(edge: &mut Edge<'_>, op: OpId) -> Done<()> {
    let conv = hlo::Convolution(op);
    let cx = edge.ir.cx_arc().clone();
    let ir = &*edge.ir;
    let numbers = hlo::ConvDimensionNumbers::cast(&cx, conv.dimension_numbers(ir))
        .ok_or("its numbers of dimensions are not there")?;
    let [input, kernel, output] = numbers.dims(&cx);
    let (lhs, rhs) = (conv.lhs(ir), conv.rhs(ir));
    let (sizes, kernel_sizes, results) = (edge.sizes(lhs)?, edge.sizes(rhs)?, edge.sizes(ir.result(op, 0))?);
    let attrs = WindowAttrs {
        sizes: kernel.spatial.iter().map(|dim| kernel_sizes[*dim as usize]).collect(),
        strides: list(edge, conv.window_strides(ir)),
        padding: conv.padding(ir).and_then(|attr| pairs(&cx, attr)).unwrap_or_default(),
        base_dilations: list(edge, conv.lhs_dilation(ir)),
        dilations: list(edge, conv.rhs_dilation(ir)),
        reversals: list(edge, conv.window_reversal(ir)),
    };
    let windows = attrs.windows().map_err(|_| "its window has no form here")?;
    let (groups, batches) = (conv.feature_group_count(ir), conv.batch_group_count(ir));
    let (groups, batches) = (groups.as_i64(&cx).unwrap_or(1), batches.as_i64(&cx).unwrap_or(1));
    let elem = ir.ty(ir.result(op, 0)).scalar(&cx);
    let sum = edge.sum(elem);
    let mut dims: Vec<(i64, CombineKind)> = results.iter().map(|size| (*size, CombineKind::Cc)).collect();
    let mut summed = |size: i64| -> AffineExpr {
        if size == 1 {
            return 0.into();
        }
        dims.push((size, sum.clone()));
        d(dims.len() - 1)
    };
    let depth = kernel_sizes[kernel.first as usize];
    // What is contiguous in the operand is summed last.
    let last = input.first > input.second || input.spatial.iter().any(|dim| *dim > input.second);
    let before = last.then(|| summed(depth));
    let inner: Vec<AffineExpr> = windows.iter().map(|window| summed(window.size)).collect();
    let features = before.unwrap_or_else(|| summed(depth));
    few(&dims.iter().map(|(size, _)| *size).collect::<Vec<i64>>())?;

    let (image, feature) = (d(output.first as usize), d(output.second as usize));
    let count = results[output.second as usize];
    let (mut from, mut weights) =
        (vec![AffineExpr::from(0); sizes.len()], vec![AffineExpr::from(0); kernel_sizes.len()]);
    let images = results[output.first as usize];
    from[input.first as usize] = grouped(feature.clone(), count / batches.max(1), batches, images, image);
    from[input.second as usize] =
        grouped(feature.clone(), count / groups.max(1), groups, depth, features.clone());
    weights[kernel.first as usize] = features;
    weights[kernel.second as usize] = feature;
    let (mut guards, mut inside_of) = (Vec::new(), Vec::new());
    for (n, window) in windows.iter().enumerate() {
        let dim = input.spatial[n] as usize;
        let inside = Some(inner[n].clone()).filter(|_| window.size > 1);
        let place = place(window, d(output.spatial[n] as usize), inside, sizes[dim]);
        if place.leaves {
            let (low, expr) = (Some(0.into()), place.index.clone());
            inside_of.push(Condition { low, expr, high: sizes[dim].into() });
        }
        from[dim] = place.index;
        guards.extend(place.guard);
        weights[kernel.spatial[n] as usize] = inner[n].clone();
    }
    // Only what is summed can be left out.
    let sums = dims.iter().any(|(_, kind)| !kind.kept());
    let mut points = Points::over(edge, dims);
    let kept = (0..results.len()).map(d).collect();
    let read = if inside_of.is_empty() {
        points.read(edge, lhs, from)?
    } else if sums && guards.is_empty() && is_finite(edge.ir, rhs) {
        points.conditions = inside_of;
        points.read(edge, lhs, from)?
    } else {
        let other = Some(outside_constant(edge, lhs)?);
        let map = Some(points.map(from)?);
        points.input(edge, Input { value: lhs, map, other, guard: all(guards.into_iter()) })?
    };
    let sides = [read, points.read(edge, rhs, weights)?];
    let outputs = vec![Output { maps: vec![points.map(kept)?], init: None }];
    edge.accumulate(op, points, sides, outputs)
}
