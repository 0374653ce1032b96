//! A reduction in two computations: parts of it, then the parts together.
//!
//! A dimension is cut into parts of one size, the last one shortened by a condition; the operator is associative, its brackets may
//! move, and parts keep their order. Kept dimensions stay, with the part as one more in front. Start values are left to the second computation.

use terrace_dialect_arith as arith;
use terrace_dialect_mdh::view::{CombineKind, Condition, Dim, Input, Order, Output, View};
use terrace_dialect_mdh::{Compute, Index, Yield};
use terrace_ir::ir::ValueMap;
use terrace_ir::{BlockId, Builder, Ir, Name, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Both computations, next to the one as written
pub struct Cut {
    /// Each part reduced for itself
    pub first: Compute,
    /// The parts together
    pub second: Compute,
}

impl Cut {
    /// Build them before a computation; `None` where its form does not allow it, and nothing has changed then
    pub fn before(ir: &mut Ir, op: Compute, view: &View, dim: usize, step: i64) -> Option<Cut> {
        if view.in_order(ir, op)
            || view.order(Order::Tree).is_some()
            || view.outputs.iter().any(|out| out.maps.len() != 1)
            || view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Ps(_)))
        {
            return None;
        }
        let parts = (view.dims[dim].size as u64).div_ceil(step.max(1) as u64) as i64;
        if parts < 2 {
            return None;
        }
        let first = reduced_in_parts(ir, op, view, (dim, step))?;
        let Some(second) = together(ir, op, view, first, (dim, parts)) else {
            ir.erase(first.id());
            return None;
        };
        Some(Cut { first, second })
    }

    /// Put them in place of the one as written
    pub fn replace(self, ir: &mut Ir, op: Compute) -> [Compute; 2] {
        replace(ir, op, self.second);
        [self.first, self.second]
    }

    /// Keep the one as written
    pub fn discard(self, ir: &mut Ir) {
        ir.erase(self.second.id());
        ir.erase(self.first.id());
    }
}

/// Cut a dimension into parts of so many coordinates; `None` where its form does not allow it, and nothing has changed then
pub fn split_at(ir: &mut Ir, op: Compute, view: &View, dim: usize, step: i64) -> Option<[Compute; 2]> {
    Cut::before(ir, op, view, dim, step).map(|cut| cut.replace(ir, op))
}

/// Computations before the one as written, which they may take the place of; the last one gives its results
pub struct Several {
    /// In order
    pub all: Vec<Compute>,
    /// Names of what is another way in them: tensors or dimensions
    pub names: Vec<String>,
}

impl Several {
    /// Put them in place of the one as written
    pub fn replace(self, ir: &mut Ir, op: Compute) -> Vec<Compute> {
        if let Some(last) = self.all.last() {
            replace(ir, op, *last);
        }
        self.all
    }

    /// Keep the one as written
    pub fn discard(self, ir: &mut Ir) {
        for made in self.all.into_iter().rev() {
            ir.erase(made.id());
        }
    }
}

/// The computation of the same name takes another's place
pub(crate) fn replace(ir: &mut Ir, old: Compute, new: Compute) {
    let pairs: Vec<(Value, Value)> = ir.results(old.id()).zip(ir.results(new.id())).collect();
    for (old, new) in pairs {
        ir.replace_all_uses(old, new);
    }
    ir.erase(old.id());
}

/// Dimensions that are kept, but not this one
pub(crate) fn kept(view: &View, but: usize) -> Vec<usize> {
    (0..view.dims.len()).filter(|dim| *dim != but && view.dims[*dim].kind.kept()).collect()
}

