//! Where ops are: how deep, in which scope of the stack, and whether control comes to them again before it ends.

use terrace_dataflow::flow;
use terrace_ir::dom::cyclic_blocks;
use terrace_ir::ir::{WalkStep, Walker};
use terrace_ir::{BlockId, Ir, OpId, RegionId, Traits};
use terrace_support::{HashMap, HashSet};

/// The place of an op
#[derive(Clone, Copy, Default)]
struct Place {
    /// Number of ops around it
    depth: usize,
    /// Depth of the innermost op around that ends what is on the stack, if there is one
    scope: Option<usize>,
    /// Can control come to it several times before that scope ends?
    again: bool,
    /// Depth of the innermost op around that does not say when it runs its regions; zero if there is none
    later: usize,
}

/// The places of all ops of a unit
pub(super) struct Places(Vec<Place>);

/// What ops of a region have in common
struct Inside {
    repeats: bool,
    cyclic: HashSet<BlockId>,
}

impl Places {
    /// Walk a unit once
    pub fn of(ir: &Ir) -> Places {
        let root = ir.root();
        let mut places = vec![Place::default(); ir.op_capacity()];
        let mut regions: HashMap<RegionId, Inside> = HashMap::default();
        for step in Walker::new(ir, root) {
            let WalkStep::Enter(op) = step else { continue };
            let Some(block) = ir.block(op) else { continue };
            let Some(region) = ir.block_region(block) else { continue };
            let around = ir.region_parent(region);
            let outer = places[around.index()];
            let inside = regions.entry(region).or_insert_with(|| inside(ir, around, region));
            let scope = ir.has(around, Traits::AllocationScope);
            let later = around != root && flow::regions(ir, around).is_none();
            places[op.index()] = Place {
                depth: outer.depth + 1,
                scope: if scope { Some(outer.depth) } else { outer.scope },
                again: inside.cyclic.contains(&block) || !scope && (inside.repeats || outer.again),
                later: if later { outer.depth } else { outer.later },
            };
        }
        Places(places)
    }

    /// Number of ops around an op
    pub fn depth(&self, op: OpId) -> usize {
        self.0[op.index()].depth
    }

    /// Depth of the innermost op around that does not say when it runs its regions; zero if there is none
    pub fn later(&self, op: OpId) -> usize {
        self.0[op.index()].later
    }

    /// Depth of the scope in which the stack holds what an op allocates; none if it may hold it several times
    pub fn scope_of_one(&self, op: OpId) -> Option<usize> {
        let place = self.0[op.index()];
        place.scope.filter(|_| !place.again)
    }
}

fn inside(ir: &Ir, around: OpId, region: RegionId) -> Inside {
    let number = ir.regions(around).position(|other| other == region);
    let cyclic = match ir.single_block(region) {
        Some(_) => HashSet::default(),
        None => cyclic_blocks(ir, region),
    };
    Inside { repeats: number.is_none_or(|number| flow::repeats(ir, around, number)), cyclic }
}
