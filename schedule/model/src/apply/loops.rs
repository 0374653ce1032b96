//! Loops in the order of code, with the sizes of tiles.

use crate::schedule::Step;
use crate::values::Tail;
use terrace_devices::{Level, Mechanism};
use terrace_support::affine::AffineExpr;

/// Elements of an input that are prefetched
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ahead {
    /// Which access group
    pub group: usize,
    /// Dimension and layer of the loop
    pub around: (usize, usize),
    /// Rounds of the loop
    pub rounds: i64,
}

/// A loop over tiles of a dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Dimension
    pub dim: usize,
    /// Which step by order of the schedule, from 1
    pub layer: usize,
    /// Which step by order of code, from 1
    pub label: usize,
    /// Level
    pub level: Level,
    /// How contributions of its iterations meet
    pub via: Mechanism,
    /// Parts of the buffers that are filled right inside of it
    pub stages: Option<i64>,
}

/// Something in the order of code; what follows is inside
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A loop
    Loop(Loop),
    /// Buffers that a step owns, by its layer
    Owner(usize),
    /// What follows happens only where this is at least 0
    Guard(AffineExpr),
}

/// Loops in the order of code, with the sizes of tiles
#[derive(Clone, Debug)]
pub struct Plan {
    /// From outside to inside
    pub items: Vec<Item>,
    /// Sizes by dimension, then by layer; layer 0 is the extent
    pub sizes: Vec<Vec<i64>>,
    /// Tails by dimension, then by layer
    pub tails: Vec<Vec<Option<Tail>>>,
    /// The steps in order of the schedule
    pub steps: Vec<Step>,
    /// Levels of a grid are in it: the nest is a kernel
    pub kernel: bool,
    /// Items before the launch: loops over devices
    pub launch: usize,
    /// Outputs with non-temporal stores
    pub past: Vec<i64>,
    /// Inputs that are prefetched
    pub ahead: Vec<Ahead>,
    /// Per dimension: layer of the loop whose last tile is cut off below (`tail peel`), where that is the same
    pub peeled: Vec<Option<usize>>,
}

impl Plan {
    /// Trip count of a loop when its dimension has these sizes
    pub fn trip(sizes: &[i64], layer: usize) -> i64 {
        let (extent, tile) = (sizes[layer - 1], sizes[layer].max(1));
        (extent.max(0) as u64).div_ceil(tile as u64) as i64
    }

    /// Does the loop run more or less than once?
    pub fn is_loop(&self, one: &Loop) -> bool {
        Plan::trip(&self.sizes[one.dim], one.layer) != 1
    }
}
