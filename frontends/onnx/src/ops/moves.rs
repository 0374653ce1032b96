//! Operators that move elements: parts, borders, orders of dimensions.

use super::{MANY, Row, rows};
use crate::call::Call;
use crate::emit::Tensor;
use crate::wrong::Done;
use terrace_dialect_stablehlo as stablehlo;
use terrace_ir::Value;

pub(super) const ROWS: &[Row] = rows! {
    "Concat" 1..=MANY, ["axis"], concat;
    "DepthToSpace" 1..=1, ["blocksize", "mode"], depth_to_space;
    "Pad" 1..=4, ["mode", "pads", "value"], pad;
    "Slice" 1..=5, ["axes", "ends", "starts"], slice;
    "SpaceToDepth" 1..=1, ["blocksize"], space_to_depth;
    "Split" 1..=2, ["axis", "num_outputs", "split"], split;
    "Transpose" 1..=1, ["perm"], transpose;
};

pub(super) fn turned(c: &mut Call<'_, '_>, value: Value, order: &[i64]) -> Value {
    let shape = c.e.shape(value);
    let elem = c.e.elem(value);
    let cx = c.e.cx();
    let shape: Vec<i64> = order.iter().map(|dim| shape[*dim as usize]).collect();
    let (ty, order) = (cx.tensor(&shape, elem), cx.i64_array(order));
    stablehlo::Transpose::build(&mut c.e.b(), value, order, ty).result(c.e.ir)
}

fn transpose(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, value) = c.value(0)?;
    let rank = x.rank() as i64;
    let order = c.ints("perm")?.unwrap_or_else(|| (0..rank).rev().collect());
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..rank) {
        return Err(c.shape_wrong(format!("`perm` is {order:?}, no order of {rank} dimensions")));
    }
    let made = turned(c, value, &order);
    Ok(vec![c.made(made, x.elem)])
}

fn concat(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let inputs = (0..c.inputs.len()).map(|n| c.input(n)).collect::<Done<Vec<Tensor>>>()?;
    let axis = c.axis(c.int("axis", 1)?, inputs[0].rank())?;
    let mut shape = inputs[0].shape.clone();
    shape[axis] = 0;
    for x in &inputs {
        let same = x.elem == inputs[0].elem
            && x.rank() == shape.len()
            && (0..shape.len()).all(|n| n == axis || x.shape[n] == shape[n]);
        let size = shape[axis].checked_add(*x.shape.get(axis).unwrap_or(&0));
        let (true, Some(size)) = (same, size) else {
            let message = format!(
                "{}{:?} does not go behind {}{:?} along axis {axis}",
                x.elem.name(),
                x.shape,
                inputs[0].elem.name(),
                inputs[0].shape
            );
            return Err(c.shape_wrong(message));
        };
        shape[axis] = size;
    }
    let ty = c.ty(inputs[0].elem, &shape)?;
    let values: Vec<Value> = inputs.iter().map(|x| c.e.read(x)).collect();
    let cx = c.e.cx();
    let dim = cx.int_attr(axis as i128, cx.common().i64);
    let made = stablehlo::Concatenate::build(&mut c.e.b(), &values, dim, ty).result(c.e.ir);
    Ok(vec![c.made(made, inputs[0].elem)])
}

/// A part of a value: from places on, so many elements, at distances
fn part(c: &mut Call<'_, '_>, value: Value, starts: &[i64], counts: &[i64], steps: &[i64]) -> Value {
    let elem = c.e.elem(value);
    let end = |n: usize| if counts[n] == 0 { starts[n] } else { starts[n] + (counts[n] - 1) * steps[n] + 1 };
    let ends: Vec<i64> = (0..starts.len()).map(end).collect();
    let cx = c.e.cx();
    let ty = cx.tensor(counts, elem);
    let [starts, ends, steps] = [starts, &ends, steps].map(|all| cx.i64_array(all));
    stablehlo::Slice::build(&mut c.e.b(), value, starts, ends, steps, ty).result(c.e.ir)
}

