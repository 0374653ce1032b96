//! Columns of a reduction that are left over by whole vectors, as a computation of their own.
//!
//! A result of 65 columns is four vectors and one element, and a tile of registers does the work of five vectors. The last column alone is a
//! reduction with few results: lanes along the reduction serve it, and what it reads of the operand with the columns is copied so that
//! these lanes find neighbors. Both computations write their part of the result where it stands (`tensors-to-memory`). Each element is
//! reduced over the same points as before.

use crate::parts;
use terrace_dialect_func::Return;
use terrace_dialect_mdh::symmetric::SYMMETRIC;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Order, Output, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_dialect_tensor::{CollapseShape, Empty, ExpandShape, InsertSlice};
use terrace_ir::{Builder, Ir, OpId, Type, Value};
use terrace_lowering_mdh::tensors_to_memory::parts_in_place;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Computations next to the one as written, and what puts their results together
pub struct Remaining {
    /// The columns of whole vectors, copies for the others, the others
    pub all: Vec<Compute>,
    /// The dimension of the columns
    pub name: String,
    /// The columns that are left over
    pub columns: i64,
    /// In the order of the text
    whole: Vec<OpId>,
}

impl Remaining {
    /// Build them before a computation of vectors with so many lanes; `None`, and nothing has changed, where its columns are whole vectors
    pub fn before(ir: &mut Ir, op: Compute, view: &View, lanes: i64) -> Option<Remaining> {
        let last = columns(ir, op, view)?;
        let size = view.dims[last].size;
        let columns = size % lanes.max(1);
        if columns == 0 || columns == size {
            return None;
        }
        let mut made =
            Remaining { all: Vec::new(), name: view.dims[last].name.clone(), columns, whole: Vec::new() };
        match made.build(ir, op, view, last) {
            Some(()) => Some(made),
            None => {
                made.discard(ir);
                None
            }
        }
    }

    fn build(&mut self, ir: &mut Ir, op: Compute, view: &View, last: usize) -> Option<()> {
        let first = view.dims[last].size - self.columns;
        let ty = ir.ty(ir.result(op.id(), 0));
        let empty = Empty::build(&mut Builder::before(ir, op.id()), &[], ty);
        self.whole.push(empty.id());
        let mut filled = empty.result(ir);
        let mut behind = part(view, last, (first, self.columns))?;
        behind.name = view.name.as_ref().map(|name| format!("{name}_remaining"));
        let behind = self.in_order(ir, op, behind, last)?;
        for (view, at) in [(part(view, last, (0, first))?, 0), (behind, first)] {
            let sizes = places(&view)?.into_iter().map(|dim| view.dims[dim].size).collect::<Vec<i64>>();
            let body = parts::copied_body(ir, op, |_, _| None)?;
            let own = ir.cx().tensor(&sizes, ty.scalar(ir.cx()));
            let compute = view.build(&mut Builder::before(ir, op.id()), &[own], body);
            self.made(compute);
            let mut start = vec![0; sizes.len()];
            *start.last_mut()? = at;
            let [start, sizes, steps] =
                [start, sizes.clone(), vec![1; sizes.len()]].map(|numbers| ir.cx().i64_array(&numbers));
            let value = ir.result(compute.id(), 0);
            let mut b = Builder::before(ir, op.id());
            let put = InsertSlice::build(&mut b, value, filled, &[], &[], &[], start, sizes, steps);
            self.whole.push(put.id());
            filled = put.result(ir);
        }
        Some(())
    }

    fn made(&mut self, compute: Compute) {
        self.all.push(compute);
        self.whole.push(compute.id());
    }

    /// The computation of a few columns, on copies of operands with the columns that have neighbors along the reduction
    fn in_order(&mut self, ir: &mut Ir, op: Compute, mut view: View, last: usize) -> Option<View> {
        // Neighbors of an operand without the columns.
        let inner = |input: &Input| {
            let linear = input.map.as_ref()?.results.last()?.as_linear()?;
            let reduced = |dim: &usize| !view.dims[*dim].kind.kept() && linear.dim(*dim) == 1;
            (0..view.dims.len()).filter(reduced).max_by_key(|dim| view.dims[*dim].size)
        };
        let others = view.inputs.iter().filter(|input| !moves(input, last));
        let along = others.filter_map(inner).max_by_key(|dim| view.dims[*dim].size);
        let Some(along) = along else { return Some(view) };
        for n in 0..view.inputs.len() {
            if !moves(&view.inputs[n], last) || inner_is(&view.inputs[n], along) {
                continue;
            }
            let Some((copy, map)) = copied(ir, op, &view, n, along) else { continue };
            self.made(copy);
            view.inputs[n].value = ir.result(copy.id(), 0);
            view.inputs[n].map = Some(map);
        }
        Some(view)
    }

