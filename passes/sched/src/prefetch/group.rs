//! Reads of one buffer in the same loops.

use terrace_dialect_sched::LoopInfo;
use terrace_dialect_sched::access::Access;
use terrace_ir::{OpId, Value};

/// A read of lanes, and where its copies are along all axes but the lanes'
pub(super) struct Member {
    pub op: OpId,
    pub at: Access,
    pub places: Vec<Vec<i64>>,
}

/// The loops around reads of one buffer, and these
pub(super) struct Group {
    pub memref: Value,
    pub inner: LoopInfo,
    /// Around the inner one, from the inside
    pub outer: Vec<LoopInfo>,
    pub width: i64,
    pub members: Vec<Member>,
}