/// Starts and ends are attributes up to version 9, then inputs; steps may go backwards
fn slice(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let x = c.input(0)?;
    let given = |n: usize, what: &str, name: &str| match c.known_ints_if(n, what)? {
        Some(all) => Ok(Some(all)),
        None => c.ints(name),
    };
    let none = || c.shape_wrong("`Slice` has starts and ends");
    let (starts, ends) = (given(1, "the starts", "starts")?, given(2, "the ends", "ends")?);
    let (starts, ends) = (starts.ok_or_else(none)?, ends.ok_or_else(none)?);
    let axes = given(3, "the axes", "axes")?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = c.known_ints_if(4, "the steps")?.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()].iter().any(|len| *len != starts.len()) {
        return Err(c.shape_wrong("starts, ends, axes and steps are equally many"));
    }
    c.axes(&axes, x.rank())?;
    let (mut from, mut counts) = (vec![0; x.rank()], x.shape.clone());
    let (mut distances, mut backwards) = (vec![1; x.rank()], Vec::new());
    for (n, axis) in axes.iter().enumerate() {
        let (dim, step) = (c.axis(*axis, x.rank())?, steps[n]);
        let size = x.shape[dim];
        let place = |at: i64| if at < 0 { at.saturating_add(size) } else { at };
        if step == 0 || step == i64::MIN {
            return Err(c.shape_wrong(format!("a step of {step}")));
        }
        let up = |from: i64, to: i64, step: i64| {
            if to <= from {
                0
            } else {
                ((i128::from(to) - i128::from(from) - 1) / i128::from(step) + 1) as i64
            }
        };
        if step > 0 {
            let (start, end) = (place(starts[n]).clamp(0, size), place(ends[n]).clamp(0, size));
            (from[dim], counts[dim]) = (start, up(start, end, step));
        } else {
            // Backwards from a start down to above an end: forwards from the last place, then turned around.
            let (start, end) = (place(starts[n]), place(ends[n]).clamp(-1, size - 1));
            // A start before the first element is the first, if there is one.
            let start = start.clamp(0.min(size - 1), size - 1);
            let count = up(end, start, -step);
            counts[dim] = count;
            from[dim] = if count == 0 { 0 } else { start + (count - 1) * step };
            backwards.push(dim as i64);
        }
        // Steps beyond the only element go nowhere.
        distances[dim] = if counts[dim] > 1 { step.abs() } else { 1 };
    }
    let value = c.e.read(&x);
    let mut made = part(c, value, &from, &counts, &distances);
    if !backwards.is_empty() {
        backwards.sort_unstable();
        let ty = c.e.ir.ty(made);
        let dims = c.e.cx().i64_array(&backwards);
        made = stablehlo::Reverse::build(&mut c.e.b(), made, dims, ty).result(c.e.ir);
    }
    Ok(vec![c.made(made, x.elem)])
}

/// Sizes of parts are an attribute up to version 12, then an input; without them parts are equal, the last one perhaps smaller
fn split(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, value) = c.value(0)?;
    let axis = c.axis(c.int("axis", 0)?, x.rank())?;
    let said = match c.known_ints_if(1, "the sizes")? {
        Some(all) => Some(all),
        None => c.ints("split")?,
    };
    let outputs = c.node.proto.output.len() as i64;
    let sizes = said.unwrap_or_else(|| {
        let size = (x.shape[axis] + outputs - 1) / outputs.max(1);
        (0..outputs).map(|n| size.min((x.shape[axis] - n * size).max(0))).collect()
    });
    let all = sizes.iter().try_fold(0i64, |all, size| all.checked_add(*size).filter(|_| *size >= 0));
    if all != Some(x.shape[axis]) || sizes.len() as i64 != outputs {
        let message = format!("{} elements in {outputs} parts of sizes {sizes:?}", x.shape[axis]);
        return Err(c.shape_wrong(message));
    }
    let (mut at, mut made) = (0, Vec::new());
    for size in sizes {
        let (mut starts, mut counts) = (vec![0; x.rank()], x.shape.clone());
        (starts[axis], counts[axis]) = (at, size);
        at += size;
        let part = part(c, value, &starts, &counts, &vec![1; x.rank()]);
        made.push(c.made(part, x.elem));
    }
    Ok(made)
}

