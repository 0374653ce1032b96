//! Coordinates that subscripts recover by quotients and remainders, as dimensions again: formula 1 of the paper on reductions, backwards.
//!
//! `X[j floordiv 50, i, j mod 50]` reads runs of 50 elements. With `j = 50·a + b` these are rows along `b` with a fixed distance along `a`: what
//! generators, rules and lanes know. Points keep their order.

use crate::collapse::all_axes;
use crate::parts;
use std::collections::BTreeMap;
use terrace_dialect_mdh::view::{CombineKind, Dim, Order, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_dialect_tensor::{CollapseShape, ExpandShape};
use terrace_ir::{Builder, Ir, OpId, Type, Value};
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
        if ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF)) {
            return None;
        }
        while let Some((dim, by)) = cut(&made).filter(|(dim, _)| plain(&made.dims[*dim])) {
            made = in_two(&made, dim, by)?;
        }
        if made.dims.len() == view.dims.len() {
            return None;
        }
        finish(ir, op, &mut made)
    }

    /// The same for dimensions that views of tensors made one: tensors are read as they are
    pub fn of_views(ir: &mut Ir, op: Compute, view: &View) -> Option<Runs> {
        if !view.dims.iter().all(plain) || ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF)) {
            return None;
        }
        let mut made = unseen(ir, view)?;
        finish(ir, op, &mut made)
    }

    /// Put it in place of the one as written
    pub fn replace(self, ir: &mut Ir, old: Compute) {
        let views = old.ins(ir);
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
        let views = views.into_iter().filter_map(|value| ir.defining_op(value));
        let unused = |op: &OpId| ir.is(*op, CollapseShape::DEF) && !ir.is_used(ir.result(*op, 0));
        let mut unused: Vec<OpId> = views.filter(unused).collect();
        unused.dedup();
        unused.into_iter().for_each(|op| ir.erase(op));
    }

    /// Keep the one as written
    pub fn discard(self, ir: &mut Ir) {
        ir.erase(self.op.id());
    }
}

/// May its coordinates be those of two dimensions? A bracket is of its extents
fn plain(dim: &Dim) -> bool {
    match dim.kind {
        CombineKind::Cc => true,
        CombineKind::Pw(_, order) => !matches!(order, Order::Tree | Order::Invariant),
        CombineKind::Ps(_) => false,
    }
}

fn finish(ir: &mut Ir, op: Compute, made: &mut View) -> Option<Runs> {
    let (types, expanded) = results(ir, op, made)?;
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let op = made.build(&mut Builder::before(ir, op.id()), &types, body);
    Some(Runs { op, expanded })
}

/// The tensor that a view makes fewer dimensions of, with the extents behind each of the view's
fn source(ir: &Ir, value: Value) -> Option<(Value, Vec<Vec<i64>>)> {
    let seen = ir.defining_op(value).and_then(|op| CollapseShape::cast(ir, op))?;
    let mut extents = ir.ty(seen.src(ir)).shape(ir.cx())?.iter().copied();
    let groups = seen.reassociation(ir).as_array(ir.cx())?.iter();
    let groups = groups.map(|group| Some(extents.by_ref().take(group.as_array(ir.cx())?.len()).collect()));
    Some((seen.src(ir), groups.collect::<Option<_>>()?))
}

/// Extents of more than one coordinate
fn long(group: &[i64]) -> Vec<i64> {
    group.iter().copied().filter(|extent| *extent != 1).collect()
}

/// The computation on tensors as they are in place of views; `None` where a view is read in parts
fn unseen(ir: &Ir, view: &View) -> Option<View> {
    let seen: Vec<_> = view.inputs.iter().map(|input| source(ir, input.value)).collect();
    let mut runs: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for (input, seen) in view.inputs.iter().zip(&seen) {
        let (Some(map), Some((_, groups))) = (&input.map, seen) else { continue };
        for (expr, group) in map.results.iter().zip(groups) {
            let extents = long(group);
            if extents.len() < 2 {
                continue;
            }
            let AffineExpr::Dim(dim) = expr else { return None };
            let dim = *dim as usize;
            let whole = view.dims[dim].size == extents.iter().product::<i64>();
            if !whole || runs.get(&dim).is_some_and(|other| *other != extents) {
                return None;
            }
            runs.insert(dim, extents);
        }
    }
    if runs.is_empty() {
        return None;
    }
    let mut made = view.clone();
    for (dim, extents) in runs.iter().rev() {
        for n in 1..extents.len() {
            made = in_two(&made, dim + n - 1, extents[n..].iter().product())?;
        }
    }
    let place = |dim: usize| dim + runs.range(..dim).map(|(_, extents)| extents.len() - 1).sum::<usize>();
    let rank = made.dims.len() as u32;
    for ((input, old), seen) in made.inputs.iter_mut().zip(&view.inputs).zip(seen) {
        let (Some(map), Some(before), Some((value, groups))) = (&input.map, &old.map, seen) else { continue };
        let mut all: Vec<AffineExpr> = Vec::new();
        for ((expr, old), group) in map.results.iter().zip(&before.results).zip(&groups) {
            let several = long(group).len() > 1;
            let mut next = match old {
                AffineExpr::Dim(dim) if several => place(*dim as usize) as u32,
                _ => 0,
            };
            // Where one extent is longer than 1, or none, the subscript is that one's.
            let at = group.iter().position(|extent| *extent != 1).unwrap_or(0);
            all.extend(group.iter().enumerate().map(|(n, extent)| match (several, *extent == 1) {
                (true, false) => {
                    next += 1;
                    AffineExpr::Dim(next - 1)
                }
                (false, _) if n == at => expr.clone(),
                _ => 0.into(),
            }));
        }
        (input.value, input.map) = (value, Some(AffineMap::new(rank, 0, all)?));
    }
    Some(made)
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
