//! Bounds of index functions: the hull of an affine expression over the box of a computation.

use crate::view::View;
use terrace_support::affine::{AffineExpr, AffineKind};

/// Least and greatest value over the box of a computation; `None` where there is no point, or arithmetic overflows
pub fn hull(view: &View, expr: &AffineExpr) -> Option<(i64, i64)> {
    let (mut low, mut high) = range(expr, &view.sizes())?;
    for condition in &view.conditions {
        // What is known at run time is at most its bound.
        for bound in condition.at_least_zero().iter().filter_map(|bound| view.at_most(bound)) {
            if let Some((least, most)) = implied(&bound, expr) {
                low = low.max(least.unwrap_or(low));
                high = high.min(most.unwrap_or(high));
            }
            if let Some((least, most)) = implied_with_rest(&bound, expr, &view.sizes()) {
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

/// What `bound >= 0` says of `expr`, if that is a multiple of it plus what the extents of other dimensions bound
fn implied_with_rest(
    bound: &AffineExpr,
    expr: &AffineExpr,
    sizes: &[i64],
) -> Option<(Option<i64>, Option<i64>)> {
    let (b, e) = (bound.as_linear()?, expr.as_linear()?);
    let at = (0..b.dims.len()).find(|n| b.dim(*n) != 0 && e.dim(*n) != 0)?;
    if e.dim(at) % b.dim(at) != 0 {
        return None;
    }
    // expr = factor · bound + rest
    let factor = e.dim(at) / b.dim(at);
    let rest = AffineExpr::sub(expr.clone(), AffineExpr::mul(bound.clone(), factor.into()));
    let (least, most) = range(&rest, sizes)?;
    Some(if factor > 0 { (Some(least), None) } else { (None, Some(most)) })
}

fn floor(a: i64, b: i64) -> Option<i64> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q })
}

fn ceil(a: i64, b: i64) -> Option<i64> {
    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
    Some(if r != 0 && (r < 0) == (b < 0) { q + 1 } else { q })
}

/// Interval of an expression over a box of extents; `None` for what is known at run time only
pub fn range(expr: &AffineExpr, sizes: &[i64]) -> Option<(i64, i64)> {
    if crate::extents::is_open(expr) {
        return None;
    }
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
        // 624 − d1 ≥ 0 bounds 64·d1 + d0 where d0 is a lane of 64.
        let (steps, place) = (AffineExpr::sub(624.into(), d(1)), d(0) + AffineExpr::mul(d(1), 64.into()));
        assert_eq!(implied_with_rest(&steps, &place, &[64, 1000]), Some((None, Some(624 * 64 + 63))));
    }
}
