//! Reductions whose results' neighbors read the same elements, computed apart and put together.
//!
//! A transposed convolution reads `X[…, j floordiv 2]` and `F[…, j mod 2]` for the element `j` of a row: neighbors have no fixed distance in either, so
//! lanes along `j` cannot read them. With `j = n·q + p` each `p` is a dense reduction along `q`. Its results stand side by side in a tensor of
//! their own, which a second computation interleaves. Each element is reduced as before, so values are the same bit for bit. Runs that fill a
//! vector are the affair of `mdh-inline` ([decision 51]), which needs no tensor in between.
//!
//! [decision 51]: ../../../docs/decisions/0051-dimensions-that-subscripts-divide-are-two.md

use crate::inline::quotients::{self, Cut};
use crate::parts::{self, Several};
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Output, View, default_name};
use terrace_dialect_mdh::{Compute, Index};
use terrace_ir::{Builder, Ir};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Build both before a computation; `None`, and nothing has changed, where no subscript divides the dimension along which results are
/// contiguous
pub fn before(ir: &mut Ir, op: Compute, view: &View) -> Option<Several> {
    let [out] = view.outputs.as_slice() else { return None };
    let ([place], None) = (out.maps.as_slice(), &out.init) else { return None };
    let places: Vec<usize> = place.result_dims()?.into_iter().map(|dim| dim as usize).collect();
    let reduces = view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..)));
    let prefix = view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_)));
    let indexed = ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF));
    if !reduces || prefix || indexed || !view.conditions.is_empty() {
        return None;
    }
    let cuts = cuts(view, &places);
    let last = *places.last()?;
    if !cuts.iter().any(|cut| cut.dim == last) {
        return None;
    }
    let made = apart(view, &places, &cuts)?;
    let elem = ir.ty(ir.result(op.id(), 0)).scalar(ir.cx());
    let of = |made: &View| -> Vec<i64> {
        let dims = made.outputs.iter().flat_map(|out| &out.maps).flat_map(|map| map.result_dims());
        dims.flatten().map(|dim| made.dims[dim as usize].size).collect()
    };
    let ty = ir.cx().tensor(&of(&made), elem);
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let first = made.build(&mut Builder::before(ir, op.id()), &[ty], body);
    let whole = together(view, &places, &cuts, ir.result(first.id(), 0))?;
    let ty = ir.ty(ir.result(op.id(), 0));
    let body = parts::pass_on(ir, &[elem]);
    let second = whole.build(&mut Builder::before(ir, op.id()), &[ty], body);
    let names = cuts.iter().map(|cut| view.dims[cut.dim].name.clone()).collect();
    Some(Several { all: vec![first, second], names })
}

/// The kept dimensions that subscripts divide, in order
fn cuts(view: &View, places: &[usize]) -> Vec<Cut> {
    let maps = || view.inputs.iter().filter_map(|input| input.map.as_ref());
    let cut = |dim: usize| {
        let by = maps().flat_map(|map| &map.results).find_map(|expr| quotients::divisor(expr, dim))?;
        let size = view.dims[dim].size;
        (size % by == 0 && by < size).then_some(Cut { dim, by })
    };
    (0..view.dims.len()).filter(|dim| places.contains(dim)).filter_map(cut).collect()
}

/// The reductions: remainders in front of what the results had, quotients in the places of the dimensions
fn apart(view: &View, places: &[usize], cuts: &[Cut]) -> Option<View> {
    let mut made = view.clone();
    // The last one first, so that dimensions in front keep their numbers.
    for cut in cuts.iter().rev() {
        made = quotients::view_of(&made, *cut)?;
    }
    // A remainder stands behind its quotient.
    let moved = |dim: usize| dim + cuts.iter().filter(|cut| cut.dim < dim).count();
    let remainders = cuts.iter().map(|cut| moved(cut.dim) + 1);
    let results = remainders.chain(places.iter().map(|dim| moved(*dim)));
    let results: Vec<AffineExpr> = results.map(|dim| AffineExpr::Dim(dim as u32)).collect();
    let place = AffineMap::new(made.dims.len() as u32, 0, results)?;
    made.outputs = vec![Output { maps: vec![place], init: None }];
    made.name = Some(format!("{}_apart", view.name.as_deref().unwrap_or("reduction")));
    // Along the last dimension lanes must find neighbors now.
    let last = moved(*places.last()?);
    let maps = made.inputs.iter().filter_map(|input| input.map.as_ref());
    let divided = maps.flat_map(|map| &map.results).any(|expr| quotients::divisor(expr, last).is_some());
    (!divided).then_some(made)
}

/// The computation that reads each result where it stands
fn together(view: &View, places: &[usize], cuts: &[Cut], apart: terrace_ir::Value) -> Option<View> {
    let rank = places.len();
    let at = |dim: usize| places.iter().position(|place| *place == dim).map(|n| AffineExpr::Dim(n as u32));
    let mut read = Vec::new();
    for cut in cuts {
        read.push(AffineExpr::modulo(at(cut.dim)?, cut.by.into()));
    }
    for dim in places {
        let by = cuts.iter().find(|cut| cut.dim == *dim).map_or(1, |cut| cut.by);
        read.push(AffineExpr::floor_div(at(*dim)?, by.into()));
    }
    let identity = AffineMap::identity(rank as u32);
    let mut dims: Vec<Dim> = places.iter().map(|dim| view.dims[*dim].clone()).collect();
    for (n, dim) in dims.iter_mut().enumerate().filter(|(_, dim)| dim.name.is_empty()) {
        dim.name = default_name(n);
    }
    Some(View {
        name: view.name.clone(),
        dims,
        inputs: vec![Input {
            value: apart,
            map: Some(AffineMap::new(rank as u32, 0, read)?),
            other: None,
            guard: None,
        }],
        outputs: vec![Output { maps: vec![identity], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    })
}
