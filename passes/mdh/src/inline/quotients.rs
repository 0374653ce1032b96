//! Dimensions whose quotients and remainders subscripts have, as two dimensions.
//!
//! Behind a reshape an operand is read at `d floordiv n`, such as one mean for each group of channels. Along such a dimension
//! neighbors have no fixed distance, so lanes cannot read them. With `d = n·a + b` the quotient is `a` and the remainder is `b`.
//! Convolutions in groups read the channels of group `k floordiv n` for filter `k`: with two dimensions each group is a convolution of its own, which has tiles
//! of filters.
//! Where halves are exchanged, as in `(d + 32) mod 64`, runs of 32 elements stay together. Points keep their order.

use super::producer;
use crate::parts;
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Dim, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};
use terrace_support::gcd;

/// Bits of the shortest vectors of processors: shorter runs of a dimension have no lanes
const SHORTEST: i64 = 128;

/// A dimension, and what it is divided by
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    pub dim: usize,
    pub by: i64,
}

/// The computation with two dimensions in place of one that a subscript divides: that along which its results are contiguous, and any kept one of
/// a reduction
pub fn divided(ir: &mut Ir, op: Compute) -> Option<Compute> {
    let view = producer::plain(ir, op)?;
    let cut = cut(ir, op, &view)?;
    let made = view_of(&view, cut)?;
    let body = parts::copied_body(ir, op, |b, each| Some(coordinate(b, Index::cast(b.read(), each)?, cut)))?;
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    let new = made.build(&mut Builder::before(ir, op.id()), &types, body);
    parts::replace(ir, op, new);
    Some(new)
}

fn cut(ir: &Ir, op: Compute, view: &View) -> Option<Cut> {
    if !view.conditions.is_empty() || view.outputs.iter().any(|out| out.init.is_some()) {
        return None;
    }
    let last = |map: &AffineMap| map.results.last().and_then(producer::dimension);
    let rows: Vec<Option<usize>> = view.outputs.iter().flat_map(|out| &out.maps).map(last).collect();
    let bits = ir.results(op.id()).map(|value| ir.ty(value).scalar(ir.cx()).bit_width(ir.cx()).unwrap_or(0));
    let bits: i64 = bits.min().unwrap_or(0).into();
    let folds = view.dims.iter().any(|dim| !dim.kind.kept());
    let divided_by = |dim: usize| {
        let mut maps = view.inputs.iter().filter_map(|input| input.map.as_ref());
        maps.find_map(|map| map.results.iter().find_map(|expr| divisor(expr, dim)))
    };
    // Where parts of rows alternate, all dimensions are taken apart together (`interleaved`).
    let alternate = rows.iter().flatten().any(|dim| divided_by(*dim).is_some());
    let one = |dim: usize| {
        let by = divided_by(dim)?;
        let size = view.dims[dim].size;
        // Lanes are along rows. Along other dimensions a quotient costs an index per row, which is little but where it keeps tiles of a reduction apart.
        let pays = match rows.contains(&Some(dim)) {
            true => rows.iter().all(|row| *row == Some(dim)) && by.checked_mul(bits)? >= SHORTEST,
            false => folds && !alternate,
        };
        (pays && size % by == 0 && by < size).then_some(Cut { dim, by })
    };
    (0..view.dims.len()).filter(|dim| view.dims[*dim].kind == CombineKind::Cc).find_map(one)
}

/// What an expression divides a dimension by
pub(crate) fn divisor(expr: &AffineExpr, dim: usize) -> Option<i64> {
    let (kind, left, right) = expr.as_binary()?;
    let divides = matches!(kind, AffineKind::FloorDiv | AffineKind::Mod);
    if divides && let Some(shift) = shifted(left, dim) {
        let by = right.as_constant()?;
        // As long as neither the shift nor the divisor parts a run.
        return Some(gcd(by.unsigned_abs(), shift.unsigned_abs()) as i64).filter(|by| *by > 1);
    }
    divisor(left, dim).or_else(|| divisor(right, dim))
}

/// What is added to a dimension
fn shifted(expr: &AffineExpr, dim: usize) -> Option<i64> {
    let shift = match expr.operands_of(AffineKind::Add) {
        Some((left, right)) if producer::dimension(left) == Some(dim) => right.as_constant()?,
        _ if producer::dimension(expr) == Some(dim) => 0,
        _ => return None,
    };
    Some(shift)
}

/// The same points with quotient and remainder in place of the dimension
pub(crate) fn view_of(view: &View, Cut { dim, by }: Cut) -> Option<View> {
    let mut made = view.clone();
    let mut name = view.dims[dim].name.clone();
    while view.dims.iter().any(|other| other.name == name) {
        name.push('_');
    }
    made.dims[dim].size /= by;
    made.dims.insert(dim + 1, Dim { name, size: by, kind: CombineKind::Cc });
    let sizes = made.sizes();
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|n| {
            let at = |n: usize| AffineExpr::Dim(n as u32);
            match n.cmp(&dim) {
                std::cmp::Ordering::Less => at(n),
                std::cmp::Ordering::Equal => AffineExpr::add(AffineExpr::mul(at(n), by.into()), at(n + 1)),
                std::cmp::Ordering::Greater => at(n + 1),
            }
        })
        .collect();
    let moved = |expr: &AffineExpr| Some(expr.replace(&coords, &[])?.within(&sizes));
    let moved_map = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
        AffineMap::new(sizes.len() as u32, 0, results?)
    };
    for input in &mut made.inputs {
        if let Some(map) = &mut input.map {
            *map = moved_map(map)?;
        }
        if let Some(guard) = &mut input.guard {
            *guard = moved(guard)?;
        }
    }
    for map in made.outputs.iter_mut().flat_map(|out| &mut out.maps) {
        *map = moved_map(map)?;
    }
    Some(made)
}

/// The coordinate that an `mdh.index` meant before
fn coordinate(b: &mut Builder<'_>, index: Index, Cut { dim, by }: Cut) -> Value {
    let was = index.dim(b.read()).as_i64(b.cx()).and_then(|was| usize::try_from(was).ok()).unwrap_or(0);
    let first = parts::index(b, if was > dim { was + 1 } else { was });
    if was != dim {
        return first;
    }
    let within = parts::index(b, dim + 1);
    let by = parts::index_constant(b, by);
    let before = arith::MulI::build(b, first, by).result(b.read());
    arith::AddI::build(b, before, within).result(b.read())
}
