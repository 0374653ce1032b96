//! Where a dimension is cut into whole tiles and a remainder.

use crate::values::Tail;

/// How a dimension with pieces is cut
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Layer whose tiles stay whole
    pub layer: usize,
    /// What is left behind the last whole tile
    pub rest: i64,
}

/// Where a dimension is cut; `None` where it is not, or anew in every tile
pub fn cut(sizes: &[i64], tails: &[Option<Tail>]) -> Option<Cut> {
    let layer = tails.iter().position(|tail| *tail == Some(Tail::Peel))?;
    let (whole, tile) = (sizes[0], sizes[layer].max(1));
    let outside = sizes[..layer].iter().all(|size| *size == whole || size % tile == 0);
    let inside = (layer + 1..sizes.len()).all(|l| sizes[l - 1] % sizes[l].max(1) == 0);
    if !outside || !inside || tile > whole {
        return None;
    }
    Some(Cut { layer, rest: whole % tile })
}
