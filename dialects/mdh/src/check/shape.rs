//! M-SHAPE: index functions stay in their buffers, and results have the shape that the output's functions give.
//!
//! The hull of an affine expression over the box is exact; a `where` on the same expression, up to a factor and an
//! offset, cuts it. Quotients and remainders are bounded by intervals.

use super::Check;
use crate::codes;
use crate::view::{Output, View};
use terrace_diag::Reported;
use terrace_ir::{DYNAMIC, Value};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// Least and greatest value over the box of a computation; `None` where there is no point, or arithmetic overflows
pub fn hull(view: &View, expr: &AffineExpr) -> Option<(i64, i64)> {
    let (mut low, mut high) = range(expr, &view.sizes())?;
    for condition in &view.conditions {
        for bound in condition.at_least_zero() {
            if let Some((least, most)) = implied(&bound, expr) {
                low = low.max(least.unwrap_or(low));
                high = high.min(most.unwrap_or(high));
            }
        }
    }
    (low <= high).then_some((low, high))
}

/// What `bound >= 0` says of `expr`, if one is a multiple of the other plus a constant: least and greatest value
fn implied(bound: &AffineExpr, expr: &AffineExpr) -> Option<(Option<i64>, Option<i64>)> {
    let (b, e) = (bound.as_linear()?, expr.as_linear()?);
    let len = b.dims.len().max(e.dims.len());
    // The first coefficient that is not zero gives the factor.
    let at = (0..len).find(|n| e.dim(*n) != 0)?;
    let (x, y) = (b.dim(at), e.dim(at));
    if x == 0 || !(0..len).all(|n| b.dim(n).checked_mul(y) == e.dim(n).checked_mul(x)) {
        return None;
    }
    // b = (x/y)·(e − e0) + b0 ≥ 0, so e ≥ e0 − b0·y/x where x/y > 0, else ≤.
    let part = b.constant.checked_mul(y)?.checked_neg()?;
    if (x > 0) == (y > 0) {
        Some((Some(ceil(part, x)?.checked_add(e.constant)?), None))
    } else {
        Some((None, Some(floor(part, x)?.checked_add(e.constant)?)))
    }
}

fn floor(a: i64, b: i64) -> Option<i64> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q })
}

fn ceil(a: i64, b: i64) -> Option<i64> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) == (b < 0) { q + 1 } else { q })
}

/// Interval of an expression over a box of extents
pub fn range(expr: &AffineExpr, sizes: &[i64]) -> Option<(i64, i64)> {
    if let Some(linear) = expr.as_linear() {
        let (mut low, mut high) = (linear.constant, linear.constant);
        for (n, factor) in linear.dims.iter().enumerate() {
            if *factor == 0 {
                continue;
            }
            let last = sizes.get(n)?.checked_sub(1).filter(|last| *last >= 0)?;
            let end = factor.checked_mul(last)?;
            low = low.checked_add(end.min(0))?;
            high = high.checked_add(end.max(0))?;
        }
        return Some((low, high));
    }
    let (kind, left, right) = expr.as_binary()?;
    let (low, high) = range(left, sizes)?;
    let other = range(right, sizes)?;
    match kind {
        AffineKind::Add => Some((low.checked_add(other.0)?, high.checked_add(other.1)?)),
        AffineKind::Mul => {
            let by = right.as_constant()?;
            let (a, b) = (low.checked_mul(by)?, high.checked_mul(by)?);
            Some((a.min(b), a.max(b)))
        }
        AffineKind::FloorDiv => {
            let by = right.as_constant().filter(|by| *by > 0)?;
            Some((low.div_euclid(by), high.div_euclid(by)))
        }
        AffineKind::CeilDiv => {
            let by = right.as_constant().filter(|by| *by > 0)?;
            Some((ceil(low, by)?, ceil(high, by)?))
        }
        AffineKind::Mod => {
            let by = right.as_constant().filter(|by| *by > 0)?;
            if low.div_euclid(by) == high.div_euclid(by) {
                return Some((low.rem_euclid(by), high.rem_euclid(by)));
            }
            Some((0, by - 1))
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn d(n: u32) -> AffineExpr {
        AffineExpr::Dim(n)
    }

    #[test]
    fn hulls_are_exact_for_sums() {
        let e = d(0) + AffineExpr::mul(d(1), (-2).into()) + 5.into();
        assert_eq!(range(&e, &[4, 3]), Some((1, 8)));
        let e = AffineExpr::floor_div(d(0), 3.into());
        assert_eq!(range(&e, &[10]), Some((0, 3)));
        let e = AffineExpr::modulo(d(0), 4.into());
        assert_eq!(range(&e, &[3]), Some((0, 2)));
    }

    #[test]
    fn a_condition_bounds_multiples_of_its_expression() {
        let e = d(0) + d(1) - 1.into();
        // e ≥ 0, and 55 − e ≥ 0
        assert_eq!(implied(&e, &e), Some((Some(0), None)));
        let below = AffineExpr::sub(55.into(), e.clone());
        assert_eq!(implied(&below, &e), Some((None, Some(55))));
        let twice = AffineExpr::mul(e.clone(), 2.into()) + 3.into();
        assert_eq!(implied(&e, &twice), Some((Some(3), None)));
        assert_eq!(implied(&twice, &e), Some((Some(-1), None)));
        assert_eq!(implied(&d(0), &e), None);
    }
}
