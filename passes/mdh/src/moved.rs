//! Operands whose kept and reduced dimensions are interleaved, copied once so that each reduction reads a row in order.
//!
//! A tensor of 24×16×32×32×16×16 elements that is reduced over dimensions 2 and 5 has runs of 16 elements for each result. With the reduced
//! dimensions behind the kept ones, a result is one row of 512. Every computation that reads the tensor in the same way reads the copy. The
//! model compares: elements are moved twice, and read in order afterwards.

use crate::parts;
use terrace_dialect_mdh::schedule::SCHEDULE;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Order, Output, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::{Builder, Ir, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A copy of a tensor and the computations that read it, next to the ones as written
pub struct Moved {
    /// The copy
    pub copy: Compute,
    /// Computations as written, and on the copy
    pub readers: Vec<(Compute, Compute)>,
    /// What is copied
    pub name: String,
}

/// How a computation reads a tensor: its dimension for each of the tensor's
#[derive(Clone, PartialEq, Debug)]
struct Reads {
    input: usize,
    axes: Vec<usize>,
    /// Axes of the tensor that are kept, in the order of the result, then the reduced ones as they are written
    kept: Vec<usize>,
    reduced: Vec<usize>,
}

impl Moved {
    /// Build the copy and its readers; `None`, and nothing has changed, where the computation reads nothing interleaved
    pub fn before(ir: &mut Ir, op: Compute, view: &View) -> Option<Moved> {
        let own = reads(ir, op, view)?;
        let tensor = view.inputs[own.input].value;
        let mut found = vec![(op, view.clone(), own.clone())];
        let others: Vec<OpId> = ir.uses(tensor).map(|(user, _)| user).collect();
        for other in others {
            let Some(other) = Compute::cast(ir, other).filter(|one| found.iter().all(|(op, ..)| op != one))
            else {
                continue;
            };
            // Those in front have been scheduled.
            if ir.discardable(other.id(), SCHEDULE).is_some() || ir.parent(other.id()) != ir.parent(op.id()) {
                continue;
            }
            let Ok(view) = View::read(ir, other) else { continue };
            let same = reads(ir, other, &view).filter(|one| {
                one.kept == own.kept && one.reduced == own.reduced && view.inputs[one.input].value == tensor
            });
            if let Some(one) = same {
                found.push((other, view, one));
            }
        }
        let name = ir.value_name(tensor).unwrap_or("input").to_owned();
        let copy = copied(ir, op, view, &own)?;
        let mut readers = Vec::new();
        for (old, view, reads) in &found {
            match reader(ir, *old, view, reads, copy) {
                Some(new) => readers.push((*old, new)),
                None => {
                    Moved { copy, readers, name }.discard(ir);
                    return None;
                }
            }
        }
        Some(Moved { copy, readers, name })
    }

    /// Put them in place of the ones as written: the copy, then its readers
    pub fn replace(self, ir: &mut Ir) -> Vec<Compute> {
        let mut all = vec![self.copy];
        for (old, new) in self.readers {
            parts::replace(ir, old, new);
            all.push(new);
        }
        all
    }

    /// Keep the ones as written
    pub fn discard(self, ir: &mut Ir) {
        for (_, made) in self.readers.into_iter().rev() {
            ir.erase(made.id());
        }
        ir.erase(self.copy.id());
    }
}

/// How a reduction reads its one tensor with all of the reduced dimensions, if those are interleaved with kept ones
fn reads(ir: &Ir, op: Compute, view: &View) -> Option<Reads> {
    let folded: Vec<usize> = (0..view.dims.len()).filter(|dim| !view.dims[*dim].kind.kept()).collect();
    let kind = &view.dims[*folded.first()?].kind;
    let known = folded.iter().all(|dim| view.dims[*dim].kind == *kind)
        && matches!(kind, CombineKind::Pw(_, order) if !matches!(order, Order::Tree | Order::Invariant))
        && view.dims.iter().all(|dim| dim.size > 0 && !matches!(dim.kind, CombineKind::Ps(_)));
    let uses = |input: &Input| {
        input.map.as_ref().is_none_or(|map| {
            folded.iter().any(|dim| map.results.iter().any(|expr| expr.uses_dim(*dim as u32)))
        })
    };
    let mut inputs = (0..view.inputs.len()).filter(|n| uses(&view.inputs[*n]));
    let input = inputs.next().filter(|_| inputs.next().is_none())?;
    let Input { value, map: Some(map), other: None, guard: None } = &view.inputs[input] else { return None };
    if !known || !view.conditions.is_empty() || ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF)) {
        return None;
    }
    let axes: Vec<usize> = map.result_dims()?.into_iter().map(|dim| dim as usize).collect();
    let shape = ir.ty(*value).shape(ir.cx())?;
    let whole = axes.iter().zip(shape).all(|(dim, extent)| view.dims[*dim].size == *extent);
    let axis = |dim: usize| axes.iter().position(|other| *other == dim);
    let once = axes.iter().enumerate().all(|(n, dim)| axis(*dim) == Some(n));
    let reduced: Vec<usize> = folded.iter().map(|dim| axis(*dim)).collect::<Option<_>>()?;
    let place = view.outputs.first()?.maps.first()?.result_dims()?;
    let kept: Vec<usize> = place.iter().filter_map(|dim| axis(*dim as usize)).collect();
    let all = kept.len() + reduced.len() == axes.len();
    let long: Vec<bool> =
        axes.iter().filter(|dim| view.dims[**dim].size > 1).map(|dim| view.dims[*dim].kind.kept()).collect();
    let changes = long.windows(2).filter(|pair| pair[0] != pair[1]).count();
    (whole && once && all && changes > 1).then_some(Reads { input, axes, kept, reduced })
}

