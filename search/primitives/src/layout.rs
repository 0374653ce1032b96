//! What a vector is for: the loops of a computation, into how many parts each is split, and what is fixed for a target.

use std::fmt;
use std::str::FromStr;
use terrace_devices::{Device, DeviceKind};
use terrace_search_graphs::Node;

/// How often a loop may be split, and how many loops may be fused, at most (paper, §4.2: "at most use split and fuse for four times")
pub const DEPTH: usize = 4;

/// A loop of the computation
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Name of its dimension
    pub name: String,
    /// Trip count
    pub trip: i64,
    /// Do its iterations depend on each other?
    pub reduce: bool,
    /// May it run along lanes, as far as the rules of lanes are concerned?
    pub lanes: bool,
}

/// A part of a loop that was split
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sub {
    /// Which loop
    pub dim: usize,
    /// Which of its parts, from the outermost
    pub part: usize,
    /// Who runs it
    pub role: Role,
}

/// Who runs a part
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// Blocks of a grid, along this axis
    Block(usize),
    /// Threads of a block, along this axis
    Thread(usize),
    /// One thread
    Serial,
}

/// Into how many parts loops are split
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// Spatial loops
    pub spatial: usize,
    /// Reduce loops
    pub reduce: usize,
}

impl FromStr for Parts {
    type Err = Misfit;

    /// `4/3`: parts of spatial loops, and of those that fold
    fn from_str(text: &str) -> Result<Parts, Misfit> {
        let read = |word: &str| word.parse::<usize>().ok();
        let found = text.split_once('/').and_then(|(spatial, reduce)| Some((read(spatial)?, read(reduce)?)));
        let (spatial, reduce) = found.ok_or_else(|| Misfit::Word(text.to_owned()))?;
        match [spatial, reduce].into_iter().find(|n| !(1..=DEPTH).contains(n)) {
            Some(wrong) => Err(Misfit::Parts(wrong)),
            None => Ok(Parts { spatial, reduce }),
        }
    }
}

impl Parts {
    /// As in Figure 3d of the paper: twelve loops of the three of a matrix product
    pub const FIGURE: Parts = Parts { spatial: 4, reduce: 4 };
    /// As in the paper's artifact
    pub const ARTIFACT: Parts = Parts { spatial: 4, reduce: 3 };
}

/// What is decided once for all points of a target (paper, §4.2 and §5.3)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixed {
    /// The outermost loops, once they are fused, are tasks of threads; the innermost loop that repeats runs along lanes
    Host {
        /// Most lanes
        lanes: i64,
        /// Elements that results in registers may have
        registers: i64,
    },
    /// The outermost part of a bound loop is blocks, its third one threads; inputs are in a block's memory, results in
    /// registers, where the rules allow their tiles
    Grid {
        /// Most threads of a block
        threads: i64,
    },
}

/// Parts of a loop that has both blocks and threads, at least
const FOR_THREADS: usize = 3;

/// Axes of a grid
const AXES: usize = 3;

/// What a vector's values are for
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The loops, in the order of the source
    pub loops: Vec<Loop>,
    /// Parts of each loop
    pub parts: Vec<usize>,
    /// All parts: loops are numbered by them, from 1
    pub subs: Vec<Sub>,
    /// What is fixed
    pub fixed: Fixed,
    /// Buffers that are read
    pub ins: usize,
    /// Buffers that are written
    pub outs: usize,
    /// Of a grid: which inputs a block's memory can hold tiles of; all, until the rules have judged them
    pub shared: Vec<bool>,
    /// Can tiles of results be in registers?
    pub registers: bool,
}

/// Why there is no such layout, vector or schedule
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// The computation has no loop
    NoLoop,
    /// A loop of no iterations
    Nothing(String),
    /// A loop is split into so many parts
    Parts(usize),
    /// Spatial loops of a grid are split into so many parts, which leaves none for threads
    Threads(usize),
    /// No numbers of parts
    Word(String),
    /// So many loops are fused
    Fused(usize),
    /// A vector has so many values, this one another number
    Count(usize, usize),
    /// A value of the vector, from 1, and what is wrong with it
    Value(usize, String),
    /// A step of the schedule, from 1, and what no vector says
    Step(usize, String),
    /// The schedule has so many steps, the vector's another number
    Steps(usize, usize),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::NoLoop => f.write_str("the computation has no loop to schedule"),
            Misfit::Nothing(name) => write!(f, "loop `{name}` has no iteration"),
            Misfit::Parts(parts) => write!(f, "a loop is split into 1 to {DEPTH} parts, not {parts}"),
            Misfit::Threads(parts) => write!(
                f,
                "on a grid spatial loops are split into {FOR_THREADS} parts or more, not {parts}: the first is blocks, the third one threads"
            ),
            Misfit::Word(text) => {
                write!(
                    f,
                    "`{text}` is no numbers of parts: `4/3` splits spatial loops in 4, and those that fold in 3"
                )
            }
            Misfit::Fused(loops) => write!(f, "1 to {DEPTH} loops are fused, not {loops}"),
            Misfit::Count(wanted, found) => write!(f, "a vector has {wanted} values here, this one {found}"),
            Misfit::Value(at, why) => write!(f, "value {at}: {why}"),
            Misfit::Step(at, why) => write!(f, "step {at}: {why}"),
            Misfit::Steps(wanted, found) => {
                write!(f, "a schedule of this space has {wanted} steps, this one {found}")
            }
        }
    }
}

