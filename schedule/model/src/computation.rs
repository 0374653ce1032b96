//! A computation as plain data: extents, how dimensions combine, and where elements are read and written.
//!
//! **Invariant:** read once, by the adapter of a dialect. Nothing here refers to IR, and nothing depends on a schedule.

use crate::groups::Groups;
use crate::nest::Operator;
pub use crate::nest_combine::Order;
use crate::schedule::Schedule;
use terrace_devices::Space;
use terrace_support::affine::{AffineExpr, AffineMap};

/// How a dimension is combined
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimKind {
    /// Each coordinate has elements of its own
    Kept,
    /// Kept as prefixes
    Prefixes,
    /// Folded, in this order
    Reduced(Order),
}

impl DimKind {
    /// Is each coordinate seen in the outputs?
    pub fn is_kept(self) -> bool {
        !self.is_reduced()
    }

    /// Is it folded?
    pub fn is_reduced(self) -> bool {
        matches!(self, DimKind::Reduced(_))
    }
}

/// A dimension
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dim {
    /// Name in text
    pub name: String,
    /// Number of coordinates
    pub size: i64,
    /// How it is combined
    pub kind: DimKind,
}

/// What a point gets of a buffer
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// Which of the buffers, in order of first access
    pub buffer: usize,
    /// Which of the access groups
    pub group: usize,
    /// Index functions over the dimensions; none where the body computes the place
    pub map: Option<AffineMap>,
    /// Another value may replace an element
    pub replaced: bool,
}

/// Where a result is written
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Index functions of each access
    pub maps: Vec<AffineMap>,
}

/// A buffer
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// Extents
    pub shape: Vec<i64>,
    /// Bytes of an element
    pub bytes: i64,
    /// Which levels may share it
    pub space: Space,
}

/// Values that an output begins with
#[derive(Clone, PartialEq, Debug)]
pub struct Start {
    /// Which of the buffers that are read, if it is one of them
    pub buffer: Option<usize>,
    /// Its extents
    pub memory: Memory,
    /// Index functions over the dimensions, if they are not those of the output
    pub map: Option<AffineMap>,
}

/// What becomes of the values of points, where each is merged by an operator of its own or none is
#[derive(Clone, PartialEq, Debug)]
pub struct Contributions {
    /// Of each access of each output; none where nothing is merged
    pub operators: Vec<Operator>,
    /// Of each output
    pub starts: Vec<Option<Start>>,
    /// Per output: the operator's zero is put in front of what is written, since there may be no points
    pub fronts: Vec<bool>,
}

/// A computation
#[derive(Clone, PartialEq, Debug)]
pub struct Computation {
    /// Its name
    pub name: Option<String>,
    /// Dimensions in order
    pub dims: Vec<Dim>,
    /// Buffers that are read, in order of first access
    pub buffers: Vec<Memory>,
    /// The buffer of each access group: reads of one buffer by index maps with the same linear part. Groups of a buffer follow each
    /// other, in order of first access
    pub groups: Vec<usize>,
    /// Reads of buffers, in order
    pub inputs: Vec<Input>,
    /// Buffers that are written, one per output
    pub results: Vec<Memory>,
    /// Outputs in order
    pub outputs: Vec<Output>,
    /// Expressions that are at least 0 at points that exist; without those that always are
    pub bounds: Vec<AffineExpr>,
    /// What symbols of bounds are at most: numbers that are known at run time
    pub extents: Vec<i64>,
    /// It is one left fold over its points in their order
    pub in_order: bool,
    /// Two kept dimensions, rows and columns, whose exchange leaves the one result as it is: below the diagonal it is copied
    pub symmetric: Option<[usize; 2]>,
}

impl Computation {
    /// Extents of the dimensions
    pub fn extents(&self) -> Vec<i64> {
        self.dims.iter().map(|dim| dim.size).collect()
    }

    /// Per dimension: is it folded?
    pub fn reduced(&self) -> Vec<bool> {
        self.dims.iter().map(|dim| dim.kind.is_reduced()).collect()
    }

    /// A schedule with an entry per access group, where it has one per buffer
    pub fn by_group(&self, schedule: &Schedule) -> Schedule {
        let of = self.inputs.iter().map(|input| input.group).collect();
        Groups { buffers: self.groups.clone(), of }.expand(schedule)
    }

    /// Does what is known at run time end a dimension?
    pub fn is_open(&self, dim: usize) -> bool {
        self.bounds.iter().any(|bound| bound.arity().1 > 0 && bound.uses_dim(dim as u32))
    }

    /// Is a bound the end of kept dimensions that is known at run time? What is behind it is in no result
    pub fn ends_kept(&self, bound: &AffineExpr) -> bool {
        let reduced = |n: usize| self.dims[n].kind.is_reduced() && bound.uses_dim(n as u32);
        bound.arity().1 > 0 && !(0..self.dims.len()).any(reduced)
    }

    /// Is something combined?
    pub fn combines(&self) -> bool {
        self.dims.iter().any(|dim| dim.kind != DimKind::Kept)
    }

    /// Names of the dimensions
    pub fn names(&self) -> Vec<String> {
        self.dims.iter().map(|dim| dim.name.clone()).collect()
    }
}