    /// Put them in place of the one as written
    pub fn replace(self, ir: &mut Ir, op: Compute) -> Vec<Compute> {
        let old = ir.result(op.id(), 0);
        if let Some(put) = self.whole.last() {
            let new = ir.result(*put, 0);
            ir.copy_value_name(old, new);
            ir.replace_all_uses(old, new);
        }
        ir.erase(op.id());
        let puts: Vec<OpId> = self.whole.iter().copied().filter(|op| ir.is(*op, InsertSlice::DEF)).collect();
        parts_in_place(ir, &puts);
        self.all
    }

    /// Keep the one as written
    pub fn discard(self, ir: &mut Ir) {
        for op in self.whole.into_iter().rev() {
            ir.erase(op);
        }
    }
}

/// The last dimension of the result, where its ends may be computed apart: a reduction of the function's arguments that nothing else reads
fn columns(ir: &Ir, op: Compute, view: &View) -> Option<usize> {
    let place = places(view)?;
    let last = *place.last()?;
    let reduces = view.dims.iter().any(|dim| matches!(dim.kind, CombineKind::Pw(..)));
    let known = |dim: &Dim| match dim.kind {
        CombineKind::Cc => true,
        CombineKind::Pw(_, order) => matches!(order, Order::Fixed | Order::Free),
        CombineKind::Ps(_) => false,
    };
    let apart = |condition: &terrace_dialect_mdh::view::Condition| {
        condition.at_least_zero().iter().all(|expr| !expr.uses_dim(last as u32))
    };
    let fits = reduces
        && view.dims.iter().all(known)
        && view.outputs[0].init.is_none()
        && view.dims[last].kind == CombineKind::Cc
        && view.conditions.iter().all(apart)
        && ir.discardable(op.id(), SYMMETRIC).is_none()
        && !ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF));
    // Else nothing is read again for each column, and a tile of registers serves nothing.
    let shared = view.inputs.iter().any(|input| !moves(input, last));
    (fits && shared && stands_alone(ir, op, view)).then_some(last)
}

/// Does it read the function's arguments, and does the function return its result, which nothing else reads? Each perhaps in another shape
fn stands_alone(ir: &Ir, op: Compute, view: &View) -> bool {
    let alone = ir.parent(op.id()) == Some(ir.root()) && ir.blocks(ir.region(ir.root(), 0)).count() == 1;
    let entry = ir.block(op.id()).filter(|_| alone);
    let of_function = |value: Value| entry.is_some_and(|entry| ir.block_args(entry).contains(&value));
    let given = |input: &Input| {
        let shaped = ir.defining_op(input.value).and_then(|op| CollapseShape::cast(ir, op));
        of_function(shaped.map_or(input.value, |shaped| shaped.src(ir)))
    };
    let returned = |value: Value| ir.uses(value).all(|(user, _)| ir.is(user, Return::DEF));
    let result = ir.result(op.id(), 0);
    // A view that is returned twice has no form on buffers yet.
    let once = |value: Value| ir.has_one_use(value) && returned(value);
    let shaped = |user: OpId| ExpandShape::cast(ir, user).is_some_and(|shaped| once(shaped.result(ir)));
    view.inputs.iter().all(given)
        && ir.uses(result).all(|(user, _)| ir.is(user, Return::DEF) || shaped(user) && ir.has_one_use(result))
}

/// The dimensions of the one result, one for each of its own
fn places(view: &View) -> Option<Vec<usize>> {
    let [out] = view.outputs.as_slice() else { return None };
    let [map] = out.maps.as_slice() else { return None };
    let places: Vec<usize> = map.result_dims()?.into_iter().map(|dim| dim as usize).collect();
    let kept = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).count();
    (places.len() == kept).then_some(places)
}

