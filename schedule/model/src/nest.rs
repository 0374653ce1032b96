//! A loop nest as data: loops, buffers, accesses, and what else rules and cost models read. Made from IR by adapters.
//!
//! Loops stand in the order of the text, each after the loop around it, so that the loops inside of one follow it without
//! a gap. A field that a later decision fills is [`Open`].
//!
//! **Invariant:** read-only for those who judge it. Passes rewrite ops and read again. Left out: what bodies compute.

use crate::nest_arena::{Arena, Id};
use crate::nest_combine::{Combination, Order, Tail};
use std::sync::Arc;
use terrace_devices::{Axis, Element, Level, Mechanism, Per, Space, Update};
use terrace_support::affine::{AffineExpr, AffineMap};

crate::nest_id! {
    /// A loop
    LoopId
    /// A buffer or an argument
    BufferId
    /// One side of a read, write or copy
    AccessId
    /// A value that is no loop variable
    OpaqueId
    /// A combine operator on a type
    OperatorId
    /// A kernel
    LaunchId
    /// A condition
    BranchId
    /// A decision that has not been made
    HoleId
}

/// A field that is decided, or left to a later decision
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open<T> {
    /// Decided
    Is(T),
    /// Left open
    Hole(HoleId),
}

impl<T: Copy> Open<T> {
    /// The value, if it is decided
    pub fn known(self) -> Option<T> {
        match self {
            Open::Is(value) => Some(value),
            Open::Hole(_) => None,
        }
    }
}

/// A decision that has not been made; several fields may wait for one
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Its name, without `@`
    pub name: Arc<str>,
    /// It decides which loops and buffers there are, or their order: until then no rule has an answer
    pub structural: bool,
}

/// Where something stands
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Around {
    /// The innermost loop around
    pub inside: Option<LoopId>,
    /// The kernel around
    pub launch: Option<LaunchId>,
    /// The innermost condition around
    pub branch: Option<BranchId>,
}

impl Around {
    /// The inner one of two places, one of which is in the other
    pub fn inner(self, other: Around) -> Around {
        Around {
            inside: self.inside.max(other.inside),
            launch: self.launch.max(other.launch),
            branch: self.branch.max(other.branch),
        }
    }
}

/// A loop
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Where it stands
    pub around: Around,
    /// The number of the first loop that is not inside of it
    pub end: u32,
    /// Dimension of the iteration space
    pub dim: Option<i64>,
    /// Extent
    pub extent: Open<i64>,
    /// Distance of two iterations
    pub tile: Open<i64>,
    /// Who runs it
    pub level: Open<Level>,
    /// It is one loop with the loop around
    pub merged: Open<bool>,
    /// How iterations combine
    pub combine: Combine,
    /// First iterations that do not happen: those before
    pub from: Option<Bound>,
    /// Last iterations that do not happen: those at or beyond
    pub limit: Option<Bound>,
    /// What happens where the tile does not divide the extent
    pub tail: Option<Tail>,
    /// Rounds in flight
    pub stages: Option<i64>,
    /// No join needed
    pub nowait: bool,
    /// Layer and label of the schedule's step
    pub step: Option<(i64, i64)>,
}

impl Loop {
    /// Does a bound leave iterations out?
    pub fn is_cut(&self) -> bool {
        self.limit.is_some() || self.from.is_some()
    }

    /// Both bounds, as far as there are any
    pub fn bounds(&self) -> impl Iterator<Item = &Bound> {
        self.limit.iter().chain(&self.from)
    }
}

/// How iterations of a loop combine
#[derive(Clone, PartialEq, Debug)]
pub struct Combine {
    /// Kind
    pub kind: Combination,
    /// Order word
    pub order: Order,
    /// How contributions are merged
    pub mechanism: Mechanism,
    /// Values that it gives
    pub results: usize,
    /// One per value that it merges; without values those that its body merges into memory by
    pub operators: Vec<OperatorId>,
}

