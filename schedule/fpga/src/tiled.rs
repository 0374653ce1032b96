//! Any computation in rounds: a tile of each kept dimension, and all of the reduced ones.

use crate::misfit::Misfit;
use crate::rounds::{Rounds, Tile};

/// A dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Its name
    pub name: String,
    /// Coordinates
    pub size: i64,
    /// Is it folded?
    pub reduced: bool,
}

/// A buffer: each subscript is a sum of dimensions with factors
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Dimensions and their factors, by subscript
    pub subscripts: Vec<Vec<(usize, i64)>>,
    /// Bytes of an element
    pub bytes: i64,
}

/// A computation as its tiles see it
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tiled {
    /// Dimensions in order
    pub extents: Vec<Extent>,
    /// Buffers that are read
    pub reads: Vec<Array>,
    /// The buffer that is written
    pub writes: Array,
}

impl Tiled {
    /// Kept dimensions, in order
    pub fn kept(&self) -> Vec<usize> {
        (0..self.extents.len()).filter(|dim| !self.extents[*dim].reduced).collect()
    }

    /// The dimension that lanes run along: the longest that is folded, the first of several; without any the last one
    pub fn lane(&self) -> usize {
        let folded = (0..self.extents.len()).filter(|dim| self.extents[*dim].reduced);
        let longest = folded.rev().max_by_key(|dim| self.extents[*dim].size);
        longest.unwrap_or(self.extents.len().saturating_sub(1))
    }

    /// The dimension that pipelines share: the one with the most rounds, the first of several
    pub fn shared(&self, tiles: &[i64]) -> Option<usize> {
        let rounds = |(dim, tile): &(usize, &i64)| self.extents[*dim].size / (**tile).max(1);
        self.kept().into_iter().zip(tiles).rev().max_by_key(rounds).map(|(dim, _)| dim)
    }

    /// How far lanes may run: the coordinates of their dimension in a round
    pub fn lanes_of(&self, tiles: &[i64]) -> i64 {
        let lane = self.lane();
        let kept = self.kept();
        kept.iter()
            .position(|dim| *dim == lane)
            .and_then(|n| tiles.get(n).copied())
            .unwrap_or(self.extents[lane].size)
    }

    /// Rounds with tiles of these sizes, one for each kept dimension, that divide it
    pub fn rounds(&self, tiles: &[i64]) -> Result<Rounds, Misfit> {
        let kept = self.kept();
        if tiles.len() != kept.len() {
            return Err(Misfit::Tiles(tiles.len() as i64, kept.len() as i64));
        }
        if let Some(size) = self.extents.iter().map(|own| own.size).find(|size| !(1..=1 << 24).contains(size))
        {
            return Err(Misfit::Extent(size));
        }
        let mut sizes: Vec<i64> = self.extents.iter().map(|own| own.size).collect();
        for (dim, tile) in kept.iter().zip(tiles) {
            if !(1..=sizes[*dim]).contains(tile) || sizes[*dim] % tile != 0 {
                return Err(Misfit::Part("a tile", *tile, sizes[*dim]));
            }
            sizes[*dim] = *tile;
        }
        let lane = self.lane();
        let product = |mut factors: Box<dyn Iterator<Item = i64> + '_>| {
            factors.try_fold(1i64, |all, factor| all.checked_mul(factor)).ok_or(Misfit::TooLarge)
        };
        let tile = |array: &Array| -> Result<Tile, Misfit> {
            // Coordinates of a tile reach from its first to its last element.
            let reach = |terms: &Vec<(usize, i64)>| {
                let parts = terms.iter().map(|(dim, by)| by.unsigned_abs() as i64 * (sizes[*dim] - 1));
                parts.fold(1i64, i64::saturating_add)
            };
            let elements = product(Box::new(array.subscripts.iter().map(reach)))?;
            let bytes = elements.checked_mul(array.bytes).ok_or(Misfit::TooLarge)?;
            let lanes = array.subscripts.iter().flatten().any(|(dim, by)| *dim == lane && *by != 0);
            Ok(Tile { bytes, lanes })
        };
        let reads = self.reads.iter().map(&tile).collect::<Result<Vec<Tile>, Misfit>>()?;
        let rounds = |dim: &usize| self.extents[*dim].size / sizes[*dim];
        Ok(Rounds {
            count: product(Box::new(kept.iter().map(rounds)))?,
            along: self.shared(tiles).map_or(1, |dim| rounds(&dim)),
            reads,
            writes: tile(&self.writes)?,
            macs: product(Box::new(sizes.iter().copied()))?,
            sums: product(Box::new(tiles.iter().copied()))?,
        })
    }
}
