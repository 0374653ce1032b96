//! A walk through the loops of a schedule: what it makes, and where it stands.

use super::footprint::Footprint;
use super::geometry::{Geometry, Position};
use crate::computation::Contributions;
use crate::nest::{Around, BufferId, LoopId, Nest};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Something that happens at a place and is no access
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The body at a point. Its values are only merged: a product is one instruction with the sum
    Point {
        /// Are they?
        merged: bool,
    },
    /// So many values are merged by operators, as values
    Joined(u32),
    /// A loop merges so many values
    Yielded(u32),
}

/// What happens besides accesses, for what nests cost
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Happenings {
    /// Events by the innermost loop around them
    pub events: Vec<(Option<LoopId>, Event)>,
    /// Lanes that copies state, by position in the text
    pub lanes: BTreeMap<u32, i64>,
}

/// Where an output's contributions go
#[derive(Clone, Debug, Default)]
pub(super) struct Sink {
    /// A tile, or the destination itself
    pub tile: Option<Tile>,
    /// Contributions meet there
    pub combine: bool,
    /// Start values are combined in front of what is written, straight from where they are
    pub direct: bool,
}

/// What is known of the results of a walk
pub(super) struct Results<'a> {
    /// What becomes of values
    pub of: &'a Contributions,
    pub happenings: Happenings,
    /// Destinations and start values, once they are used
    pub destinations: Vec<Option<BufferId>>,
    pub starts: Vec<Option<BufferId>>,
}

impl<'a> Results<'a> {
    pub fn of(of: &'a Contributions, outputs: usize) -> Results<'a> {
        let none = vec![None; outputs];
        Results { of, happenings: Happenings::default(), destinations: none.clone(), starts: none }
    }
}

/// A buffer with what it holds, which many places of a walk know
pub(super) type Tile = (BufferId, Rc<Footprint>);

/// Where the walk stands
#[derive(Clone)]
pub(super) struct State {
    pub pos: Position,
    pub around: Around,
    /// Per access group: the innermost tile
    pub tiles: Vec<Option<Tile>>,
    /// Per output: where contributions go
    pub sinks: Vec<Sink>,
    /// Loops from here on give values
    pub valued: bool,
    /// They carry what there is so far
    pub carried: bool,
    /// One of them stands around
    pub merged: bool,
}

pub(super) struct Walk<'a> {
    pub geometry: &'a Geometry<'a>,
    /// First of the items that give values
    pub ssa: usize,
    /// Threads of a warp of the device
    pub warp: Option<i64>,
    pub nest: Nest,
    /// Buffers of the caller, once they are used
    pub arguments: Vec<Option<BufferId>>,
    pub place: u32,
    /// What becomes of values
    pub results: Option<Results<'a>>,
}