/// An operator on a type, its algebra resolved
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    /// As text writes it
    pub name: Arc<str>,
    /// The atomic update that it is; none of functions and of types that nothing updates at once
    pub update: Option<(Update, Element)>,
    /// Any bracketing gives the same, up to rounding
    pub associative: bool,
    /// Any order gives the same
    pub commutative: bool,
    /// No rounding: bracketing and order never show
    pub exact: bool,
}

/// What a dimension of a map stands for
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Index {
    /// A loop's variable
    Loop(LoopId),
    /// Another value
    Opaque(OpaqueId),
}

/// A bound of a loop's variable
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// One result, or several that all bind
    pub map: AffineMap,
    /// What its dimensions stand for
    pub over: Vec<Index>,
}

/// A value that is no variable of a loop of the nest
#[derive(Clone, PartialEq, Debug)]
pub struct Opaque {
    /// Its number, if it is a constant
    pub constant: Option<i64>,
    /// Where it is computed; nowhere in the nest if it comes from outside
    pub around: Around,
    /// What it is, if it is computed of others
    pub computed: Option<Computed>,
}

/// A value as an affine expression of others
#[derive(Clone, PartialEq, Debug)]
pub struct Computed {
    /// The expression
    pub expr: AffineExpr,
    /// What its dimensions stand for: values that are not computed themselves, as far as is known
    pub over: Vec<Index>,
}

/// Memory
#[derive(Clone, PartialEq, Debug)]
pub struct Buffer {
    /// Which levels may share it
    pub space: Space,
    /// The memory that its type names: a cache or registers of a host
    pub named: Option<Arc<str>>,
    /// Sizes; below 0 where it is not known
    pub shape: Vec<i64>,
    /// Bytes of an element
    pub bytes: i64,
    /// How the nest makes it; arguments come from outside
    pub made: Option<Made>,
    /// The memory that it is a view of, or that others are views of
    pub part: Option<Part>,
}

impl Buffer {
    /// Bytes of all elements
    pub fn size(&self) -> i64 {
        self.shape.iter().fold(self.bytes, |all, size| match size {
            0.. => all.saturating_mul(*size),
            _ => i64::MAX,
        })
    }

    /// The nest makes it in memory that blocks do not share
    pub fn is_own_of_block(&self) -> bool {
        self.made.is_some() && self.space != Space::Device
    }

    /// Registers, by the name of the memory or by the space
    pub fn is_private(&self) -> bool {
        self.space == Space::Private
    }
}

/// The memory that a buffer is a view of
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// The buffer that is all of it
    pub of: BufferId,
    /// Where elements lie; `None` where it is not known
    pub at: Option<Address>,
    /// Elements with other coordinates are elsewhere, and the first one is always at one place
    pub plain: bool,
}

/// Bytes from the start of memory to an element
#[derive(Clone, PartialEq, Debug)]
pub struct Address {
    /// Distance of neighbors in each dimension
    pub strides: Vec<i64>,
    /// The first element: its dimensions stand for `over`
    pub offset: AffineExpr,
    /// What the first element depends on
    pub over: Vec<Index>,
}

/// How a nest makes a buffer
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Made {
    /// Where it stands
    pub around: Around,
    /// Who owns it together
    pub per: Option<Per>,
    /// Its position in the text
    pub place: u32,
    /// Is it made at all?
    pub there: Open<bool>,
    /// Layer and label of the schedule's step
    pub step: Option<(i64, i64)>,
}

/// What an access does with an element
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Reads it
    Read,
    /// Writes it
    Write,
    /// Merges into it
    Merge(OperatorId),
}

/// Most elements that neighbouring lanes of a read may be apart: so few that loads and shuffles make a vector of them
pub const APART: i64 = 4;

/// Longest loop that becomes copies of its body only because it walks through registers
pub const MOST_COPIES: i64 = 16;