/// The same points with a kept dimension in front: which part of a dimension. Outputs have no access yet
pub(crate) fn in_parts(view: &View, (dim, step): (usize, i64)) -> Option<View> {
    let rank = view.dims.len() as u32 + 1;
    let size = view.dims[dim].size;
    let parts = (size as u64).div_ceil(step.max(1) as u64) as i64;
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|n| {
            let here = AffineExpr::Dim(n as u32 + 1);
            if n == dim {
                AffineExpr::add(AffineExpr::mul(AffineExpr::Dim(0), step.into()), here)
            } else {
                here
            }
        })
        .collect();
    let moved = |expr: &AffineExpr| expr.replace(&coords, &[]);
    let mut made = view.clone();
    made.dims[dim].size = step;
    let part =
        ["part", "part_", "part__"].into_iter().find(|name| view.dims.iter().all(|dim| dim.name != *name))?;
    made.dims.insert(0, Dim { name: part.into(), size: parts, kind: CombineKind::Cc });
    for input in &mut made.inputs {
        if let Some(map) = &mut input.map {
            let all: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
            *map = AffineMap::new(rank, 0, all?)?;
        }
        if let Some(guard) = &mut input.guard {
            *guard = moved(guard)?;
        }
    }
    for out in &mut made.outputs {
        for map in &mut out.maps {
            let all: Option<Vec<AffineExpr>> = map.results.iter().map(moved).collect();
            *map = AffineMap::new(rank, 0, all?)?;
        }
    }
    for condition in &mut made.conditions {
        if let Some(low) = &mut condition.low {
            *low = moved(low)?;
        }
        (condition.expr, condition.high) = (moved(&condition.expr)?, moved(&condition.high)?);
    }
    if parts.checked_mul(step)? > size {
        made.conditions.push(Condition { low: None, expr: coords[dim].clone(), high: size.into() });
    }
    Some(made)
}