/// Borders are an attribute up to version 10, then an input; less than nothing cuts off
fn pad(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let mode = c.text("mode", "constant")?;
    if mode != "constant" {
        return Err(c.no_form("mode", mode));
    }
    let (x, value) = c.value(0)?;
    let said = match c.known_ints_if(1, "the borders")? {
        Some(all) => all,
        None => c.ints("pads")?.ok_or_else(|| c.shape_wrong("`Pad` has no borders"))?,
    };
    let axes = c.known_ints_if(3, "the axes")?.unwrap_or_else(|| (0..x.rank() as i64).collect());
    c.axes(&axes, x.rank())?;
    if said.len() != 2 * axes.len() {
        return Err(c.shape_wrong(format!(
            "{} dimensions have {} borders, found {said:?}",
            axes.len(),
            2 * axes.len()
        )));
    }
    let (mut low, mut high, mut shape) = (vec![0; x.rank()], vec![0; x.rank()], x.shape.clone());
    for (n, axis) in axes.iter().enumerate() {
        let dim = c.axis(*axis, x.rank())?;
        (low[dim], high[dim]) = (said[n], said[n + axes.len()]);
        let size = shape[dim].checked_add(low[dim]).and_then(|size| size.checked_add(high[dim]));
        shape[dim] = size.ok_or_else(|| c.shape_wrong("its borders are too wide"))?;
    }
    let ty = c.ty(x.elem, &shape)?;
    let with = match c.optional(2) {
        Some(with) if with.elem != x.elem => {
            return Err(c.shape_wrong("the border has another type than the input"));
        }
        Some(with) => {
            let with = c.e.read(&with);
            if c.e.shape(with).iter().product::<i64>() != 1 {
                return Err(c.shape_wrong("the border is one number"));
            }
            c.e.reshape(with, &[])
        }
        None => c.splat(c.float("value", 0.0)?, x.elem, &[])?,
    };
    let cx = c.e.cx();
    let [low, high, between] = [low, high, vec![0; x.rank()]].map(|all| cx.i64_array(&all));
    let made = stablehlo::Pad::build(&mut c.e.b(), value, with, low, high, between, ty).result(c.e.ir);
    Ok(vec![c.made(made, x.elem)])
}

/// The sizes of an image in blocks
fn blocks(c: &Call<'_, '_>) -> Done<(Tensor, i64)> {
    let (x, block) = (c.input(0)?, c.int("blocksize", 0)?);
    match x.rank() == 4 && (1..1 << 10).contains(&block) {
        true => Ok((x, block)),
        false => Err(c.shape_wrong(format!("an input of shape {:?} has no blocks of {block}", x.shape))),
    }
}

fn depth_to_space(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, block) = blocks(c)?;
    let [n, depth, h, w] = [0, 1, 2, 3].map(|dim: usize| x.shape[dim]);
    if depth % (block * block) != 0 {
        return Err(c.shape_wrong(format!("{depth} features are no blocks of {block} by {block}")));
    }
    let depth = depth / (block * block);
    let value = c.e.read(&x);
    let made = match c.text("mode", "DCR")? {
        "DCR" => {
            let parts = c.e.reshape(value, &[n, block, block, depth, h, w]);
            turned(c, parts, &[0, 3, 4, 1, 5, 2])
        }
        "CRD" => {
            let parts = c.e.reshape(value, &[n, depth, block, block, h, w]);
            turned(c, parts, &[0, 1, 4, 2, 5, 3])
        }
        other => return Err(c.no_form("mode", other)),
    };
    let made = c.e.reshape(made, &[n, depth, h * block, w * block]);
    Ok(vec![c.made(made, x.elem)])
}

fn space_to_depth(c: &mut Call<'_, '_>) -> Done<Vec<Tensor>> {
    let (x, block) = blocks(c)?;
    let [n, depth, h, w] = [0, 1, 2, 3].map(|dim: usize| x.shape[dim]);
    if h % block != 0 || w % block != 0 {
        return Err(c.shape_wrong(format!("{h} by {w} elements are no blocks of {block}")));
    }
    let value = c.e.read(&x);
    let parts = c.e.reshape(value, &[n, depth, h / block, block, w / block, block]);
    let made = turned(c, parts, &[0, 3, 5, 1, 2, 4]);
    let made = c.e.reshape(made, &[n, depth * block * block, h / block, w / block]);
    Ok(vec![c.made(made, x.elem)])
}
