//! What stands around the op that is lowered: the kernel, facts that hold, and reads that may be joined.

use crate::waits::Waits;
use terrace_analysis::Range;
use terrace_dialect_sched::{Builtin, Level};
use terrace_ir::{BlockId, OpId, Value};
use terrace_support::affine::AffineExpr;

/// An expression that is at least 0 where it is held, over new values
pub(crate) struct Fact {
    pub expr: AffineExpr,
    pub dims: Vec<Value>,
    pub ranges: Vec<Range>,
}

/// A sum of multiples of values
pub(crate) type Sum = Vec<(Value, i64)>;

/// A read that may be cut out of others
pub(crate) struct Shifted {
    pub load: OpId,
    pub memory: Value,
    /// Where it is, but for the last index's constant
    pub at: Vec<(Sum, i64)>,
    pub constant: i64,
}

/// The kernel around
pub(crate) struct Grid {
    pub body: BlockId,
    pub block_ids: [Value; 3],
    pub thread_ids: [Value; 3],
    pub grid: [i64; 3],
    pub block: [i64; 3],
    /// Blocks of a cluster
    pub cluster: [i64; 3],
    /// Threads of a warp
    pub subgroup: i64,
    /// Warps and lanes along each axis: the most that a loop of the kernel has
    pub warps: [i64; 3],
    pub lanes: [i64; 3],
    /// Axes that loops around run over: of a cluster's blocks, of a block's threads, of its warps, of a warp's lanes
    pub clusters_covered: [bool; 3],
    pub covered: [bool; 3],
    pub warps_covered: [bool; 3],
    pub lanes_covered: [bool; 3],
    /// Where barriers are needed; none while that is being found out
    pub waits: Option<Waits>,
    pub attributions: i64,
    /// Inside of what only threads run whose ids are 0 where no loop runs over them
    pub alone: bool,
    /// Barriers and exchanges of lanes so far
    pub barriers: u64,
    pub exchanges: u64,
}

impl Grid {
    pub fn threads(&self) -> i64 {
        self.block.iter().product()
    }

    /// Inside of loops that give each thread its own part?
    pub fn in_threads(&self) -> bool {
        self.covered.contains(&true) || self.lanes_covered.contains(&true)
    }

    /// Inside of loops over warps?
    pub fn in_warps(&self) -> bool {
        self.warps_covered.contains(&true)
    }

    /// Axes that loops of a level's class run over
    pub fn covered_of(&mut self, level: Level) -> Option<&mut [bool; 3]> {
        match level {
            Level::Cluster(_) => Some(&mut self.clusters_covered),
            Level::Thread(_) | Level::Global(_) => Some(&mut self.covered),
            Level::Warp(_) => Some(&mut self.warps_covered),
            Level::Lane(_) => Some(&mut self.lanes_covered),
            _ => None,
        }
    }
}

/// Where the iterations of a loop are run
#[derive(Clone, Copy)]
pub(crate) struct Seat {
    /// Number of the iteration that this thread has
    pub id: Value,
    /// Numbers that there are
    pub size: i64,
    /// Threads from one to the next
    pub stride: i64,
}

/// The lanes of a vector merged, and a scalar with them
#[derive(Clone, Copy)]
pub(crate) struct Joined {
    pub operator: Builtin,
    /// The vector
    pub lanes: Value,
    /// What its lanes are merged with
    pub rest: Option<Value>,
}