/// A copy of a computation's body, but for ops that another value stands for
pub(crate) fn copied_body(
    ir: &mut Ir,
    op: Compute,
    mut other: impl FnMut(&mut Builder<'_>, OpId) -> Option<Value>,
) -> Option<BlockId> {
    let from = ir.entry(op.body(ir))?;
    let to = ir.create_block();
    let mut map = ValueMap::default();
    for arg in ir.block_args(from).to_vec() {
        let new = ir.add_block_arg(to, ir.ty(arg));
        if let Some(name) = ir.value_name(arg) {
            let name = Name::Str(ir.cx().intern(name));
            ir.set_value_name(new, name);
        }
        map.insert(arg, new);
    }
    for each in ir.block_ops(from).collect::<Vec<OpId>>() {
        if let Some(value) = other(&mut Builder::at_end(ir, to), each) {
            map.insert(ir.result(each, 0), value);
            continue;
        }
        let copy = ir.clone_op(None, each, &mut map);
        ir.append(to, copy);
    }
    Some(to)
}

/// A body for [`in_parts`]: a copy in which coordinates as values are those of the whole
pub(crate) fn body_in_parts(ir: &mut Ir, op: Compute, cut: (usize, i64)) -> Option<BlockId> {
    copied_body(ir, op, |b, each| Some(coordinate(b, Index::cast(b.read(), each)?, cut)))
}

/// The coordinate of a dimension
pub(crate) fn index(b: &mut Builder<'_>, dim: usize) -> Value {
    let number = b.cx().int_attr(dim as i128, b.cx().common().i64);
    let ty = b.cx().common().index;
    Index::build(b, number, ty).result(b.read())
}

/// A coordinate that is the same everywhere
pub(crate) fn index_constant(b: &mut Builder<'_>, value: i64) -> Value {
    let attr = b.cx().index_attr(value);
    arith::Constant::build(b, attr).result(b.read())
}

/// The coordinate that an `mdh.index` meant before there were parts
fn coordinate(b: &mut Builder<'_>, index: Index, (dim, step): (usize, i64)) -> Value {
    let was = index.dim(b.read()).as_int(b.cx()).and_then(|(dim, _)| usize::try_from(dim).ok()).unwrap_or(0);
    let within = self::index(b, was + 1);
    if was != dim {
        return within;
    }
    let part = self::index(b, 0);
    let step = b.cx().index_attr(step);
    let step = arith::Constant::build(b, step).result(b.read());
    let before = arith::MulI::build(b, part, step).result(b.read());
    arith::AddI::build(b, before, within).result(b.read())
}

/// Each part of a dimension reduced for itself: results have the part in front, then the other kept dimensions
pub(crate) fn reduced_in_parts(ir: &mut Ir, op: Compute, view: &View, cut: (usize, i64)) -> Option<Compute> {
    let mut first = in_parts(view, cut)?;
    let kept = kept(view, cut.0);
    let places = [0].into_iter().chain(kept.iter().map(|dim| dim + 1)).map(|n| AffineExpr::Dim(n as u32));
    let place = AffineMap::new(first.dims.len() as u32, 0, places.collect())?;
    first.name = Some(format!("{}_parts", view.name.as_deref().unwrap_or("reduction")));
    first.outputs = view.outputs.iter().map(|_| Output { maps: vec![place.clone()], init: None }).collect();
    if let CombineKind::Ps(operators) = &view.dims[cut.0].kind {
        first.dims[cut.0 + 1].kind = CombineKind::Pw(operators.clone(), Order::Fixed);
    }
    let shape: Vec<i64> =
        [first.dims[0].size].into_iter().chain(kept.iter().map(|dim| view.dims[*dim].size)).collect();
    let types: Vec<Type> =
        ir.results(op.id()).map(|value| ir.cx().tensor(&shape, ir.ty(value).scalar(ir.cx()))).collect();
    let body = body_in_parts(ir, op, cut)?;
    Some(first.build(&mut Builder::before(ir, op.id()), &types, body))
}

/// A body that hands its arguments on
pub(crate) fn pass_on(ir: &mut Ir, types: &[Type]) -> BlockId {
    let body = ir.create_block();
    let args: Vec<Value> = types.iter().map(|ty| ir.add_block_arg(body, *ty)).collect();
    Yield::build(&mut Builder::at_end(ir, body), &args);
    body
}

/// The parts, reduced by the same operators into the places of the results
fn together(
    ir: &mut Ir,
    op: Compute,
    view: &View,
    first: Compute,
    (dim, parts): (usize, i64),
) -> Option<Compute> {
    let kept = kept(view, dim);
    let rank = kept.len() as u32 + 1;
    // Kept dimensions first, the part last; no place depends on a reduced one.
    let coords: Vec<AffineExpr> = (0..view.dims.len())
        .map(|n| kept.iter().position(|m| *m == n).map_or(0.into(), |at| AffineExpr::Dim(at as u32)))
        .collect();
    let moved = |map: &AffineMap| {
        let results: Option<Vec<AffineExpr>> =
            map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
        AffineMap::new(rank, 0, results?)
    };
    let order = [rank - 1].into_iter().chain(0..rank - 1).map(AffineExpr::Dim).collect();
    let read = AffineMap::new(rank, 0, order)?;
    let mut dims: Vec<Dim> = kept.iter().map(|n| view.dims[*n].clone()).collect();
    let part =
        ["part", "part_", "part__"].into_iter().find(|name| dims.iter().all(|dim| dim.name != *name))?;
    dims.push(Dim { name: part.into(), size: parts, kind: view.dims[dim].kind.clone() });
    let mut outputs = Vec::new();
    for out in &view.outputs {
        let init = match &out.init {
            Some((value, Some(own))) => Some((*value, Some(moved(own)?))),
            other => other.clone(),
        };
        outputs.push(Output { maps: vec![moved(out.maps.first()?)?], init });
    }
    let values: Vec<Value> = ir.results(first.id()).collect();
    let input = |value: &Value| Input { value: *value, map: Some(read.clone()), other: None, guard: None };
    let inputs = values.iter().map(input).collect();
    let second =
        View { name: view.name.clone(), dims, inputs, outputs, conditions: Vec::new(), extents: Vec::new() };
    let types: Vec<Type> = values.iter().map(|value| ir.ty(*value).scalar(ir.cx())).collect();
    let body = pass_on(ir, &types);
    let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
    Some(second.build(&mut Builder::before(ir, op.id()), &types, body))
}