/// The number of a point of some axes, the first outermost
fn number(shape: &[i64], axes: &[usize]) -> AffineExpr {
    axes.iter().fold(0.into(), |all, axis| {
        AffineExpr::add(AffineExpr::mul(all, shape[*axis].into()), AffineExpr::Dim(*axis as u32))
    })
}

/// The tensor with its reduced dimensions as one, behind the kept ones
fn copied(ir: &mut Ir, op: Compute, view: &View, reads: &Reads) -> Option<Compute> {
    let value = view.inputs[reads.input].value;
    let shape = ir.ty(value).shape(ir.cx())?.to_vec();
    let (rank, elem) = (shape.len() as u32, ir.ty(value).scalar(ir.cx()));
    let row = reads.reduced.iter().try_fold(1i64, |all, axis| all.checked_mul(shape[*axis]))?;
    let sizes: Vec<i64> = reads.kept.iter().map(|axis| shape[*axis]).chain([row]).collect();
    let place = reads.kept.iter().map(|axis| AffineExpr::Dim(*axis as u32));
    let place = place.chain([number(&shape, &reads.reduced)]).collect();
    let dim = |dim: &usize| Dim { kind: CombineKind::Cc, ..view.dims[*dim].clone() };
    let body = ir.create_block();
    let arg = ir.add_block_arg(body, elem);
    Yield::build(&mut Builder::at_end(ir, body), &[arg]);
    let made = View {
        name: Some(format!("{}_moved", ir.value_name(value).unwrap_or("input"))),
        dims: reads.axes.iter().map(dim).collect(),
        inputs: vec![Input { value, map: Some(AffineMap::identity(rank)), other: None, guard: None }],
        outputs: vec![Output { maps: vec![AffineMap::new(rank, 0, place)?], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let ty = ir.cx().tensor(&sizes, elem);
    Some(made.build(&mut Builder::before(ir, op.id()), &[ty], body))
}

/// The computation on the copy: one reduced dimension
fn reader(ir: &mut Ir, op: Compute, view: &View, reads: &Reads, copy: Compute) -> Option<Compute> {
    let value: Value = ir.result(copy.id(), 0);
    let row = ir.ty(value).shape(ir.cx())?.last().copied()?;
    let mut dims: Vec<usize> = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).collect();
    let first = reads.axes[*reads.reduced.first()?];
    let rank = dims.len() as u32 + 1;
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|dim| dims.iter().position(|at| *at == dim).map_or(0.into(), |at| AffineExpr::Dim(at as u32)))
        .collect();
    let mut made = view.clone();
    let moved = |map: &AffineMap| map.replace(&coords, &[], rank, 0);
    for (n, input) in made.inputs.iter_mut().enumerate() {
        let Some(map) = &input.map else { continue };
        input.map = Some(match n == reads.input {
            true => {
                let kept = reads.kept.iter().map(|axis| coords[reads.axes[*axis]].clone());
                AffineMap::new(rank, 0, kept.chain([AffineExpr::Dim(rank - 1)]).collect())?
            }
            false => moved(map)?,
        });
        if n == reads.input {
            input.value = value;
        }
        if let Some(guard) = &mut input.guard {
            *guard = guard.replace(&coords, &[])?;
        }
    }
    for out in &mut made.outputs {
        out.maps = out.maps.iter().map(moved).collect::<Option<_>>()?;
        if let Some((_, Some(own))) = &mut out.init {
            *own = moved(own)?;
        }
    }
    dims.push(first);
    made.dims = dims.into_iter().map(|dim| view.dims[dim].clone()).collect();
    made.dims.last_mut()?.size = row;
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    Some(made.build(&mut Builder::before(ir, op.id()), &types, body))
}