/// A read, a write, or one side of a copy
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The memory
    pub buffer: BufferId,
    /// What it does
    pub does: Use,
    /// Where: dimensions are those of the domain, then those of `over`
    pub map: AffineMap,
    /// What dimensions after the domain's stand for
    pub over: Vec<Index>,
    /// Sizes of a copy's domain
    pub domain: Vec<i64>,
    /// Elements outside do no harm
    pub guarded: bool,
    /// One side of a copy
    pub copy: bool,
    /// Who runs a copy together
    pub per: Option<Per>,
    /// Threads run it together: any of them does it
    pub together: bool,
    /// Where it stands
    pub around: Around,
    /// Its position in the text; both sides of a copy have one
    pub place: u32,
}

impl Access {
    /// The dimension that stands for a loop's variable
    pub fn dim_of(&self, id: LoopId) -> Option<usize> {
        let n = self.over.iter().position(|index| *index == Index::Loop(id))?;
        Some(self.domain.len() + n)
    }

    /// Does it mention the loop's variable?
    pub fn follows(&self, id: LoopId) -> bool {
        self.over.contains(&Index::Loop(id))
    }

    /// Does it read only?
    pub fn reads(&self) -> bool {
        self.does == Use::Read
    }
}

/// A kernel
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Grid and block follow from the loops: each is the largest trip count at its level. Then both fields are 0
    pub inferred: bool,
    /// Blocks
    pub grid: [i64; 3],
    /// Threads of a block
    pub block: [i64; 3],
    /// Blocks of a cluster
    pub cluster: [i64; 3],
    /// Threads of a warp
    pub subgroup: i64,
}

/// A condition: its body runs or does not
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// Where it stands
    pub around: Around,
    /// Loops whose variables it depends on
    pub loops: Vec<LoopId>,
    /// It depends on memory of one thread
    pub private: bool,
}

/// A copy that threads run together: all of them come
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meeting {
    /// The access that writes
    pub access: AccessId,
    /// Its position in the text
    pub place: u32,
    /// The threads that run it together, if it names them
    pub per: Option<Per>,
    /// Where it stands
    pub around: Around,
}

/// All loops below one op, and what they use
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Nest {
    /// Loops, each after the one around it
    pub loops: Arena<LoopId, Loop>,
    /// Buffers that are made, and arguments where they are first used
    pub buffers: Arena<BufferId, Buffer>,
    /// Reads and writes; a copy reads, then writes
    pub accesses: Arena<AccessId, Access>,
    /// Values that are no loop variables
    pub opaque: Arena<OpaqueId, Opaque>,
    /// Operators
    pub operators: Arena<OperatorId, Operator>,
    /// Kernels
    pub launches: Arena<LaunchId, Launch>,
    /// Conditions
    pub branches: Arena<BranchId, Branch>,
    /// Copies that threads run together
    pub meetings: Vec<Meeting>,
    /// What is left open
    pub holes: Arena<HoleId, Hole>,
}

impl Nest {
    /// The loop around a loop
    pub fn parent(&self, id: LoopId) -> Option<LoopId> {
        self.loops[id].around.inside
    }

