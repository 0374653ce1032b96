//! Prefixes of reductions in two computations: the reductions, then the prefixes of their results.
//!
//! A computation with dimensions that are kept as prefixes walks these in order, each coordinate's reduction inside of it, on one thread.
//! All dimensions of a computation combine by the same operators, and a prefix is of what its coordinates have after
//! they are reduced: so the reductions can be a computation in which prefixes are kept dimensions as others are, with a
//! schedule of its own, and the prefixes one of few points. No bracket moves.

use crate::parts;
use terrace_devices::Device;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{CombineKind, Input, Output, View};
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_schedule_choose::access::Accesses;
use terrace_schedule_choose::loops::worth_threads;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Points per prefix from which two computations pay
const WORTH: i64 = 16;

/// The remark about it
pub(crate) const SAID: &str =
    "prefixes are taken of what another computation reduces, since they are walked in order";

/// Two computations where that pays; nothing has changed where it gives none
pub(crate) fn split(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    a: &Accesses,
    device: &Device,
) -> Option<[Compute; 2]> {
    let reduced: i64 = a.dims(|dim| a.reduced[dim]).into_iter().map(|dim| a.sizes[dim]).product();
    if !a.prefixes.iter().any(|prefix| *prefix) || reduced < WORTH || !worth_threads(a, device) {
        return None;
    }
    if view.outputs.iter().any(|out| out.maps.len() != 1) || !view.bounds().is_empty() {
        return None;
    }
    let first = reductions(ir, op, view)?;
    let second = prefixes(ir, op, view, first)?;
    parts::replace(ir, op, second);
    Some([first, second])
}

/// Kept dimensions in order
fn kept(view: &View) -> Vec<usize> {
    (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).collect()
}

/// The same points, prefixes kept as other dimensions are; a result has the kept dimensions
fn reductions(ir: &mut Ir, op: Compute, view: &View) -> Option<Compute> {
    let kept = kept(view);
    let place = kept.iter().map(|dim| AffineExpr::Dim(*dim as u32)).collect();
    let place = AffineMap::new(view.dims.len() as u32, 0, place)?;
    let mut first = view.clone();
    first.name = Some(format!("{}_reduced", view.name.as_deref().unwrap_or("prefixes")));
    for dim in &mut first.dims {
        if matches!(dim.kind, CombineKind::Ps(_)) {
            dim.kind = CombineKind::Cc;
        }
    }
    first.outputs = view.outputs.iter().map(|_| Output { maps: vec![place.clone()], init: None }).collect();
    let shape: Vec<i64> = kept.iter().map(|dim| view.dims[*dim].size).collect();
    let types: Vec<Type> =
        ir.results(op.id()).map(|value| ir.cx().tensor(&shape, ir.ty(value).scalar(ir.cx()))).collect();
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let mut b = Builder::before(ir, op.id());
    Some(first.build(&mut b, &types, body))
}

/// Prefixes of what has been reduced, into the places of the results
fn prefixes(ir: &mut Ir, op: Compute, view: &View, first: Compute) -> Option<Compute> {
    let kept = kept(view);
    let rank = kept.len() as u32;
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|dim| {
            kept.iter().position(|other| *other == dim).map_or(0.into(), |at| AffineExpr::Dim(at as u32))
        })
        .collect();
    let moved = |map: &AffineMap| {
        let all: Option<Vec<AffineExpr>> =
            map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
        AffineMap::new(rank, 0, all?)
    };
    let mut outputs = Vec::new();
    for out in &view.outputs {
        let maps = out.maps.iter().map(moved).collect::<Option<Vec<_>>>()?;
        let init = match &out.init {
            Some((value, Some(own))) => Some((*value, Some(moved(own)?))),
            other => other.clone(),
        };
        outputs.push(Output { maps, init });
    }
    let values: Vec<Value> = ir.results(first.id()).collect();
    let input = |value: &Value| Input {
        value: *value,
        map: Some(AffineMap::identity(rank)),
        other: None,
        guard: None,
    };
    let second = View {
        name: view.name.clone(),
        dims: kept.iter().map(|dim| view.dims[*dim].clone()).collect(),
        inputs: values.iter().map(input).collect(),
        outputs,
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    let elements: Vec<Type> = values.iter().map(|value| ir.ty(*value).scalar(ir.cx())).collect();
    let body = parts::pass_on(ir, &elements);
    let mut b = Builder::before(ir, op.id());
    Some(second.build(&mut b, &types, body))
}
