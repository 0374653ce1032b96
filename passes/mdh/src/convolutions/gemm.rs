//! Convolutions as products of matrices.
//!
//! - `implicit-gemm`: taps and channels are one reduced dimension. The image is read at quotients and remainders of its coordinate; weights are
//!   seen in another shape where they hold these dimensions side by side. Nothing is copied.
//! - `im2col`: each window is copied (Chellapilla and others, 2006), and the copy multiplied.

use super::build::{self, Piece, at};
use super::structure::{Convolution, Why};
use crate::parts;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, View};
use terrace_dialect_shapes::reassociation;
use terrace_dialect_tensor::CollapseShape;
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A product has rows and columns
fn is_product(conv: &Convolution) -> Result<(), Why> {
    match conv.filters.is_empty() {
        true => Err("no dimension is one of filters: each window is used once"),
        false => Ok(()),
    }
}

/// The reduced dimensions as one, and where all dimensions are then
struct Rows {
    /// Reduced dimensions, outermost first
    reduced: Vec<usize>,
    /// Their number of points
    size: i64,
    /// Dimensions of the product
    dims: Vec<Dim>,
    /// The one that is reduced
    at: usize,
    /// Coordinates of the dimensions as written
    coords: Vec<AffineExpr>,
}

/// What no form is built of: subscripts or sizes beyond 64 bits
const LARGE: Why = "its subscripts are too large";

impl Rows {
    fn of(ir: &Ir, op: Compute, conv: &Convolution) -> Result<Rows, Why> {
        is_product(conv)?;
        let mut reduced = conv.reduced();
        if conv.in_order(ir, op) {
            reduced.sort_unstable();
        }
        if reduced.len() < 2 {
            return Err("one dimension is reduced: there is nothing to collapse");
        }
        let view = &conv.view;
        let size = reduced.iter().try_fold(1i64, |all, dim| all.checked_mul(conv.size(*dim))).ok_or(LARGE)?;
        let first = reduced.iter().copied().min().unwrap_or_default();
        let kept: Vec<usize> = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).collect();
        let row = kept.iter().filter(|dim| **dim < first).count();
        let mut coords: Vec<AffineExpr> = vec![0.into(); view.dims.len()];
        for (n, dim) in kept.iter().enumerate() {
            coords[*dim] = at(if n < row { n } else { n + 1 });
        }
        let mut inner = 1;
        for (n, dim) in reduced.iter().enumerate().rev() {
            let outer = AffineExpr::floor_div(at(row), inner.into());
            coords[*dim] = if n == 0 { outer } else { AffineExpr::modulo(outer, conv.size(*dim).into()) };
            inner *= conv.size(*dim);
        }
        let mut dims: Vec<Dim> = kept.iter().map(|dim| view.dims[*dim].clone()).collect();
        let names: Vec<&str> = reduced.iter().map(|dim| view.dims[*dim].name.as_str()).collect();
        let mut name = names.join("_");
        while dims.iter().any(|dim| dim.name == name) {
            name.push('_');
        }
        dims.insert(row, Dim { name, size, kind: conv.sum()? });
        Ok(Rows { reduced, size, dims, at: row, coords })
    }

    /// The computation over these dimensions; weights in rows, where they are an argument that holds them so
    fn product(&self, ir: &mut Ir, op: Compute, conv: &Convolution) -> Result<View, Why> {
        let mut made = moved(&conv.view, self.dims.clone(), &self.coords).ok_or(LARGE)?;
        made.name = Some(build::main_name(conv));
        if let Some((seen, map)) = weights_in_rows(ir, op, conv, self) {
            let input = &mut made.inputs[conv.weights];
            (input.value, input.map) = (seen, Some(map));
        }
        Ok(made)
    }
}

/// Taps and channels as one reduced dimension, nothing copied
pub fn implicit(ir: &mut Ir, op: Compute, conv: &Convolution) -> Result<Compute, Why> {
    let rows = Rows::of(ir, op, conv)?;
    let mut made = rows.product(ir, op, conv)?;
    let image = &mut made.inputs[conv.image];
    if !made.conditions.is_empty() && image.other.is_none() {
        // The verifier does not follow conditions into quotients; what they leave out is read all the same, and is not used.
        image.other = build::outside(ir, conv);
    }
    same_results(ir, op, &made).ok_or("its body cannot be copied")
}

/// A computation at other coordinates
fn moved(view: &View, dims: Vec<Dim>, coords: &[AffineExpr]) -> Option<View> {
    let rank = dims.len() as u32;
    let sizes: Vec<i64> = dims.iter().map(|dim| dim.size).collect();
    let moved = |expr: &AffineExpr| Some(expr.replace(coords, &[])?.within(&sizes));
    let moved_map = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
        AffineMap::new(rank, 0, results?)
    };
    let mut made = View { dims, ..view.clone() };
    for input in &mut made.inputs {
        input.map = Some(moved_map(input.map.as_ref()?)?);
    }
    for out in &mut made.outputs {
        out.maps = out.maps.iter().map(moved_map).collect::<Option<_>>()?;
        if let Some((_, Some(own))) = &mut out.init {
            *own = moved_map(own)?;
        }
    }
    for condition in &mut made.conditions {
        condition.low = condition.low.as_ref().map_or(Some(None), |low| moved(low).map(Some))?;
        (condition.expr, condition.high) = (moved(&condition.expr)?, moved(&condition.high)?);
    }
    Some(made)
}

