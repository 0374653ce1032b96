//! Element-wise computations that are stored, of which the computation behind reads each element once.
//!
//! Such a computation may be done where its elements are read, and stored there: what it reads is then read for both, and its result
//! is not read again. [`find`] is what follows from the computations alone; whether a loop nest has places for it is the lowering's to see.

use crate::compute::Compute;
use crate::view::{CombineKind, Condition, Dim, View};
use terrace_ir::{Ir, TypeKind, Value};
use terrace_support::affine::{AffineExpr, Linear};

/// Discardable attribute of a computation: it is done where the one behind reads its elements, if the nest of that has places for it. Its own
/// schedule stands next to it, for where there are none
pub const PROLOGUE: &str = "mdh.prologue";

/// How the computation behind reads an element-wise one
pub struct Prologue {
    /// The computation behind
    pub reader: Compute,
    /// The result that it reads
    pub result: Value,
    /// The dimension along each axis of that result
    pub dims: Vec<usize>,
}

/// Which computation behind reads each element of a result of this one exactly once, and nothing else of it. Others may follow
pub fn find(ir: &Ir, op: Compute, view: &View) -> Option<Prologue> {
    let kept = view.dims.iter().all(|dim| dim.kind == CombineKind::Cc && dim.size > 0);
    let plain = view.outputs.iter().all(|out| out.init.is_none() && out.maps.len() == 1);
    // A whole tensor is read at places that the body computes.
    let reads_plainly = view.inputs.iter().all(|input| {
        let tensor = matches!(ir.ty(input.value).kind(ir.cx()), TypeKind::Tensor { .. });
        input.other.is_none() && input.guard.is_none() && (input.map.is_some() || !tensor)
    });
    if !kept || !plain || !reads_plainly || !view.conditions.is_empty() {
        return None;
    }
    let reader =
        std::iter::successors(ir.next(op.id()), |op| ir.next(*op)).find_map(|op| Compute::cast(ir, op))?;
    let other = View::read(ir, reader).ok()?;
    let of_own = |value: Value| ir.defining_op(value) == Some(op.id());
    let starts = other.outputs.iter().any(|out| out.init.as_ref().is_some_and(|(value, _)| of_own(*value)));
    let mut reads = other.inputs.iter().filter(|input| of_own(input.value));
    let (Some(read), None, false) = (reads.next(), reads.next(), starts) else { return None };
    let shape = ir.ty(read.value).shape(ir.cx())?;
    let alone = read.other.is_none() && read.guard.is_none();
    let once = alone && each_once(&other, &read.map.as_ref()?.results, shape);
    let own = ir.results(op.id()).position(|value| value == read.value)?;
    let dims = view.axes(own, shape).filter(|_| once)?;
    let whole = ir
        .results(op.id())
        .enumerate()
        .all(|(n, value)| ir.ty(value).shape(ir.cx()).is_some_and(|shape| view.axes(n, shape).is_some()));
    whole.then_some(Prologue { reader, result: read.value, dims })
}

/// Does each point of a computation read an element of its own, and all of them every element? Parts of an axis may end early by a condition
fn each_once(view: &View, place: &[AffineExpr], shape: &[i64]) -> bool {
    let prefix = |dim: &Dim| matches!(dim.kind, CombineKind::Ps(_));
    let mut used = vec![false; view.dims.len()];
    let mut ends = 0;
    for (expr, size) in place.iter().zip(shape) {
        let Some(linear) = expr.as_linear() else { return false };
        let Some(whole) = places(view, &linear, &mut used) else { return false };
        let ended = || view.conditions.iter().any(|condition| is_end(condition, &linear, *size));
        match whole.cmp(size) {
            std::cmp::Ordering::Equal => {}
            std::cmp::Ordering::Greater if ended() => ends += 1,
            _ => return false,
        }
    }
    let all = view.dims.iter().zip(&used).all(|(dim, used)| *used || dim.size == 1);
    all && ends == view.conditions.len() && !view.dims.iter().any(prefix)
}

/// How many places dimensions count through one after the other, like digits; none where they skip or repeat some
fn places(view: &View, linear: &Linear, used: &mut [bool]) -> Option<i64> {
    let mut digits: Vec<(i64, usize)> = (0..view.dims.len())
        .map(|dim| (linear.dim(dim), dim))
        .filter(|(factor, dim)| *factor != 0 && view.dims[*dim].size != 1)
        .collect();
    digits.sort_unstable();
    let mut whole = 1i64;
    for (factor, dim) in digits {
        if factor != whole || std::mem::replace(&mut used[dim], true) {
            return None;
        }
        whole = whole.checked_mul(view.dims[dim].size)?;
    }
    (linear.constant == 0 && linear.symbols.is_empty()).then_some(whole)
}

/// Does a condition say no more than that an index is within an axis?
fn is_end(condition: &Condition, index: &Linear, size: i64) -> bool {
    let high = condition.high.as_linear();
    let end =
        high.is_some_and(|high| high.constant == size && high.dims.is_empty() && high.symbols.is_empty());
    condition.low.is_none() && end && condition.expr.as_linear().as_ref() == Some(index)
}
