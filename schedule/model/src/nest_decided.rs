//! A nest with a level and a size for each loop: what analysis and lowering read.
//!
//! The values are those of the nest, or a completion of what it leaves open. Trip counts are computed once.

use crate::nest::{Access, BufferId, Index, Loop, LoopId, Made, Nest};
use crate::nest_arena::{Arena, Id};
use terrace_analysis::Range;
use terrace_devices::{Axis, Level, Space};

/// What a loop has when everything is decided
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Who runs it
    pub level: Level,
    /// Extent
    pub extent: i64,
    /// Distance of two iterations
    pub tile: i64,
    /// Number of iterations without bounds
    pub trip: i64,
}

/// Number of iterations over an extent by tiles
pub fn trip(extent: i64, tile: i64) -> i64 {
    if tile <= 0 { 0 } else { extent.max(0).unsigned_abs().div_ceil(tile.unsigned_abs()) as i64 }
}

/// A level and sizes for each loop
#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    runs: Arena<LoopId, Run>,
}

impl Values {
    /// Those of a nest that leaves no level and no size open
    pub fn of(nest: &Nest) -> Option<Values> {
        Values::complete(nest, |id| nest.loops[id].level.known())
    }

    /// Those of a nest whose sizes are decided, with other levels
    pub fn complete(nest: &Nest, level: impl Fn(LoopId) -> Option<Level>) -> Option<Values> {
        let mut runs = Arena::default();
        for (id, each) in nest.loops.entries() {
            let (extent, tile) = (each.extent.known()?, each.tile.known()?);
            runs.push(Run { level: level(id)?, extent, tile, trip: trip(extent, tile) });
        }
        Some(Values { runs })
    }

    /// Put a loop at a level
    pub fn set_level(&mut self, id: LoopId, level: Level) {
        self.runs[id].level = level;
    }
}

/// A nest with values
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The nest
    pub nest: &'a Nest,
    values: &'a Values,
}

impl std::ops::Deref for Decided<'_> {
    type Target = Nest;

    fn deref(&self) -> &Nest {
        self.nest
    }
}

