//! Where a thread is.

use super::super::{
    BlockDim, BlockId, ClusterBlockId, ClusterDim, ClusterDimBlocks, ClusterId, GlobalId, GridDim, LaneId,
    NumSubgroups, SubgroupId, SubgroupSize, ThreadId,
};
use super::{place, thread};
use terrace_interp::{Interpret, Level, Machine, RtValue, Step, TeamMember, Trap};
use terrace_ir::Attr;

fn number(all: &[u64], n: usize, otherwise: u64) -> u64 {
    all.get(n).copied().unwrap_or(otherwise)
}

fn at(place: &TeamMember, n: usize) -> u64 {
    number(&place.coordinates(), n, 0)
}

fn size(place: &TeamMember, n: usize) -> u64 {
    number(&place.spec.sizes, n, 1)
}

/// Blocks of the cluster along an axis
fn own(grid: &TeamMember, n: usize) -> u64 {
    match grid.shared.get(1 + n) {
        Some(RtValue::Int { bits, .. }) => u64::try_from(*bits).unwrap_or(1).max(1),
        _ => 1,
    }
}

/// Set the result; poison where the bound does not hold
fn give(m: &mut Machine<'_>, bound: Option<Attr>, value: Result<u64, Trap>) -> Step {
    let value = match value {
        Ok(value) => value as i64,
        Err(trap) => return Step::Trap(trap),
    };
    let bound = bound.and_then(|bound| bound.as_i64(m.cx()));
    let kept = bound.is_none_or(|bound| (0..bound).contains(&value));
    m.set_result(0, if kept { RtValue::index(value) } else { RtValue::Poison });
    Step::Next
}

/// Ops with a dimension: the number from the places of block and thread
macro_rules! by_dimension {
    ($($name:ident |$grid:ident, $block:ident, $n:ident| $value:expr;)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let ir = m.ir();
                let $n = self.dimension(ir) as usize;
                let value = place(m, Level::Grid).and_then(|$grid| thread(m).map(|$block| {
                    let _ = (&$grid, &$block, $n);
                    $value
                }));
                give(m, self.upper_bound(ir), value)
            }
        }
    )*};
}

by_dimension! {
    ThreadId |grid, block, n| at(&block, n);
    BlockId |grid, block, n| at(&grid, n);
    BlockDim |grid, block, n| size(&block, n);
    GridDim |grid, block, n| size(&grid, n);
    GlobalId |grid, block, n| at(&grid, n) * size(&block, n) + at(&block, n);
    ClusterId |grid, block, n| at(&grid, n) / own(&grid, n);
    ClusterDim |grid, block, n| size(&grid, n) / own(&grid, n);
    ClusterBlockId |grid, block, n| at(&grid, n) % own(&grid, n);
    ClusterDimBlocks |grid, block, n| own(&grid, n);
}

/// Ops about subgroups: the number from the place of the thread and the size of a subgroup
macro_rules! by_subgroup {
    ($($name:ident |$block:ident, $size:ident| $value:expr;)*) => {$(
        impl Interpret for $name {
            fn interpret(self, m: &mut Machine<'_>) -> Step {
                let $size = m.subgroup_size();
                let value = thread(m).map(|$block| {
                    let _ = &$block;
                    $value
                });
                give(m, self.upper_bound(m.ir()), value)
            }
        }
    )*};
}

by_subgroup! {
    LaneId |block, size| block.member % size;
    SubgroupId |block, size| block.member / size;
    NumSubgroups |block, size| block.count().div_ceil(size);
    SubgroupSize |block, size| size;
}