/// The same at so many coordinates of a dimension from a first one on
fn part(view: &View, dim: usize, (first, size): (i64, i64)) -> Option<View> {
    let at = |n: usize| match n == dim {
        true => AffineExpr::add(AffineExpr::Dim(n as u32), first.into()),
        false => AffineExpr::Dim(n as u32),
    };
    let coords: Vec<AffineExpr> = (0..view.dims.len()).map(at).collect();
    let mut made = view.clone();
    made.dims[dim].size = size;
    for input in &mut made.inputs {
        if let Some(map) = &mut input.map {
            let exprs: Option<Vec<AffineExpr>> =
                map.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            *map = AffineMap::new(map.dims, 0, exprs?)?;
        }
        if let Some(guard) = &mut input.guard {
            *guard = guard.replace(&coords, &[])?;
        }
    }
    Some(made)
}

/// Does an input move with a dimension?
fn moves(input: &Input, dim: usize) -> bool {
    input.map.iter().flat_map(|map| &map.results).any(|expr| expr.uses_dim(dim as u32))
}

/// Does an input find neighbors along a dimension?
fn inner_is(input: &Input, dim: usize) -> bool {
    let last = input.map.as_ref().and_then(|map| map.results.last());
    last.and_then(AffineExpr::as_linear).is_some_and(|linear| linear.dim(dim) == 1)
}

/// What is read of an input with neighbors along a dimension, and where the computation reads it there; of inputs whose every subscript is
/// a dimension from some coordinate on
fn copied(ir: &mut Ir, op: Compute, view: &View, n: usize, along: usize) -> Option<(Compute, AffineMap)> {
    let Input { value, map: Some(map), other: None, guard: None } = &view.inputs[n] else { return None };
    let mut axes: Vec<(usize, i64)> = Vec::new();
    for expr in &map.results {
        let linear = expr.as_linear()?;
        let used: Vec<usize> = (0..view.dims.len()).filter(|dim| linear.dim(*dim) != 0).collect();
        match used.as_slice() {
            [dim] if linear.dim(*dim) == 1 && axes.iter().all(|(other, _)| other != dim) => {
                axes.push((*dim, linear.constant));
            }
            _ => return None,
        }
    }
    // What a condition cuts away is not there.
    let shape = ir.ty(*value).shape(ir.cx())?;
    let inside = |((dim, first), extent): (&(usize, i64), &i64)| {
        *first >= 0 && first.checked_add(view.dims[*dim].size).is_some_and(|end| end <= *extent)
    };
    if shape.len() != axes.len() || !axes.iter().zip(shape).all(inside) {
        return None;
    }
    let mut order: Vec<usize> = axes.iter().map(|(dim, _)| *dim).collect();
    order.sort_by_key(|dim| *dim == along);
    let own = |dim: usize| order.iter().position(|other| *other == dim).map(|at| AffineExpr::Dim(at as u32));
    let read = axes.iter().map(|(dim, first)| Some(AffineExpr::add(own(*dim)?, (*first).into())));
    let rank = order.len() as u32;
    let elem = ir.ty(*value).scalar(ir.cx());
    let made = View {
        name: Some(format!("{}_remaining", ir.value_name(*value).unwrap_or("input"))),
        dims: order.iter().map(|dim| Dim { kind: CombineKind::Cc, ..view.dims[*dim].clone() }).collect(),
        inputs: vec![Input {
            value: *value,
            map: Some(AffineMap::new(rank, 0, read.collect::<Option<_>>()?)?),
            other: None,
            guard: None,
        }],
        outputs: vec![Output { maps: vec![AffineMap::identity(rank)], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let sizes: Vec<i64> = made.dims.iter().map(|dim| dim.size).collect();
    let to = order.iter().map(|dim| AffineExpr::Dim(*dim as u32)).collect();
    let to = AffineMap::new(view.dims.len() as u32, 0, to)?;
    let ty: Type = ir.cx().tensor(&sizes, elem);
    let body = parts::pass_on(ir, &[elem]);
    Some((made.build(&mut Builder::before(ir, op.id()), &[ty], body), to))
}
