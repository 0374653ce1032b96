//! How subscripts go on with a variable.

use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// Is the next element of the last dimension the one of the variable's next value? Judged at the first, whatever quotients follow
pub(crate) fn steps_by_one(map: &AffineMap, dim: u32) -> bool {
    step(map, dim, 1) == Some(1)
}

/// Elements of the last dimension that a variable goes on by, if it moves in no other
pub(crate) fn step(map: &AffineMap, dim: u32, by: i64) -> Option<i64> {
    let mut dims = vec![0; map.dims as usize];
    let first = map.eval(&dims, &[])?;
    *dims.get_mut(dim as usize)? = by;
    let next = map.eval(&dims, &[])?;
    let steps: Vec<i64> = first.iter().zip(&next).map(|(a, b)| b - a).collect();
    let (last, others) = steps.split_last()?;
    others.iter().all(|step| *step == 0).then_some(*last)
}

/// Has it no quotients and remainders?
pub(crate) fn is_linear(expr: &AffineExpr) -> bool {
    match expr.as_binary() {
        None => true,
        Some((AffineKind::Add | AffineKind::Mul, a, b)) => is_linear(a) && is_linear(b),
        Some(_) => false,
    }
}
