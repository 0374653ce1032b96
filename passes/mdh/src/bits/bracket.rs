//! Which bracket a computation has.
//!
//! **Invariant:** only what is written counts: reduced extents, operators, index functions, types. No kept extent, no
//! device and no schedule is read.

use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::{Builtin, Operator};
use terrace_dialect_mdh::view::{CombineKind, Condition, Order, View};
use terrace_ir::Ir;

/// Bytes of the lanes of a long row: four vectors of 512 bits, eight of 256, sixteen of 128
const LANE_BYTES: i64 = 256;

/// Bytes of the lanes of a short row: one vector of 512 bits
const SHORT_LANE_BYTES: i64 = 64;

/// Elements of each lane in a part
const LANE_STEPS: i64 = 256;

/// Elements of a part of a reduction with one sum for each kept point
const STEPS: i64 = 256;

/// Elements of a part where inputs are read again and again: parts would be sums of the size of the result
const PRODUCT_STEPS: i64 = 4096;

/// Most parts: they are folded from the left
const MOST_PARTS: i64 = 1024;

/// Lanes with sums of their own
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// The dimension whose neighbors are in neighboring lanes
    pub dim: usize,
    /// How many
    pub count: i64,
    /// How many are next to each other when halves are merged: those of one vector, the last to be merged
    pub wide: i64,
}

/// Parts with sums of their own
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The dimension that is cut
    pub dim: usize,
    /// Coordinates of a part
    pub step: i64,
}

/// How a reduction is bracketed: parts from the left, of lanes by halves, of left folds
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bracket {
    /// How a lane of a part is folded
    pub leaf: Order,
    /// Lanes of a part
    pub lanes: Option<Lanes>,
    /// Parts of the whole
    pub parts: Option<Parts>,
}

impl Bracket {
    /// None is needed: no order shows
    pub const ANY: Bracket = Bracket { leaf: Order::Fixed, lanes: None, parts: None };

    /// Of a reduction
    pub fn of(ir: &Ir, op: Compute, view: &View) -> Bracket {
        if is_exact(ir, op, view) {
            return Bracket::ANY;
        }
        let plain = Bracket { leaf: leaf(ir, op, view), lanes: None, parts: None };
        let one_access = view.outputs.iter().all(|out| out.maps.len() == 1);
        let built_in = view
            .groups()
            .is_some_and(|groups| groups.iter().all(|group| matches!(group.operator, Operator::Builtin(_))));
        // Points that a condition leaves out are left out of the sums of lanes and parts.
        let linear =
            view.conditions.iter().flat_map(Condition::at_least_zero).all(|one| one.as_linear().is_some());
        if !one_access || !built_in || !linear {
            return plain;
        }
        let reduced: Vec<usize> = (0..view.dims.len()).filter(|n| !view.dims[*n].kind.kept()).collect();
        let (Some(first), Some(last)) = (reduced.first(), reduced.last()) else { return plain };
        if reduced.iter().any(|n| view.dims[*n].size == 0) {
            return plain;
        }
        let streams = streams(ir, view, *last);
        let contiguous = streams.contains(&true);
        let lanes = contiguous.then(|| lanes(ir, op, view, *last)).flatten();
        let count = lanes.map_or(1, |lanes| lanes.count);
        let steps = match (lanes.is_some(), streams.is_empty()) {
            (true, _) => LANE_STEPS,
            (false, false) => STEPS,
            (false, true) => PRODUCT_STEPS,
        };
        // Steps of a lane at each coordinate of the outermost dimension, and coordinates of it per lane.
        let inner: i64 = reduced[1..].iter().fold(1, |all, n| {
            let size = view.dims[*n].size;
            all.saturating_mul(if n == last { (size + count - 1) / count } else { size })
        });
        let across = if first == last { count } else { 1 };
        let mut step = next_power(steps.max(1) / inner.clamp(1, steps)).saturating_mul(across);
        let size = view.dims[*first].size;
        while size / step >= MOST_PARTS {
            step = step.saturating_mul(2);
        }
        let parts = (size > 2 * step).then_some(Parts { dim: *first, step });
        Bracket { lanes, parts, ..plain }
    }

    /// Are there sums of lanes or parts?
    pub fn divides(&self) -> bool {
        self.lanes.is_some() || self.parts.is_some()
    }
}

/// Does no operator round?
pub fn is_exact(ir: &Ir, op: Compute, view: &View) -> bool {
    let cx = ir.cx();
    let exact = |first: usize, operator: Operator| match operator {
        Operator::Builtin(builtin) => builtin.algebra(cx, ir.ty(ir.result(op.id(), first)).scalar(cx)).exact,
        Operator::Func(_) | Operator::Accumulated(_) => false,
    };
    view.groups().is_some_and(|groups| groups.iter().all(|group| exact(group.first, group.operator)))
}

/// A left fold; with one rounding of a product and its addition where all outputs sum products
fn leaf(ir: &Ir, op: Compute, view: &View) -> Order {
    let sums = view
        .groups()
        .is_some_and(|groups| groups.iter().all(|group| group.operator == Operator::Builtin(Builtin::Add)));
    let products = (0..view.yields()).all(|n| op.factors(ir, n).is_some());
    if sums && products { Order::Fused } else { Order::Source }
}

/// Of each input that has all dimensions: are neighbors along one of them neighbors in memory, by its subscripts? Strides would tell of kept
/// extents of one, too
fn streams(ir: &Ir, view: &View, dim: usize) -> Vec<bool> {
    let dims = view.dims.len();
    let neighbors = |n: usize| {
        let input = &view.inputs[n];
        let map = input.map.as_ref()?;
        let uses = |dim: usize| map.results.iter().any(|expr| expr.uses_dim(dim as u32));
        let combined = |dim: usize| view.dims[dim].kind != CombineKind::Cc;
        if !(0..dims).all(uses) || !(0..dims).any(combined) {
            return None;
        }
        let shape = ir.ty(input.value).shape(ir.cx())?;
        // A constant subscript of an extent of one is no dimension of the computation.
        let constant = |at: &usize| {
            shape.get(*at) == Some(&1) && !(0..dims).any(|dim| map.results[*at].uses_dim(dim as u32))
        };
        let last = (0..map.results.len()).rev().find(|at| !constant(at))?;
        let along = map.results[last].as_linear().is_some_and(|linear| linear.dim(dim) == 1);
        let others = map.results[..last].iter().all(|expr| !expr.uses_dim(dim as u32));
        Some(along && others)
    };
    (0..view.inputs.len()).filter_map(neighbors).collect()
}

/// Lanes along a contiguous dimension, where it has one vector at least
fn lanes(ir: &Ir, op: Compute, view: &View, dim: usize) -> Option<Lanes> {
    let bits = ir.results(op.id()).map(|value| ir.ty(value).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(64));
    let bytes = i64::from(bits.max()?.div_ceil(8)).max(1);
    let (long, short) = (LANE_BYTES / bytes, SHORT_LANE_BYTES / bytes);
    let count = if view.dims[dim].size >= 2 * long { long } else { short };
    (view.dims[dim].size >= count && count > 1).then_some(Lanes { dim, count, wide: short })
}

fn next_power(n: i64) -> i64 {
    u64::try_from(n).unwrap_or(1).next_power_of_two() as i64
}
