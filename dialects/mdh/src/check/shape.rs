//! M-SHAPE: index functions stay in their buffers, and results have the shape that the output's functions give.
//!
//! The hull of an affine expression over the box is exact; a `where` on the same expression, up to a factor and an
//! offset, cuts it. Quotients and remainders are bounded by intervals.

use super::Check;
use super::bounds::{hull, range};
use crate::codes;
use crate::view::Output;
use terrace_diag::Reported;
use terrace_ir::{DYNAMIC, Value};
use terrace_support::affine::AffineMap;

pub fn check(c: &Check<'_>) -> Result<(), Reported> {
    let (ir, cx) = (c.v.ir, c.v.ir.cx());
    let values = ir.operands(c.op.0).chain(ir.results(c.op.0));
    for value in values {
        let shape = ir.ty(value).shape(cx).unwrap_or(&[]);
        if let Some(dim) = shape.iter().position(|size| *size == DYNAMIC) {
            let message = format!(
                "M-SHAPE: {} dim {} is no number; sizes of computations are numbers: `tensor.cast` to a type that has one",
                c.name(value, "a tensor"),
                dim + 1
            );
            return c.fail(&codes::SHAPE, message);
        }
    }
    // Without points nothing is read; places of results are there all the same.
    let empty = c.view.dims.iter().any(|dim| dim.size == 0);
    for input in c.view.inputs.iter().filter(|_| !empty) {
        let Some(map) = &input.map else { continue };
        let shape = ir.ty(input.value).shape(cx).unwrap_or(&[]);
        let name = c.name(input.value, "an input");
        rank(c, &name, map, shape)?;
        if input.other.is_none() {
            reads(c, &name, map, shape)?;
        }
    }
    for (n, out) in c.view.outputs.iter().enumerate() {
        let result = ir.result(c.op.0, n);
        let shape = ir.ty(result).shape(cx).unwrap_or(&[]);
        let name = format!("output {}", n + 1);
        for map in &out.maps {
            rank(c, &name, map, shape)?;
        }
        super::left_out::check(c, n)?;
        written(c, out, &name, shape)?;
        starts(c, out, result)?;
    }
    Ok(())
}

/// All places of an output are inside of it, and all that it declares are written or have a start value
fn written(c: &Check<'_>, out: &Output, name: &str, shape: &[i64]) -> Result<(), Reported> {
    let sizes = c.view.sizes();
    let empty = c.view.dims.iter().any(|dim| dim.size == 0);
    let combined = c.view.dims.iter().any(|dim| !dim.kind.operators().is_empty());
    for (dim, size) in shape.iter().enumerate() {
        let whole: Vec<(i64, i64)> =
            out.maps.iter().filter_map(|map| range(&map.results[dim], &sizes)).collect();
        let hulls = match empty {
            true => whole.clone(),
            false => out.maps.iter().filter_map(|map| hull(c.view, &map.results[dim])).collect(),
        };
        let high = hulls.iter().map(|(_, high)| *high).max();
        let Some(high) = high.or(empty.then_some(-1)) else { continue };
        let low = hulls.iter().map(|(low, _)| *low).min().unwrap_or(0);
        let last = size - 1;
        if low < 0 || high > last {
            let at = if low < 0 { low } else { high };
            let message = format!("M-SHAPE: {name} dim {} is written at {at}, declared {size}", dim + 1);
            return c.fail(&codes::SHAPE, message);
        }
        // Where a condition leaves a place out, it holds the operator's neutral element.
        let filled = if combined { whole.iter().map(|(_, high)| *high).max().unwrap_or(high) } else { high };
        if out.init.is_none() && filled < last {
            let message = format!(
                "M-SHAPE: {name} dim {} is written up to {high}, declared {size}: nothing would be in the rest; declare \
                 {}, or start from a tensor (`into`)",
                dim + 1,
                high + 1
            );
            return c.fail(&codes::SHAPE, message);
        }
    }
    Ok(())
}

/// A start value fits the result, or has index functions of its own
fn starts(c: &Check<'_>, out: &Output, result: Value) -> Result<(), Reported> {
    let (ir, cx) = (c.v.ir, c.v.ir.cx());
    let empty = c.view.dims.iter().any(|dim| dim.size == 0);
    if let Some((value, own)) = &out.init {
        let start = ir.ty(*value);
        let start_name = c.name(*value, "the start value");
        if start.scalar(cx) != ir.ty(result).scalar(cx) || own.is_none() && start != ir.ty(result) {
            let message = format!(
                "M-SHAPE: {start_name} is {}, the result is {}; start values are read at the output's places unless \
                 they have index functions of their own",
                c.v.show(start),
                c.v.show(ir.ty(result))
            );
            return c.fail(&codes::SHAPE, message);
        }
        if let Some(own) = own {
            let shape = start.shape(cx).unwrap_or(&[]);
            rank(c, &start_name, own, shape)?;
            if !empty {
                reads(c, &start_name, own, shape)?;
            }
        }
    }
    Ok(())
}

fn rank(c: &Check<'_>, name: &str, map: &AffineMap, shape: &[i64]) -> Result<(), Reported> {
    if map.results.len() == shape.len() {
        return Ok(());
    }
    let message =
        format!("M-SHAPE: {name} has {} dimensions, but {} index functions", shape.len(), map.results.len());
    c.fail(&codes::SHAPE, message)
}

fn reads(c: &Check<'_>, name: &str, map: &AffineMap, shape: &[i64]) -> Result<(), Reported> {
    for (dim, (expr, size)) in map.results.iter().zip(shape).enumerate() {
        let Some((low, high)) = hull(c.view, expr) else { continue };
        if low >= 0 && high < *size {
            continue;
        }
        let (word, at) = if low < 0 { ("from", low) } else { ("up to", high) };
        let text = crate::syntax::expr_text(expr, &c.view.names());
        let message = format!(
            "M-SHAPE: {name} dim {} is read {word} {at} by `{text}`, declared {size}; declare {}, give an `else`, or cut the \
             points by `where`",
            dim + 1,
            high.max(*size - 1) + 1
        );
        return c.fail(&codes::SHAPE, message);
    }
    Ok(())
}
