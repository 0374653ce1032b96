//! M-SHAPE: where nothing is combined, a condition leaves no place of a result without a value.
//!
//! With an operator such a place holds its neutral element, and with `into` its start value.

use super::Check;
use super::bounds::range;
use crate::codes;
use crate::view::View;
use terrace_diag::Reported;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Points enumerated where no proof is found
const POINTS: i64 = 1 << 16;

/// What is known of the points that belong to places
enum Known {
    /// All of them happen
    All,
    /// This one does not
    Not(Vec<i64>),
    /// Too many to look at
    Open,
}

/// Of one output, whose index functions fit its rank
pub fn check(c: &Check<'_>, n: usize) -> Result<(), Reported> {
    let out = &c.view.outputs[n];
    // What is behind an end that is known at run time is in no result.
    let mut bounds = c.view.bounds();
    bounds.retain(|bound| !c.view.ends_kept(bound));
    let combined = c.view.dims.iter().any(|dim| !dim.kind.operators().is_empty());
    let empty = c.view.dims.iter().any(|dim| dim.size == 0);
    if bounds.is_empty() || combined || empty || out.init.is_some() {
        return Ok(());
    }
    let (ir, cx) = (c.v.ir, c.v.ir.cx());
    let shape = ir.ty(ir.result(c.op.0, n)).shape(cx).unwrap_or(&[]);
    for map in &out.maps {
        let help = "start from a tensor (`into`), or let the body choose in place of `where`";
        let message = match points(c.view, &bounds, map, shape) {
            Known::All => continue,
            Known::Not(point) => {
                let at = map.eval(&point, &[]).unwrap_or_default();
                let at = at.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
                let point: Vec<String> =
                    c.view.dims.iter().zip(&point).map(|(dim, x)| format!("{} = {x}", dim.name)).collect();
                format!(
                    "M-SHAPE: output {} has no value at [{at}]: `where` leaves out {}, and there is no operator whose neutral element \
                     would be there; {help}",
                    n + 1,
                    point.join(", ")
                )
            }
            Known::Open => format!(
                "M-SHAPE: it can't be shown that `where` leaves a value for each place of output {}; {help}",
                n + 1
            ),
        };
        return c.fail(&codes::SHAPE, message);
    }
    Ok(())
}

/// Do all points happen whose place is in a result of this shape?
fn points(view: &View, bounds: &[AffineExpr], map: &AffineMap, shape: &[i64]) -> Known {
    let mut sizes = view.sizes();
    for (e, size) in map.results.iter().zip(shape) {
        if let AffineExpr::Dim(dim) = e
            && let Some(own) = sizes.get_mut(*dim as usize)
        {
            *own = (*own).min(*size);
        }
    }
    let holds = |bound: &AffineExpr| range(bound, &sizes).is_some_and(|(low, _)| low >= 0);
    if sizes.contains(&0) || bounds.iter().all(holds) {
        return Known::All;
    }
    let missing = |point: &[i64]| {
        let inside = map
            .eval(point, &[])
            .is_some_and(|at| at.iter().zip(shape).all(|(x, size)| (0..*size).contains(x)));
        inside && bounds.iter().any(|bound| bound.eval(point, &[]).is_some_and(|value| value < 0))
    };
    let total = sizes.iter().try_fold(1i64, |all, size| all.checked_mul(*size));
    if total.is_some_and(|total| total <= POINTS) {
        let mut point = vec![0; sizes.len()];
        for n in 0..total.unwrap_or(0) {
            let mut left = n;
            for (x, size) in point.iter_mut().zip(&sizes).rev() {
                (*x, left) = (left % size, left / size);
            }
            if missing(&point) {
                return Known::Not(point);
            }
        }
        return Known::All;
    }
    // A sum is least in a corner.
    for linear in bounds.iter().filter_map(AffineExpr::as_linear) {
        let point: Vec<i64> =
            sizes.iter().enumerate().map(|(n, size)| if linear.dim(n) < 0 { size - 1 } else { 0 }).collect();
        if missing(&point) {
            return Known::Not(point);
        }
    }
    Known::Open
}
