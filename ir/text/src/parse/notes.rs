//! What is noted while a text is read, and what of it is not settled yet; how that is done is in `record`.

use super::names::Unresolved;
use crate::places::Places;
use terrace_ir::{BlockId, OpId};
use terrace_support::HashMap;

/// What is noted, and what is not settled yet
#[derive(Default)]
pub(crate) struct Record {
    pub places: Places,
    /// Ops in progress: index, and number of `reads` where it began
    pub open: Vec<(u32, usize)>,
    /// Names that ops in progress have read
    pub reads: Vec<Unresolved>,
    /// Uses of values before their definition: by scope, outermost first, and by chain
    pub forward: Vec<HashMap<u32, Vec<u32>>>,
    /// Uses of blocks in regions in progress, with the number of regions around
    pub branches: Vec<(usize, u32, BlockId)>,
    /// What stands for an op that is wrong, by the name of its result
    pub stand_ins: HashMap<u32, OpId>,
    /// Ops that are not in their blocks yet, those of units around first
    pub late: Vec<Late>,
}

/// An op that is put in its place when its unit has been read
pub(crate) struct Late {
    /// Number of units around the unit
    pub unit: usize,
    /// The op
    pub op: OpId,
    /// Where it goes
    pub place: Place,
}

pub(crate) enum Place {
    /// In a block behind an op, or at its beginning
    In(BlockId, Option<OpId>),
    /// Before an op
    Before(OpId),
}
