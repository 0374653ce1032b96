//! Ops that become several: states of floats, padding, one-hot rows.

use super::{Made, Start, attr, compare, number, numbers, out, reduce, whole};
use crate::emit::Emit;
use crate::graph::Op;
use crate::{Wrong, codes};
use terrace_dialect_stablehlo as stablehlo;
use terrace_dialect_stablehlo::ComparisonDirection;
use terrace_ir::Type;

/// An op with the output's elements of another type
fn with_output<'a>(op: &Op<'a>, elem: &str) -> Op<'a> {
    let mut other = op.clone();
    other.outputs[0].elem = elem.to_owned();
    other
}

/// No number is unequal to itself
pub(super) fn is_nan(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let input = op.inputs[0].clone();
    compare(e, &Op { inputs: vec![input.clone(), input], ..op.clone() }, ComparisonDirection::Ne)
}

pub(super) fn is_inf(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (value, ty) = (whole(e, op, 0)?, e.ty(out(op))?);
    let given = e.ir.ty(value);
    let size = e.value(stablehlo::Abs::DEF, &[value], given);
    let infinite = number(e, op, f64::INFINITY, given)?;
    let made = stablehlo::Compare::build(&mut e.b(), size, infinite, ComparisonDirection::Eq, ty);
    Ok(made.result(e.ir))
}

/// Does one of all elements hold? 1 or 0 in the type of the output
pub(super) fn elem_any(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let ty = e.ty(out(op))?;
    let input = &op.inputs[0];
    if input.elem != "bool" {
        let message =
            format!("`{}` takes elements of bool; those of `{}` are {}", op.name, input.name, input.elem);
        return Err(Wrong::new(input.at, &codes::SHAPE, message));
    }
    let mut any = with_output(op, "bool");
    any.attrs.remove("axis");
    let value = reduce(e, &any, stablehlo::Or::DEF, Start::Zero)?;
    Ok(if e.ir.ty(value) == ty { value } else { e.value(stablehlo::Convert::DEF, &[value], ty) })
}

/// Numbers along an axis that is new, compared with the input; the second input where they are equal, else the third
pub(super) fn one_hot(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let shape = out(op).shape.clone();
    let node = attr(op, "axis")?;
    let rank = shape.len() as i64;
    let axis = numbers(op, "axis", node)?.first().copied().unwrap_or(-1);
    let axis = if axis < 0 { axis + rank } else { axis };
    let mut kept = shape.clone();
    if !(0..rank).contains(&axis) || {
        kept.remove(axis as usize);
        kept != op.inputs[0].shape
    } {
        let message =
            format!("axis {axis} of `{}` does not make {shape:?} of {:?}", op.name, op.inputs[0].shape);
        return Err(Wrong::new(node.at(), &codes::SHAPE, message));
    }
    if let Some(node) = op.attrs.get("depth")
        && numbers(op, "depth", *node)? != [shape[axis as usize]]
    {
        let message = format!("`depth` of `{}` is not the extent of axis {axis} of {shape:?}", op.name);
        return Err(Wrong::new(node.at(), &codes::SHAPE, message));
    }
    let places = e.read(&op.inputs[0])?;
    let cx = e.ir.cx();
    let elem = e.ir.ty(places).scalar(cx);
    let (all, dims) = (cx.tensor(&shape, elem), (0..rank).filter(|dim| *dim != axis).collect::<Vec<_>>());
    let (dims, axis) = (cx.i64_array(&dims), cx.int_attr(axis.into(), cx.common().i64));
    let places = stablehlo::BroadcastInDim::build(&mut e.b(), places, dims, all);
    let places = places.result(e.ir);
    let along = stablehlo::Iota::build(&mut e.b(), axis, all);
    let along = along.output(e.ir);
    let bools = e.ty(&with_output(op, "bool").outputs[0])?;
    let equal = stablehlo::Compare::build(&mut e.b(), places, along, ComparisonDirection::Eq, bools);
    let equal = equal.result(e.ir);
    let (on, off, ty) = (whole(e, op, 1)?, whole(e, op, 2)?, e.ty(out(op))?);
    Ok(e.value(stablehlo::Select::DEF, &[equal, on, off], ty))
}

/// Numbers for each dimension of the input, not below 0
fn widths(op: &Op<'_>, name: &str) -> Result<Vec<i64>, Wrong> {
    let node = attr(op, name)?;
    let found = numbers(op, name, node)?;
    if found.len() != op.inputs[0].shape.len() || found.iter().any(|width| *width < 0) {
        let message =
            format!("`{name}` of `{}` has a number, 0 or more, for each dimension of the input", op.name);
        return Err(Wrong::new(node.at(), &codes::OP, message));
    }
    Ok(found)
}

/// The output has the sizes that follow
fn fits(e: &Emit<'_>, op: &Op<'_>, sizes: &[i64]) -> Result<Type, Wrong> {
    if out(op).shape == sizes {
        return e.ty(out(op));
    }
    let message =
        format!("the output of `{}` has shape {:?}: it follows as {sizes:?}", op.name, out(op).shape);
    Err(Wrong::new(out(op).at, &codes::SHAPE, message))
}

/// More elements in front and behind, of one number
pub(super) fn pad(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let (front, behind) = (widths(op, "head")?, widths(op, "tail")?);
    let sizes = op.inputs[0].shape.iter().zip(&front).zip(&behind);
    let sizes: Option<Vec<i64>> =
        sizes.map(|((size, front), behind)| size.checked_add(*front)?.checked_add(*behind)).collect();
    let ty = fits(e, op, &sizes.unwrap_or_default())?;
    let (value, node) = (e.read(&op.inputs[0])?, attr(op, "pad_val")?);
    let cx = e.ir.cx();
    let scalar = cx.tensor(&[], ty.scalar(cx));
    let with = node.number().ok_or_else(|| node.wrong("expected a number"))?;
    let with = number(e, op, with, scalar)?;
    let cx = e.ir.cx();
    let (low, high, none) =
        (cx.i64_array(&front), cx.i64_array(&behind), cx.i64_array(&vec![0; front.len()]));
    let made = stablehlo::Pad::build(&mut e.b(), value, with, low, high, none, ty);
    Ok(made.result(e.ir))
}

/// Without the last elements
pub(super) fn unpad(e: &mut Emit<'_>, op: &Op<'_>) -> Made {
    let behind = widths(op, "tail")?;
    let sizes: Vec<i64> =
        op.inputs[0].shape.iter().zip(&behind).map(|(size, behind)| (size - behind).max(0)).collect();
    let (ty, value) = (fits(e, op, &sizes)?, e.read(&op.inputs[0])?);
    let cx = e.ir.cx();
    let (start, end, step) = (vec![0; sizes.len()], sizes, vec![1; behind.len()]);
    let [start, end, step] = [start, end, step].map(|all| cx.i64_array(&all));
    let made = stablehlo::Slice::build(&mut e.b(), value, start, end, step, ty);
    Ok(made.result(e.ir))
}
