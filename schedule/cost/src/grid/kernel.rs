//! A kernel while it is counted: its loops, and where its lanes are.

use super::occupancy::WARP;
use super::requests::{self, Lanes};
use crate::bodies::Bodies;
use terrace_devices::{Axis, Device, Level, Space};
use terrace_schedule_model::nest::{Access, AccessId, Launch, LoopId};
use terrace_schedule_model::nest_arena::Id;
use terrace_schedule_model::nest_decided::Decided;

/// Longest innermost loop that compilers unroll as a whole
const SHORT: i64 = 32;

/// Copies of a body that they make of a nest of such loops, at most: a product's step of 8×8 results by 8 stays a loop, one of 4×4 by 16 does not
const COPIES: i64 = 256;

/// Iterations of a longer one that they put into one
pub(super) const TOGETHER: f64 = 4.0;

/// Copies of a body that are counted one by one, at most
pub(super) const COUNTED: i64 = 4096;

/// Which memory a request goes to
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// A block's
    Shared,
    /// The device's
    Device,
}

/// Requests of a warp that are alike
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// Number of the access in the nest
    pub access: usize,
    /// Which memory
    pub side: Side,
    /// It stores
    pub stores: bool,
    /// Bytes of a lane
    pub bytes: i64,
    /// Passes through shared memory, of one
    pub wavefronts: i64,
    /// Sectors of device memory, of one
    pub sectors: i64,
    /// Lines of device memory, of one
    pub lines: i64,
    /// Lanes that access
    pub lanes: usize,
    /// How many there are
    pub count: f64,
}

/// What one warp of a block does
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Counts {
    /// Iterations of the sequential loops around copies of the block
    pub steps: f64,
    /// Multiply-adds, and sums that are merged
    pub fma: f64,
    /// Other arithmetic
    pub other: f64,
    /// Loads and stores
    pub requests: Vec<Request>,
    /// Exchanges between lanes
    pub shuffles: f64,
    /// Barriers of the block
    pub barriers: f64,
    /// Instructions that compute addresses
    pub addresses: f64,
    /// Instructions of loops themselves
    pub branches: f64,
    /// Groups of loads whose results must arrive before others are issued
    pub rounds: f64,
    /// Cycles that these, barriers and exchanges wait
    pub exposed: f64,
    /// Independent sums of a thread
    pub chains: f64,
    /// Registers of a thread
    pub registers: i64,
    /// Registers that its values would take if there were as many
    pub wanted: i64,
    /// Shared bytes of a block
    pub shared_bytes: i64,
    /// Distinct bytes that the kernel reads and writes
    pub bytes: f64,
    /// Atomic updates of the element that has most
    pub updates: f64,
    /// Cycles that these take, one after the other
    pub updating: f64,
    /// Outputs that a launch in front starts, since blocks update them
    pub starts: f64,
}

/// A kernel while it is counted
pub(super) struct Kernel<'a> {
    pub nest: Decided<'a>,
    pub bodies: &'a Bodies,
    pub launch: &'a Launch,
    pub device: &'a Device,
    /// Loops that are copies of their body
    pub flat: Vec<bool>,
}

/// Loops of a thread around something: those that run, and those that are copies
pub(super) struct Place {
    pub run: Vec<LoopId>,
    pub flat: Vec<LoopId>,
}

