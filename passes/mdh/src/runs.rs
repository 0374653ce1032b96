//! Coordinates that subscripts recover by quotients and remainders, as dimensions again: formula 1 of the paper on reductions, backwards.
//!
//! `X[j floordiv 50, i, j mod 50]` reads runs of 50 elements. With `j = 50·a + b` these are rows along `b` with a fixed distance along `a`: what
//! generators, rules and lanes know. Points keep their order.

use crate::collapse::all_axes;
use crate::parts;
use terrace_dialect_mdh::view::{CombineKind, Dim, Order, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_dialect_tensor::ExpandShape;
use terrace_ir::{Builder, Ir, OpId, Type};
use terrace_support::affine::{AffineExpr, AffineKind, AffineMap};

/// A computation with a dimension for each run, next to the one as written
pub struct Runs {
    /// The computation
    pub op: Compute,
    /// What gives its result the shape that the result as written gets
    expanded: Option<OpId>,
}

impl Runs {
    /// Build it; `None`, and nothing has changed, where no subscript divides
    pub fn before(ir: &mut Ir, op: Compute, view: &View) -> Option<Runs> {
        let mut made = view.clone();
        let plain = |dim: &Dim| match dim.kind {
            CombineKind::Cc => true,
            CombineKind::Pw(_, order) => !matches!(order, Order::Tree | Order::Invariant),
            CombineKind::Ps(_) => false,
        };
        if ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF)) {
            return None;
        }
        while let Some((dim, by)) = cut(&made).filter(|(dim, _)| plain(&made.dims[*dim])) {
            made = in_two(&made, dim, by)?;
        }
        if made.dims.len() == view.dims.len() {
            return None;
        }
        let (types, expanded) = results(ir, op, &mut made)?;
        let body = parts::copied_body(ir, op, |_, _| None)?;
        let op = made.build(&mut Builder::before(ir, op.id()), &types, body);
        Some(Runs { op, expanded })
    }

    /// Put it in place of the one as written
    pub fn replace(self, ir: &mut Ir, old: Compute) {
        match self.expanded {
            Some(shaped) => {
                let (from, to) = (ir.result(shaped, 0), ir.result(self.op.id(), 0));
                ir.copy_value_name(from, to);
                ir.replace_all_uses(from, to);
                ir.erase(shaped);
                ir.erase(old.id());
            }
            None => parts::replace(ir, old, self.op),
        }
    }

    /// Keep the one as written
    pub fn discard(self, ir: &mut Ir) {
        ir.erase(self.op.id());
    }
}

/// A dimension, and what a subscript divides it by
fn cut(view: &View) -> Option<(usize, i64)> {
    let maps = view.inputs.iter().filter_map(|input| input.map.as_ref());
    let (dim, by) = maps.flat_map(|map| &map.results).find_map(divisor)?;
    let size = view.dims[dim].size;
    (size % by == 0 && by < size).then_some((dim, by))
}

fn divisor(expr: &AffineExpr) -> Option<(usize, i64)> {
    let (kind, left, right) = expr.as_binary()?;
    if let (AffineKind::FloorDiv | AffineKind::Mod, AffineExpr::Dim(dim)) = (kind, left) {
        return right.as_constant().filter(|by| *by > 1).map(|by| (*dim as usize, by));
    }
    divisor(left).or_else(|| divisor(right))
}

fn in_two(view: &View, dim: usize, by: i64) -> Option<View> {
    let mut made = view.clone();
    let mut name = view.dims[dim].name.clone();
    while view.dims.iter().any(|other| other.name == name) {
        name.push('_');
    }
    made.dims[dim].size /= by;
    made.dims.insert(dim + 1, Dim { name, size: by, kind: view.dims[dim].kind.clone() });
    let sizes = made.sizes();
    let at = |n: usize| AffineExpr::Dim(n as u32);
    let coord = |n: usize| match n.cmp(&dim) {
        std::cmp::Ordering::Less => at(n),
        std::cmp::Ordering::Equal => AffineExpr::add(AffineExpr::mul(at(n), by.into()), at(n + 1)),
        std::cmp::Ordering::Greater => at(n + 1),
    };
    let coords: Vec<AffineExpr> = (0..view.dims.len()).map(coord).collect();
    let moved = |expr: &AffineExpr| Some(expr.replace(&coords, &[])?.within(&sizes));
    let moved_map = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
        AffineMap::new(sizes.len() as u32, 0, results?)
    };
    for input in &mut made.inputs {
        input.map = match &input.map {
            Some(map) => Some(moved_map(map)?),
            None => None,
        };
        if let Some(guard) = &mut input.guard {
            *guard = moved(guard)?;
        }
    }
    for out in &mut made.outputs {
        out.maps = out.maps.iter().map(moved_map).collect::<Option<_>>()?;
        if let Some((_, Some(own))) = &mut out.init {
            *own = moved_map(own)?;
        }
    }
    for condition in &mut made.conditions {
        if let Some(low) = &mut condition.low {
            *low = low.replace(&coords, &[])?;
        }
        condition.expr = condition.expr.replace(&coords, &[])?;
        condition.high = condition.high.replace(&coords, &[])?;
    }
    Some(made)
}

/// Types of the results; where the one result is expanded to the dimensions that there are now, it has that shape at once
fn results(ir: &Ir, op: Compute, made: &mut View) -> Option<(Vec<Type>, Option<OpId>)> {
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    let mut users = ir.uses(ir.result(op.id(), 0)).map(|(user, _)| user);
    let shaped = users.next().filter(|user| ir.is(*user, ExpandShape::DEF) && users.next().is_none());
    let kept: Vec<usize> = (0..made.dims.len()).filter(|dim| made.dims[*dim].kind.kept()).collect();
    if let (Some(shaped), [out]) = (shaped, made.outputs.as_mut_slice()) {
        let ty = ir.ty(ir.result(shaped, 0));
        let shape = ty.shape(ir.cx())?;
        let sizes: Vec<i64> = kept.iter().map(|dim| made.dims[*dim].size).collect();
        let ones = shape.iter().filter(|extent| **extent != 1).eq(sizes.iter().filter(|size| **size != 1));
        if ones && out.init.is_none() && all_axes(ir, shaped) {
            let mut left = kept.iter().filter(|dim| made.dims[**dim].size != 1);
            let place = |extent: &i64| match extent {
                1 => Some(0.into()),
                _ => left.next().map(|dim| AffineExpr::Dim(*dim as u32)),
            };
            let place: Option<Vec<AffineExpr>> = shape.iter().map(place).collect();
            out.maps = vec![AffineMap::new(made.dims.len() as u32, 0, place?)?];
            return Some((vec![ty], Some(shaped)));
        }
    }
    Some((types, None))
}