impl std::error::Error for Misfit {}

impl Layout {
    /// For loops in the order of the source
    pub fn new(
        loops: Vec<Loop>,
        parts: Parts,
        fixed: Fixed,
        ins: usize,
        outs: usize,
    ) -> Result<Layout, Misfit> {
        if let Some(wrong) = [parts.spatial, parts.reduce].into_iter().find(|n| !(1..=DEPTH).contains(n)) {
            return Err(Misfit::Parts(wrong));
        }
        if matches!(fixed, Fixed::Grid { .. }) && parts.spatial < FOR_THREADS {
            return Err(Misfit::Threads(parts.spatial));
        }
        if loops.is_empty() {
            return Err(Misfit::NoLoop);
        }
        if let Some(none) = loops.iter().find(|one| one.trip < 1) {
            return Err(Misfit::Nothing(none.name.clone()));
        }
        let bound = bound(&loops, fixed);
        let (mut of_loops, mut subs) = (Vec::new(), Vec::new());
        for (dim, one) in loops.iter().enumerate() {
            let axis = bound.iter().position(|own| *own == dim);
            let own = match (one.reduce, fixed, axis) {
                (true, ..) => parts.reduce,
                (false, Fixed::Grid { .. }, None) => 2,
                (false, ..) => parts.spatial,
            };
            let role = |part: usize| match (axis, part) {
                (Some(axis), 0) => Role::Block(axis),
                (Some(axis), 2) => Role::Thread(axis),
                _ => Role::Serial,
            };
            subs.extend((0..own).map(|part| Sub { dim, part, role: role(part) }));
            of_loops.push(own);
        }
        let shared = vec![true; ins];
        Ok(Layout { loops, parts: of_loops, subs, fixed, ins, outs, shared, registers: true })
    }

    /// From the analysis of a mini-graph's node, of so many buffers that it reads and writes. No loop runs along lanes before
    /// [`Layout::knowing`] finds those that may
    pub fn of_node(
        node: &Node,
        device: &Device,
        parts: Parts,
        ins: usize,
        outs: usize,
    ) -> Result<Layout, Misfit> {
        let one = |own: &terrace_search_graphs::Loop| Loop {
            name: own.name.clone(),
            trip: own.trip,
            reduce: own.reduce,
            lanes: false,
        };
        Layout::new(node.loops.iter().map(one).collect(), parts, Fixed::of(device), ins, outs)
    }

    /// Numbers of the parts of a loop, from 0
    pub fn of_loop(&self, dim: usize) -> std::ops::Range<usize> {
        let first = self.parts[..dim].iter().sum();
        first..first + self.parts[dim]
    }

    /// Is there a loop whose iterations are independent?
    pub fn is_parallel(&self) -> bool {
        self.loops.iter().any(|one| !one.reduce)
    }

    /// Values of a vector: splits, an order, fused loops where a target fuses, a bit per loop, a bit per buffer that moves
    pub fn values(&self) -> usize {
        self.loops.len() + 1 + usize::from(self.fuses()) + self.subs.len() + self.buffers()
    }

    /// Are outermost loops fused?
    pub fn fuses(&self) -> bool {
        matches!(self.fixed, Fixed::Host { .. })
    }

    /// Buffers with a choice of their own: results of a host may be in registers, inputs of a block may move one loop inwards
    pub fn buffers(&self) -> usize {
        let reduces = self.loops.iter().any(|one| one.reduce);
        match self.fixed {
            _ if !reduces => 0,
            Fixed::Host { .. } => self.outs.min(1),
            Fixed::Grid { .. } => self.ins,
        }
    }
}

impl Fixed {
    /// Of a device
    pub fn of(device: &Device) -> Fixed {
        match device.kind {
            DeviceKind::Host => {
                // Lanes of the narrowest type that is common in sums; the rules know what a type has.
                let lanes = (device.vector_bytes / 4).max(1);
                Fixed::Host { lanes: (2 * lanes).min(64), registers: lanes * device.registers.max(1) }
            }
            DeviceKind::Grid => Fixed::Grid { threads: device.block_threads },
        }
    }
}

/// Loops that get an axis of a grid: the longest of those that are independent, the last of them along x
fn bound(loops: &[Loop], fixed: Fixed) -> Vec<usize> {
    if matches!(fixed, Fixed::Host { .. }) {
        return Vec::new();
    }
    let mut spatial: Vec<usize> = (0..loops.len()).filter(|dim| !loops[*dim].reduce).collect();
    spatial.sort_by_key(|dim| std::cmp::Reverse((loops[*dim].trip, *dim)));
    spatial.truncate(AXES);
    spatial.sort_by_key(|dim| std::cmp::Reverse(*dim));
    spatial
}