    /// A loop and those around it, inner ones first
    pub fn around(&self, id: Option<LoopId>) -> impl Iterator<Item = LoopId> + Clone + '_ {
        std::iter::successors(id, |id| self.parent(*id))
    }

    /// Loops around a loop, inner ones first
    pub fn outside(&self, id: LoopId) -> impl Iterator<Item = LoopId> + Clone + '_ {
        self.around(self.parent(id))
    }

    /// Loops inside of a loop
    pub fn inside(&self, id: LoopId) -> impl DoubleEndedIterator<Item = LoopId> + Clone + use<> {
        (id.index() + 1..self.loops[id].end as usize).map(LoopId::new)
    }

    /// Is the place inside of the loop, or the loop itself?
    pub fn is_in(&self, place: Option<LoopId>, id: LoopId) -> bool {
        place.is_some_and(|place| place >= id && place.index() < self.loops[id].end as usize)
    }

    /// Loops around both places, inner ones first
    pub fn common(&self, a: Option<LoopId>, b: Option<LoopId>) -> impl Iterator<Item = LoopId> + '_ {
        self.around(a).filter(move |id| self.is_in(b, *id))
    }

    /// Loops of the same dimension on a path through a loop: those around, itself, those inside
    pub fn chain(&self, id: LoopId) -> Vec<LoopId> {
        let dim = self.loops[id].dim;
        let mut all: Vec<LoopId> = self.outside(id).collect();
        all.reverse();
        all.push(id);
        all.extend(self.inside(id));
        all.retain(|other| self.loops[*other].dim == dim);
        all
    }

    /// The buffer of an access
    pub fn buffer_of(&self, access: &Access) -> &Buffer {
        &self.buffers[access.buffer]
    }

    /// Buffers that the nest makes
    pub fn made(&self) -> impl Iterator<Item = (BufferId, &Buffer, &Made)> {
        self.buffers.entries().filter_map(|(id, buffer)| Some((id, buffer, buffer.made.as_ref()?)))
    }

    /// The kernel around a loop
    pub fn launch_of(&self, id: LoopId) -> Option<&Launch> {
        Some(&self.launches[self.loops[id].around.launch?])
    }

    /// Are two operators one, whatever the type?
    pub fn is_same_operator(&self, a: OperatorId, b: OperatorId) -> bool {
        a == b || self.operators[a].name == self.operators[b].name
    }

    /// Do both accesses do the same?
    pub fn does_same(&self, a: &Access, b: &Access) -> bool {
        match (a.does, b.does) {
            (Use::Merge(f), Use::Merge(g)) => self.is_same_operator(f, g),
            (a, b) => a == b,
        }
    }

    /// Loops around a place inside of another, outermost first
    pub fn between(&self, inside: Option<LoopId>, place: Option<LoopId>) -> Vec<LoopId> {
        let mut all: Vec<LoopId> = self.around(inside).take_while(|id| Some(*id) != place).collect();
        all.reverse();
        all
    }

    /// A condition and those around it, inner ones first
    pub fn branches(&self, id: Option<BranchId>) -> impl Iterator<Item = BranchId> + '_ {
        std::iter::successors(id, |id| self.branches[*id].around.branch)
    }

    /// Put all of a nest without a kernel into one whose sizes follow from its loops
    pub fn infer_launch(&mut self) {
        if !self.launches.is_empty() {
            return;
        }
        let sizes = Launch { inferred: true, grid: [0; 3], block: [0; 3], cluster: [1; 3], subgroup: 1 };
        let launch = Some(self.launches.push(sizes));
        self.loops.iter_mut().for_each(|own| own.around.launch = launch);
        self.accesses.iter_mut().for_each(|own| own.around.launch = launch);
        self.branches.iter_mut().for_each(|own| own.around.launch = launch);
        self.meetings.iter_mut().for_each(|own| own.around.launch = launch);
        self.buffers
            .iter_mut()
            .filter_map(|own| own.made.as_mut())
            .for_each(|own| own.around.launch = launch);
        let inside = |own: &&mut Opaque| own.around.inside.is_some();
        self.opaque.iter_mut().filter(inside).for_each(|own| own.around.launch = launch);
    }

    /// Is it left open which loops and buffers there are, or their order?
    pub fn has_open_structure(&self) -> bool {
        self.holes.iter().any(|hole| hole.structural)
    }

    /// Is everything decided?
    pub fn is_decided(&self) -> bool {
        self.holes.is_empty()
    }
}

impl Launch {
    /// Threads of a block along all axes
    pub fn threads(&self) -> i64 {
        self.block.iter().fold(1i64, |all, size| all.saturating_mul(*size))
    }

    /// Blocks along an axis
    pub fn grid(&self, axis: Axis) -> i64 {
        self.grid[axis.number()]
    }

    /// Threads of a block along an axis
    pub fn block(&self, axis: Axis) -> i64 {
        self.block[axis.number()]
    }

    /// Blocks of a cluster along an axis
    pub fn cluster(&self, axis: Axis) -> i64 {
        self.cluster[axis.number()]
    }
}