impl<'a> Decided<'a> {
    /// A nest with values that were made for it
    pub fn new(nest: &'a Nest, values: &'a Values) -> Decided<'a> {
        Decided { nest, values }
    }

    /// What a loop has
    pub fn run(&self, id: LoopId) -> Run {
        self.values.runs[id]
    }

    /// Who runs a loop
    pub fn level(&self, id: LoopId) -> Level {
        self.run(id).level
    }

    /// Number of iterations without bounds
    pub fn trip(&self, id: LoopId) -> i64 {
        self.run(id).trip
    }

    /// The loop itself
    pub fn get(&self, id: LoopId) -> &'a Loop {
        &self.nest.loops[id]
    }

    /// More than one iteration, which may run at the same time
    pub fn is_parallel(&self, id: LoopId) -> bool {
        self.level(id).is_parallel() && self.trip(id) > 1
    }

    /// Values of a loop's variable, whatever its bounds
    pub fn range(&self, id: LoopId) -> Range {
        let run = self.run(id);
        let last = run.trip.saturating_sub(1).max(0).saturating_mul(run.tile);
        Range::stepped(0, last, run.tile.max(1)).unwrap_or(Range::ALL)
    }

    /// Values of what a dimension stands for
    pub fn range_of(&self, index: Index) -> Range {
        match index {
            Index::Loop(id) => self.range(id),
            Index::Opaque(id) => self.opaque[id].constant.map_or(Range::ALL, Range::one),
        }
    }

    /// Values of a copy's own variables
    pub fn domain(access: &Access) -> impl Iterator<Item = Range> + '_ {
        access.domain.iter().map(|size| Range::below(*size).unwrap_or(Range::one(0)))
    }

    /// Values of all dimensions of an access; those of other values are not known
    pub fn ranges(&self, access: &Access) -> Vec<Range> {
        let over = access.over.iter().map(|index| match index {
            Index::Loop(id) => self.range(*id),
            Index::Opaque(_) => Range::ALL,
        });
        Decided::domain(access).chain(over).collect()
    }

    /// The loop whose iteration owns a buffer; none: all of the nest
    pub fn owner(&self, made: &Made) -> Option<LoopId> {
        match made.per {
            Some(per) => self.around(made.around.inside).find(|id| per.owns(self.level(*id))),
            None => made.around.inside,
        }
    }

    /// Do iterations of the loop share the buffer: is it made outside, or once for all of them?
    pub fn is_shared_across(&self, buffer: BufferId, id: LoopId) -> bool {
        let Some(made) = &self.buffers[self.memory(buffer)].made else { return true };
        if !self.is_in(made.around.inside, id) {
            return true;
        }
        // Made anew in each round of a loop around; one for the threads below its owner.
        let rank = self.level(id).rank();
        made.per.is_some_and(|per| rank.is_some_and(|rank| rank < per.rank()))
    }

    /// The loops between a buffer and a use of it, inner ones first
    pub fn between_uses(&self, buffer: BufferId, place: Option<LoopId>) -> Vec<LoopId> {
        self.around(place).filter(|id| self.is_shared_across(buffer, *id)).collect()
    }

    /// Is the loop run by threads of a block, also by way of the whole grid?
    pub fn is_spread(&self, id: LoopId) -> bool {
        is_spread(self.level(id))
    }

    /// Does the body of a loop over threads run only where ids that no loop runs over are 0? It does if no threads synchronize
    /// inside
    pub fn runs_alone(&self, id: LoopId) -> bool {
        self.is_spread(id)
            && self.loops[id].combine.results == 0
            && !self.meetings.iter().any(|meeting| self.is_in(meeting.around.inside, id))
            && !self.inside(id).any(|inner| self.is_spread(inner))
    }

    /// Do bounds of a loop that is not parallel differ from thread to thread? What a kernel computes may
    pub fn has_uneven_bounds(&self, id: LoopId) -> bool {
        let own = &self.nest.loops[id];
        own.bounds().flat_map(|bound| &bound.over).any(|index| match index {
            Index::Loop(other) => self.is_spread(*other) && self.trip(*other) > 1,
            Index::Opaque(value) => {
                let value = &self.opaque[*value];
                let inside = own.around.launch.is_some() && value.around.launch == own.around.launch;
                inside && value.constant.is_none()
            }
        })
    }

    /// Does the loop leave threads of the block out, or run for some of them longer than for others?
    pub fn is_uneven(&self, id: LoopId) -> bool {
        let Some(launch) = self.launch_of(id) else { return false };
        let (run, cut) = (self.run(id), self.loops[id].is_cut());
        match run.level {
            Level::Thread(axis) => run.trip != launch.block(axis) || cut,
            Level::Global(axis) => run.trip != launch.grid(axis).saturating_mul(launch.block(axis)) || cut,
            level if level.is_parallel() => false,
            _ => self.has_uneven_bounds(id),
        }
    }

    /// Does an access reach memory that threads share?
    pub fn is_shared(&self, access: &Access) -> bool {
        self.buffer_of(access).space != Space::Private
    }

    /// Loops around at a level of an axis
    pub fn at_axis(&self, loops: &[LoopId], axis: Axis, levels: impl Fn(Level) -> bool) -> Vec<LoopId> {
        let over = |id: &&LoopId| levels(self.level(**id)) && self.level(**id).axis() == Some(axis);
        loops.iter().filter(over).copied().collect()
    }
}

/// A level of threads of a block, also by way of the whole grid
pub fn is_spread(level: Level) -> bool {
    level.is_thread_like() || matches!(level, Level::Global(_))
}

impl Index {
    /// The loop whose variable it is
    pub fn as_loop(self) -> Option<LoopId> {
        match self {
            Index::Loop(id) => Some(id),
            Index::Opaque(_) => None,
        }
    }
}

/// The position of a loop, for tables
pub fn position(id: LoopId) -> usize {
    id.index()
}