/// The weights with all reduced dimensions as one axis, where they are neighbors in this order and whole. Arguments alone are seen in another shape:
/// others may become part of what reads them
fn weights_in_rows(ir: &mut Ir, op: Compute, conv: &Convolution, rows: &Rows) -> Option<(Value, AffineMap)> {
    let Rows { reduced, coords, .. } = rows;
    let (map, value) = (conv.weights_map(), conv.view.inputs[conv.weights].value);
    if ir.defining_op(value).is_some() || ir.parent(op.id()) != Some(ir.root()) {
        return None;
    }
    let shape = ir.ty(value).shape(ir.cx())?.to_vec();
    let first = map.results.iter().position(|expr| *expr == at(reduced[0]))?;
    let side_by_side = reduced.iter().enumerate().all(|(n, dim)| {
        map.results.get(first + n) == Some(&at(*dim)) && shape.get(first + n) == Some(&conv.size(*dim))
    });
    if !side_by_side {
        return None;
    }
    let axes = shape.len() as i64;
    let (begin, end) = (first as i64, (first + reduced.len()) as i64);
    let before = (0..begin).map(|axis| vec![axis]);
    let groups: Vec<Vec<i64>> =
        before.chain([(begin..end).collect()]).chain((end..axes).map(|axis| vec![axis])).collect();
    let sizes: Vec<i64> =
        groups.iter().map(|group| group.iter().map(|axis| shape[*axis as usize]).product()).collect();
    let kept = |axis: &i64| map.results[*axis as usize].replace(coords, &[]);
    let subscript = |group: &Vec<i64>| if group[0] == begin { Some(at(rows.at)) } else { kept(&group[0]) };
    let subscripts: Vec<AffineExpr> = groups.iter().map(subscript).collect::<Option<_>>()?;
    let map = AffineMap::new(rows.dims.len() as u32, 0, subscripts)?;
    let ty = ir.cx().tensor(&sizes, ir.ty(value).scalar(ir.cx()));
    let groups = reassociation::of_groups(ir.cx(), &groups);
    let seen = CollapseShape::build(&mut Builder::before(ir, op.id()), value, groups, ty).result(ir);
    ir.copy_value_name(value, seen);
    Some((seen, map))
}

/// A computation with the body and the results of another one, in its place
fn same_results(ir: &mut Ir, op: Compute, view: &View) -> Option<Compute> {
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    let made = view.build(&mut Builder::before(ir, op.id()), &types, body);
    parts::replace(ir, op, made);
    Some(made)
}

/// Windows copied, and the product of the copy
///
/// The copy's axes are groups and batch, then taps and channels as one, then coordinates of windows; these two the other way round where the
/// result's rows are along filters.
pub fn copied(ir: &mut Ir, op: Compute, conv: &Convolution) -> Result<Compute, Why> {
    conv.zeros_for_conditions(ir)?;
    if !conv.view.conditions.is_empty() && !conv.fills {
        return Err(
            "conditions leave terms out, where a product with zero may be no number; `else 0` in place of \
                    conditions, or `fastmath<nnan,nsz>` at the product, allows it",
        );
    }
    let rows = Rows::of(ir, op, conv)?;
    let mut made = rows.product(ir, op, conv)?;
    let (value, axes) = windows(ir, op, conv, &rows).ok_or(LARGE)?;
    let subscript = |axis: &Option<usize>| axis.map_or(at(rows.at), |dim| rows.coords[dim].clone());
    let map = AffineMap::new(rows.dims.len() as u32, 0, axes.iter().map(subscript).collect());
    made.conditions.clear();
    made.inputs[conv.image] = Input { value, map: Some(map.ok_or(LARGE)?), other: None, guard: None };
    same_results(ir, op, &made).ok_or("its body cannot be copied")
}

/// The copy of all windows, and its axes: dimensions, and none for the row of taps and channels
fn windows(ir: &mut Ir, op: Compute, conv: &Convolution, rows: &Rows) -> Option<(Value, Vec<Option<usize>>)> {
    let mut copy = Piece::new(build::name(conv, "windows"));
    let mut coords: Vec<AffineExpr> = vec![0.into(); conv.view.dims.len()];
    let (mut axes, mut shape) = (Vec::new(), Vec::new());
    let whole = |dims: &[usize]| dims.iter().map(|dim| Some(*dim)).collect::<Vec<_>>();
    let outer = [whole(&conv.groups), whole(&conv.batch)].concat();
    let along = whole(&conv.coordinates());
    let inner =
        if conv.ends_in_window() { [vec![None], along].concat() } else { [along, vec![None]].concat() };
    for axis in outer.into_iter().chain(inner) {
        let dims = axis.map_or(rows.reduced.clone(), |dim| vec![dim]);
        let mut place: AffineExpr = 0.into();
        for dim in &dims {
            coords[*dim] = copy.same(conv, *dim, CombineKind::Cc);
            place = AffineExpr::add(AffineExpr::mul(place, conv.size(*dim).into()), coords[*dim].clone());
        }
        copy.place.push(place);
        shape.push(axis.map_or(rows.size, |dim| conv.size(dim)));
        axes.push(axis);
    }
    let image = conv.view.inputs[conv.image].value;
    let subscripts = conv.image_map().results.iter().map(|expr| expr.replace(&coords, &[]));
    copy.read(image, subscripts.collect::<Option<_>>()?, build::outside(ir, conv));
    let elem = ir.ty(image).scalar(ir.cx());
    let body = build::passes_on(ir, elem);
    let ty = ir.cx().tensor(&shape, elem);
    let (_, value) = copy.build(ir, op, ty, body)?;
    Some((value, axes))
}
