//! How inputs and outputs of a computation move with each dimension: all that generators know of it.

use terrace_devices::Products;
use terrace_schedule_model::groups::Groups;
use terrace_schedule_model::nest::APART;
use terrace_support::affine::{AffineExpr, AffineMap};

/// An access of a buffer
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// Elements that one step of each dimension moves by; `None`: not by a fixed number
    pub strides: Vec<Option<i64>>,
    /// Bytes of an element
    pub bytes: i64,
    /// Is the access plain: no guard, nothing that stands for elements outside?
    pub plain: bool,
    /// Number of the buffer among the distinct inputs
    pub buffer: usize,
    /// Number of its access group: reads of one buffer that differ by constants only
    pub group: usize,
    /// Index functions
    pub map: AffineMap,
}

impl Access {
    /// Does it move with a dimension?
    pub fn uses(&self, dim: usize) -> bool {
        self.strides[dim] != Some(0)
    }

    /// Can lanes along a dimension read it where it lies: neighbours of a row, or a few elements apart?
    pub fn has_lanes(&self, dim: usize) -> bool {
        let Some((last, others)) = self.map.results.split_last() else { return false };
        let along = |expr: &AffineExpr| expr.as_linear().map(|linear| linear.dim(dim));
        self.strides[dim] == Some(1)
            || others.iter().all(|expr| along(expr) == Some(0))
                && along(last).is_some_and(|apart| (2..=APART).contains(&apart))
    }

    /// Is the buffer's every dimension a sum of multiples of dimensions of the computation?
    pub fn linear(&self) -> bool {
        self.strides.iter().all(Option::is_some)
    }
}

/// What scheduling asks of a computation
#[derive(Clone, PartialEq, Debug)]
pub struct Accesses {
    /// Extents
    pub sizes: Vec<i64>,
    /// Kept, and not as prefixes
    pub kept: Vec<bool>,
    /// Reduced
    pub reduced: Vec<bool>,
    /// Kept as prefixes
    pub prefixes: Vec<bool>,
    /// Mentioned by a condition
    pub conditioned: Vec<bool>,
    /// Its end is known at run time only
    pub open: Vec<bool>,
    /// Coordinates at which every condition holds whatever the other coordinates are: the size where none mentions it
    pub inner: Vec<i64>,
    /// Per dimension: reduced coordinates that conditions mention together with it and nothing else; 0 where a condition
    /// mentions another kept dimension
    pub taps: Vec<i64>,
    /// Per dimension: lanes along it can mask what conditions leave out. These shift with reduced coordinates, and mention no
    /// other kept dimension
    pub masks: Vec<bool>,
    /// Per dimension: those that conditions mention together with it
    pub coupled: Vec<Vec<usize>>,
    /// Per dimension: conditions leave much less to do at some coordinates than at others, as in a triangle
    pub uneven: Vec<bool>,
    /// Inputs that are buffers
    pub inputs: Vec<Access>,
    /// Accesses of outputs
    pub outputs: Vec<Access>,
    /// Number of distinct input buffers
    pub buffers: usize,
    /// Access groups of the inputs
    pub groups: Groups,
    /// Number of outputs
    pub outs: usize,
    /// Every output has one access, whose indices are single dimensions, constants or, but for the last one, numbers of which dimensions are the digits
    pub tiles: bool,
    /// Every output is written to its ends: what whole tiles compute beyond is outside
    pub fills: bool,
    /// Contributions may be taken in any order, and lanes may start from a neutral element: operators that have names
    pub reorders: bool,
    /// Contributions may be bracketed in any way, in their order: parts of a reduction may be joined
    pub associates: bool,
    /// Several blocks may merge contributions into device memory, by atomic updates in any order
    pub updates: bool,
    /// Operators are on single values
    pub single: bool,
    /// The body has a form on lanes
    pub lanes: bool,
    /// Per dimension: the body reads tensors at places that it computes, and has a form on lanes along it with these reads
    pub gathers_on_lanes: Vec<bool>,
    /// Operators on tuples have a form on lanes as well
    pub tuples: bool,
    /// Operators that are functions, if there are any, take contributions in any order, and start from a neutral element
    pub functions_commute: bool,
    /// Contributions may be bracketed in any way, in their order, and parts of them start from a neutral element: threads of a
    /// block and tasks may bring their values together
    pub meets: bool,
    /// The body can be run where its result is not needed
    pub harmless: bool,
    /// The body has functions of a library: compilers find lanes for them only where lanes are stated
    pub functions: bool,
    /// Products that units for them may add, if it adds nothing else
    pub matrix: Option<Products>,
    /// Ops of the body
    pub ops: i64,
    /// Points times ops of all computations that may share its loops, and thus a fork
    pub together: i64,
    /// An element-wise computation takes the results where they are complete, if a tile has a place for it
    pub followed: bool,
    /// Rows and columns of a symmetric result whose tiles below the diagonal are copies
    pub symmetric: Option<[usize; 2]>,
}

impl Accesses {
    /// Dimensions of more than one coordinate that a test picks, in order
    pub fn dims(&self, test: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.sizes.len()).filter(|dim| self.sizes[*dim] > 1 && test(*dim)).collect()
    }

    /// Number of points, at most `i64::MAX`
    pub fn points(&self) -> i64 {
        self.sizes.iter().fold(1, |all, size| all.saturating_mul(*size))
    }

    /// Bytes of an input that are read
    pub fn footprint(&self, input: usize) -> i64 {
        let used = (0..self.sizes.len()).filter(|dim| self.inputs[input].uses(*dim));
        used.fold(self.inputs[input].bytes, |all, dim| all.saturating_mul(self.sizes[dim]))
    }

    /// Bytes of the widest element
    pub fn widest(&self) -> i64 {
        self.inputs.iter().chain(&self.outputs).map(|access| access.bytes).max().unwrap_or(4)
    }
}
