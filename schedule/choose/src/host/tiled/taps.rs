//! Taps of a window as copies of a body: rows of a tile share what they broadcast.
//!
//! A tile of a convolution has neighbors of an image as rows, and filters as lanes. Each multiply-add broadcasts an element. With a
//! loop over the taps along the rows, a tap reads one element for each row, though the tap before has read nearly all of them; and an
//! image with borders tests in each step whether an element is there. As copies of one body, six rows and three taps broadcast eight
//! elements in place of eighteen, and only elements at the ends of a tile may be outside. What is shared stays in registers,
//! so that tiles are smaller.

use super::{Roles, TAPS};
use crate::access::{Access, Accesses};
use crate::host::register::Shared;

/// A window along the rows of a tile
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Taps {
    /// The reduced dimension that is written out
    pub dim: usize,
    /// What its copies and rows broadcast
    pub shared: Shared,
}

/// Rows of which a window must serve at least a third of all broadcasts by elements that others have read
const ROWS: i64 = 4;

/// The window that an input has along the rows, where it moves with no lanes
pub(super) fn of(a: &Accesses, roles: &Roles) -> Option<Taps> {
    let rows = roles.rows.filter(|rows| !a.conditioned[*rows])?;
    let last = roles.reduced.last().copied();
    let free = |dim: usize| a.reorders || last == Some(dim);
    let can = |dim: &usize| (2..=TAPS).contains(&a.sizes[*dim]) && !a.conditioned[*dim] && free(*dim);
    let broadcast = a.inputs.iter().filter(|input| !input.uses(roles.lanes) && input.uses(rows));
    broadcast
        .flat_map(|input| roles.reduced.iter().filter(|dim| can(dim)).map(move |dim| (input, *dim)))
        .find_map(|(input, dim)| {
            let (apart, step) = along(input, rows, dim)?;
            let shared = Shared { apart, step, taps: a.sizes[dim] };
            (3 * shared.count(ROWS) <= 2 * ROWS * shared.taps).then_some(Taps { dim, shared })
        })
}

/// How far rows and taps move in the one index that they share; none where either moves in another one
fn along(input: &Access, rows: usize, tap: usize) -> Option<(i64, i64)> {
    let used = |dim: usize| input.map.results.iter().filter(move |expr| expr.uses_dim(dim as u32)).count();
    let index =
        input.map.results.iter().find(|expr| expr.uses_dim(rows as u32) && expr.uses_dim(tap as u32))?;
    let linear = index.as_linear()?;
    (used(rows) == 1 && used(tap) == 1).then(|| (linear.dim(rows), linear.dim(tap)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrace_support::affine::{AffineExpr, AffineMap};

    /// An image read at `stride * d0 + dilation * d1` of a row, or at both apart
    fn image(stride: i64, dilation: i64, apart: bool) -> Access {
        let scaled = |dim: u32, by: i64| AffineExpr::mul(AffineExpr::Dim(dim), by.into());
        let results = match apart {
            true => vec![scaled(0, stride), scaled(1, dilation)],
            false => vec![AffineExpr::Dim(2), AffineExpr::add(scaled(0, stride), scaled(1, dilation))],
        };
        let map = AffineMap::new(3, 0, results).expect("dimensions are below three");
        Access { strides: vec![Some(1); 3], bytes: 4, plain: true, buffer: 0, group: 0, map }
    }

    #[test]
    fn rows_and_taps_share_an_index() {
        assert_eq!(along(&image(2, 3, false), 0, 1), Some((2, 3)));
        assert_eq!(along(&image(1, 1, true), 0, 1), None);
        assert_eq!(along(&image(1, 1, false), 0, 2), None);
    }
}