impl<'a> Kernel<'a> {
    /// A kernel of a nest
    pub fn of(nest: Decided<'a>, bodies: &'a Bodies, launch: &'a Launch, device: &'a Device) -> Kernel<'a> {
        Kernel { nest, bodies, launch, device, flat: flat(&nest) }
    }

    /// Loops of a thread around a place
    pub fn place(&self, inside: Option<LoopId>) -> Place {
        let mut around: Vec<LoopId> =
            self.nest.around(inside).filter(|id| !self.is_shared_out(*id)).collect();
        around.reverse();
        let (flat, run) = around.into_iter().partition(|id| self.flat[id.index()]);
        Place { run, flat }
    }

    /// Is the loop run by blocks or threads?
    pub fn is_shared_out(&self, id: LoopId) -> bool {
        !matches!(self.nest.level(id), Level::Seq | Level::Unroll | Level::Vector | Level::Mma)
    }

    /// Iterations of all of them
    pub fn trips(&self, loops: &[LoopId]) -> f64 {
        loops.iter().map(|id| self.nest.trip(*id).max(1) as f64).product()
    }

    pub fn threads(&self) -> i64 {
        self.launch.threads().max(1)
    }

    /// Threads that exchange values
    pub fn subgroup(&self) -> i64 {
        if self.launch.subgroup > 1 { self.launch.subgroup } else { WARP }
    }

    /// The memory of an access; none: registers
    pub fn side(&self, access: &Access) -> Option<Side> {
        match self.nest.buffer_of(access).space {
            Space::Private => None,
            Space::Shared => Some(Side::Shared),
            _ => Some(Side::Device),
        }
    }

    /// Value of a loop's variable for a lane of the first warp of the first block; none where the lane has no iteration
    fn of_lane(&self, id: LoopId, lane: i64) -> Option<i64> {
        let run = self.nest.run(id);
        let at = match run.level {
            Level::Thread(axis) | Level::Global(axis) => self.thread(lane, axis),
            Level::Lane(axis) => self.lane(lane, axis),
            _ => 0,
        };
        (at < run.trip.max(1)).then_some(at * run.tile)
    }

    fn thread(&self, number: i64, axis: Axis) -> i64 {
        let [x, y, _] = self.launch.block.map(|size| size.max(1));
        match axis {
            Axis::X => number % x,
            Axis::Y => number / x % y,
            Axis::Z => number / x / y,
        }
    }

    /// Lanes are numbered along x first
    fn lane(&self, number: i64, axis: Axis) -> i64 {
        let most = |axis: Axis| {
            let here = |id: &LoopId| self.nest.level(*id) == Level::Lane(axis);
            self.nest.loops.ids().filter(here).map(|id| self.nest.trip(id)).max().unwrap_or(1).max(1)
        };
        match axis {
            Axis::X => number % most(Axis::X),
            Axis::Y => number / most(Axis::X) % most(Axis::Y),
            Axis::Z => number / most(Axis::X) / most(Axis::Y),
        }
    }

    /// Byte that an access touches, by values of loops and of a copy's own variables
    pub fn address(
        &self,
        access: &Access,
        domain: &[i64],
        at: &dyn Fn(LoopId) -> Option<i64>,
    ) -> Option<i64> {
        let mut dims = domain.to_vec();
        dims.resize(access.domain.len(), 0);
        for index in &access.over {
            dims.push(match index.as_loop() {
                Some(id) => at(id)?,
                None => 0,
            });
        }
        let buffer = self.nest.buffer_of(access);
        let places = access.map.eval(&dims, &[])?;
        let mut address = 0i64;
        for (place, size) in places.iter().zip(&buffer.shape) {
            // A size that is not known is taken to be large.
            let size = if *size < 0 { 1 << 12 } else { *size };
            address = address.checked_mul(size)?.checked_add(*place)?;
        }
        address.checked_mul(buffer.bytes)
    }

    /// Addresses of the lanes of a warp; a lane's own copy variables, and fixed loops that are copies
    pub fn lanes(
        &self,
        access: &Access,
        domain: &dyn Fn(i64) -> Option<Vec<i64>>,
        fixed: &dyn Fn(LoopId) -> Option<i64>,
    ) -> Lanes {
        let mut lanes: Lanes = [None; WARP as usize];
        for (lane, address) in lanes.iter_mut().enumerate().take(self.threads().min(WARP) as usize) {
            let at = |id: LoopId| fixed(id).or_else(|| self.of_lane(id, lane as i64));
            *address = domain(lane as i64).and_then(|own| self.address(access, &own, &at));
        }
        lanes
    }

    /// Requests of an access, so many of them
    pub fn request(&self, id: AccessId, side: Side, bytes: i64, lanes: &Lanes, count: f64) -> Request {
        let access = &self.nest.accesses[id];
        Request {
            access: id.index(),
            side,
            stores: !access.reads(),
            bytes,
            wavefronts: requests::wavefronts(lanes, bytes),
            sectors: requests::sectors(lanes, bytes),
            lines: requests::lines(lanes, bytes),
            lanes: lanes.iter().flatten().count(),
            count,
        }
    }

    /// Iterations that compilers put into one
    pub fn together(&self, id: LoopId) -> f64 {
        let short = self.nest.inside(id).all(|inner| self.flat[inner.index()] || self.is_shared_out(inner));
        let waits = self.nest.meetings.iter().any(|meeting| self.nest.is_in(meeting.around.inside, id));
        if short && !waits { TOGETHER.min(self.nest.trip(id).max(1) as f64) } else { 1.0 }
    }
}

/// Loops that are copies of their body: those that say so, and short ones of which all loops inside are, as long as there are few copies
fn flat(nest: &Decided<'_>) -> Vec<bool> {
    let mut flat = vec![false; nest.loops.ids().count()];
    let mut copies = vec![1i64; flat.len()];
    let ids: Vec<LoopId> = nest.loops.ids().collect();
    for id in ids.into_iter().rev() {
        let (trip, level) = (nest.trip(id).max(1), nest.level(id));
        let inner = nest.inside(id).filter(|inner| nest.parent(*inner) == Some(id));
        let (all, most) = inner.fold((true, 1i64), |(all, most), inner| {
            let shared_out = !matches!(nest.level(inner), Level::Seq | Level::Unroll | Level::Vector);
            (all && (flat[inner.index()] || shared_out), most.max(copies[inner.index()]))
        });
        let waits = nest.meetings.iter().any(|meeting| nest.is_in(meeting.around.inside, id));
        let few = most.saturating_mul(trip) <= COPIES;
        flat[id.index()] = match level {
            Level::Unroll | Level::Vector => !waits,
            Level::Seq => all && few && !waits && trip <= SHORT,
            _ => false,
        };
        copies[id.index()] = if flat[id.index()] { most.saturating_mul(trip) } else { most };
    }
    flat
}
