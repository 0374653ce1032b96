//! Tensors between computations with their axes in another order, and constant arguments copied so.
//!
//! ```mlir
//! %a = mdh.compute (n in 1, c in 64, y in 56, x in 56, …) … outs([n, c, y, x])
//! %b = mdh.compute (…) ins(%v = %a[n, d, y + r - 1, x + s - 1], …) …
//! // becomes
//! %a = mdh.compute (n in 1, y in 56, x in 56, c in 64, …) … outs([n, y, x, c])
//! %b = mdh.compute (…) ins(%v = %a[n, y + r - 1, x + s - 1, d], …) …
//! ```
//!
//! Only computations see such a tensor, so that the order of its axes is free: index functions change, values do not. What the
//! function takes and returns stays, and so does what anything but a plain computation reads. Kept dimensions follow the new order of the
//! result. Reduced ones follow the operands, which any bracket of their fold permits. Which order pays is not decided here.

use crate::inline::producer::plain;
use crate::parts;
use terrace_dialect_builtin::marks;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Order, Output, View, default_name};
use terrace_dialect_mdh::{Compute, Index};
use terrace_ir::{Builder, Ir, Type, Value};
use terrace_support::HashMap;
use terrace_support::affine::{AffineExpr, AffineMap};

/// Axis `n` of a tensor in its new order is axis `orders[tensor][n]` of the old one
pub type Orders = HashMap<Value, Vec<usize>>;

/// Computations, and the tensors between them whose axes may change together
pub struct Component {
    /// In their order
    pub computes: Vec<Compute>,
    /// Tensors of one rank
    pub tensors: Vec<Value>,
    /// Their rank
    pub rank: usize,
}

/// A computation whose index functions may be rewritten
pub fn free(ir: &Ir, op: Compute) -> Option<View> {
    let bare = ir.dict(op.id()).and_then(|dict| dict.as_dict(ir.cx())).is_none_or(<[_]>::is_empty);
    let view = plain(ir, op).filter(|_| bare)?;
    let kinds = view.dims.iter().all(|dim| match &dim.kind {
        CombineKind::Cc => true,
        CombineKind::Pw(_, order) => matches!(order, Order::Fixed | Order::Free),
        CombineKind::Ps(_) => false,
    });
    let whole = |input: &Input| input.map.is_none() && ir.ty(input.value).shape(ir.cx()).is_some();
    let plain = view.extents.is_empty()
        && !view.inputs.iter().any(whole)
        && view.outputs.iter().all(|out| out.maps.len() == 1 && out.init.is_none())
        && !ir.walk_below(op.id()).any(|inner| ir.is(inner, Index::DEF));
    (kinds && plain).then_some(view)
}

/// Groups of tensors that only free computations of one block make and read
pub fn components(ir: &Ir) -> Vec<Component> {
    let computes: Vec<Compute> = ir.walk().filter_map(|op| Compute::cast(ir, op)).collect();
    let all: Vec<(Compute, View)> = computes.into_iter().filter_map(|op| Some((op, free(ir, op)?))).collect();
    let is_free = |op| all.iter().any(|(one, _)| one.id() == op);
    let movable = |value: &Value| {
        let Some(made) = ir.defining_op(*value).filter(|op| is_free(*op)) else { return false };
        let block = ir.block(made);
        let rank = ir.ty(*value).shape(ir.cx()).map_or(0, <[i64]>::len);
        rank > 2 && ir.uses(*value).all(|(user, _)| is_free(user) && ir.block(user) == block)
    };
    let mut found: Vec<Component> = Vec::new();
    for (op, view) in &all {
        let read = view.inputs.iter().map(|input| input.value);
        let mut own: Vec<Value> = ir.results(op.id()).chain(read).filter(|value| movable(value)).collect();
        own.sort_unstable_by_key(|value| value.index());
        own.dedup();
        let mut ranks: Vec<usize> =
            own.iter().filter_map(|value| Some(ir.ty(*value).shape(ir.cx())?.len())).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for rank in ranks {
            let same = own
                .iter()
                .copied()
                .filter(|value| ir.ty(*value).shape(ir.cx()).is_some_and(|shape| shape.len() == rank));
            let mut one = Component { computes: vec![*op], tensors: same.collect(), rank };
            // Those that share a tensor with it are one with it.
            let (joined, apart): (Vec<_>, Vec<_>) = found
                .into_iter()
                .partition(|other| other.tensors.iter().any(|value| one.tensors.contains(value)));
            found = apart;
            for other in joined {
                one.computes.extend(other.computes);
                one.tensors.extend(other.tensors);
            }
            one.tensors.sort_unstable_by_key(|value| value.index());
            one.tensors.dedup();
            found.push(one);
        }
    }
    for one in &mut found {
        let place = |op: &Compute| all.iter().position(|(other, _)| other.id() == op.id());
        one.computes.sort_by_key(place);
        one.computes.dedup_by_key(|op| op.id());
    }
    found
}

/// The computations of a component with the axes of its tensors in another order, next to the ones as written
pub struct Reordered {
    /// As written, and on the reordered tensors
    pub pairs: Vec<(Compute, Compute)>,
}

impl Reordered {
    /// Build them; `None`, and nothing has changed, where one has no such form
    pub fn before(ir: &mut Ir, component: &Component, orders: &Orders) -> Option<Reordered> {
        let mut made = Reordered { pairs: Vec::new() };
        let mut values: HashMap<Value, Value> = HashMap::default();
        for op in &component.computes {
            match reordered(ir, *op, orders, &values) {
                Some(new) => {
                    values.extend(ir.results(op.id()).zip(ir.results(new.id())));
                    made.pairs.push((*op, new));
                }
                None => {
                    made.discard(ir);
                    return None;
                }
            }
        }
        Some(made)
    }

    /// Put them in place of the ones as written
    pub fn replace(self, ir: &mut Ir) {
        for (old, new) in self.pairs.into_iter().rev() {
            parts::replace(ir, old, new);
        }
    }

    /// Keep the ones as written
    pub fn discard(self, ir: &mut Ir) {
        for (_, made) in self.pairs.into_iter().rev() {
            ir.erase(made.id());
        }
    }
}

/// One computation on reordered tensors
fn reordered(ir: &mut Ir, op: Compute, orders: &Orders, values: &HashMap<Value, Value>) -> Option<Compute> {
    let mut view = free(ir, op)?;
    let permuted = |map: &AffineMap, order: &[usize]| {
        let results = order.iter().map(|axis| map.results.get(*axis).cloned()).collect::<Option<Vec<_>>>()?;
        AffineMap::new(map.dims, map.symbols, results)
    };
    for input in &mut view.inputs {
        if let (Some(order), Some(map)) = (orders.get(&input.value), &input.map) {
            input.map = Some(permuted(map, order)?);
        }
        input.value = values.get(&input.value).copied().unwrap_or(input.value);
    }
    let mut types = Vec::new();
    for (n, value) in ir.results(op.id()).enumerate() {
        let ty = ir.ty(value);
        let Some(order) = orders.get(&value) else {
            types.push(ty);
            continue;
        };
        let (shape, out) = (ty.shape(ir.cx())?, &mut view.outputs[n]);
        out.maps = out.maps.iter().map(|map| permuted(map, order)).collect::<Option<_>>()?;
        let sizes: Vec<i64> = order.iter().map(|axis| shape[*axis]).collect();
        types.push(ir.cx().tensor(&sizes, ty.scalar(ir.cx())));
    }
    let order = dims(&view);
    build(ir, op, &renumbered(view, &order)?, &types)
}

/// The same points with dimension `order[n]` as the n-th; no body uses coordinates
fn renumbered(mut view: View, order: &[usize]) -> Option<View> {
    let rank = view.dims.len();
    let mut coords = vec![AffineExpr::from(0); rank];
    for (n, dim) in order.iter().enumerate() {
        coords[*dim] = AffineExpr::Dim(n as u32);
    }
    let moved = |map: &AffineMap| map.replace(&coords, &[], rank as u32, 0);
    view.dims = order.iter().map(|dim| view.dims[*dim].clone()).collect();
    for input in &mut view.inputs {
        if let Some(map) = &input.map {
            input.map = Some(moved(map)?);
        }
        if let Some(guard) = &input.guard {
            input.guard = Some(guard.replace(&coords, &[])?);
        }
    }
    for out in &mut view.outputs {
        out.maps = out.maps.iter().map(moved).collect::<Option<_>>()?;
    }
    for one in &mut view.conditions {
        if let Some(low) = &one.low {
            one.low = Some(low.replace(&coords, &[])?);
        }
        (one.expr, one.high) = (one.expr.replace(&coords, &[])?, one.high.replace(&coords, &[])?);
    }
    Some(view)
}

/// A computation with the body of another, before it
fn build(ir: &mut Ir, op: Compute, view: &View, types: &[Type]) -> Option<Compute> {
    let body = parts::copied_body(ir, op, |_, _| None)?;
    let loc = ir.loc(op.id());
    let mut b = Builder::before(ir, op.id());
    b.set_loc(loc);
    let made = view.build(&mut b, types, body);
    for (old, new) in ir.results(op.id()).zip(ir.results(made.id())).collect::<Vec<_>>() {
        if let Some(name) = ir.value_name(old) {
            let name = terrace_ir::Name::Str(ir.cx().intern(name));
            ir.set_value_name(new, name);
        }
    }
    Some(made)
}

/// The order of dimensions that goes with the index functions: kept ones as the first result has them, reduced ones as the operands do
fn dims(view: &View) -> Vec<usize> {
    let kept: Vec<usize> = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).collect();
    let place = view.outputs.first().and_then(|out| out.maps.first()?.result_dims());
    let place: Option<Vec<usize>> = place.map(|dims| dims.into_iter().map(|dim| dim as usize).collect());
    let each = |dims: &Vec<usize>| {
        let mut sorted = dims.clone();
        sorted.sort_unstable();
        sorted == kept
    };
    let mut order = place.filter(each).unwrap_or_else(|| kept.clone());
    let mut reduced: Vec<usize> = (0..view.dims.len()).filter(|dim| !view.dims[*dim].kind.kept()).collect();
    // By the first operand that moves with it, there by its axis.
    reduced.sort_by_key(|dim| {
        let axis =
            |input: &Input| input.map.as_ref()?.results.iter().position(|expr| expr.uses_dim(*dim as u32));
        view.inputs
            .iter()
            .enumerate()
            .find_map(|(n, input)| Some((n, axis(input)?)))
            .unwrap_or((usize::MAX, 0))
    });
    order.extend(reduced);
    order
}

/// Is what follows from constant arguments there computed once for all calls (`mdh-prepare`)?
///
/// It is in the block of the function itself, which nothing calls or stands for.
pub fn is_once_for_all(ir: &Ir, op: Compute) -> bool {
    let root = ir.root();
    let home = ir.regions(root).next().and_then(|region| ir.single_block(region));
    let private = ir.attr(root, "sym_visibility").and_then(|attr| attr.as_str(ir.cx())) == Some("private");
    let versions = ir.discardable(root, marks::VERSIONS).is_some();
    home.is_some() && ir.block(op.id()) == home && !private && !versions
}

/// A constant argument in another order, and the computation that reads it so, next to the one as written
pub struct Weights {
    /// The copies
    pub copies: Vec<Compute>,
    /// What reads them
    pub reader: Compute,
}

impl Weights {
    /// Build both, if a constant argument's axes are in another order than the computation visits them, and the copy is made once for all
    /// calls; `None` else, and nothing has changed
    pub fn before(ir: &mut Ir, op: Compute) -> Option<Weights> {
        let view = free(ir, op).filter(|_| is_once_for_all(ir, op))?;
        let last = view.outputs.first()?.maps.first()?.result_dims()?.last().copied()? as usize;
        let (mut made, mut copies) = (view.clone(), Vec::new());
        for n in 0..view.inputs.len() {
            let Some(order) = wanted(ir, &view, n, last) else { continue };
            let Some(copy) = copied(ir, op, view.inputs[n].value, &order) else { continue };
            let results = &view.inputs[n].map.as_ref()?.results;
            let results = order.iter().map(|axis| results[*axis].clone()).collect();
            made.inputs[n].map = AffineMap::new(view.dims.len() as u32, 0, results);
            made.inputs[n].value = ir.result(copy.id(), 0);
            copies.push(copy);
        }
        if copies.is_empty() {
            return None;
        }
        let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
        match build(ir, op, &made, &types) {
            Some(reader) => Some(Weights { copies, reader }),
            None => {
                copies.into_iter().rev().for_each(|copy| ir.erase(copy.id()));
                None
            }
        }
    }

    /// Put them in place of the one as written
    pub fn replace(self, ir: &mut Ir, op: Compute) {
        parts::replace(ir, op, self.reader);
    }

    /// Keep the one as written
    pub fn discard(self, ir: &mut Ir) {
        ir.erase(self.reader.id());
        for copy in self.copies.into_iter().rev() {
            ir.erase(copy.id());
        }
    }
}

/// The order in which a computation visits a constant argument, if the argument has another: kept dimensions, reduced ones, and the last
/// dimension of the result innermost
fn wanted(ir: &Ir, view: &View, input: usize, last: usize) -> Option<Vec<usize>> {
    let Input { value, map: Some(map), other: None, guard: None } = &view.inputs[input] else { return None };
    marks::of_argument(ir, *value, marks::CONSTANT)?;
    let dims: Vec<Option<usize>> = map
        .results
        .iter()
        .map(|expr| match expr {
            AffineExpr::Dim(dim) => Some(Some(*dim as usize)),
            AffineExpr::Constant(_) => Some(None),
            _ => None,
        })
        .collect::<Option<_>>()?;
    if !dims.contains(&Some(last)) {
        return None;
    }
    let key = |axis: &usize| match dims[*axis] {
        None => (0, 0),
        Some(dim) if dim == last => (3, 0),
        Some(dim) if view.dims[dim].kind.kept() => (1, dim),
        Some(dim) => (2, dim),
    };
    let mut order: Vec<usize> = (0..dims.len()).collect();
    order.sort_by_key(key);
    // Axes of one coordinate are anywhere.
    let shape = ir.ty(*value).shape(ir.cx())?;
    let long: Vec<usize> = order.iter().copied().filter(|axis| shape[*axis] > 1).collect();
    (!long.is_sorted()).then_some(order)
}

/// A tensor with its axes in another order
fn copied(ir: &mut Ir, op: Compute, value: Value, order: &[usize]) -> Option<Compute> {
    let shape = ir.ty(value).shape(ir.cx())?.to_vec();
    let (rank, elem) = (shape.len() as u32, ir.ty(value).scalar(ir.cx()));
    let mut from: Vec<AffineExpr> = vec![0.into(); shape.len()];
    for (n, axis) in order.iter().enumerate() {
        from[*axis] = AffineExpr::Dim(n as u32);
    }
    let sizes: Vec<i64> = order.iter().map(|axis| shape[*axis]).collect();
    let dim = |(n, size): (usize, &i64)| Dim { name: default_name(n), size: *size, kind: CombineKind::Cc };
    let view = View {
        name: Some(format!("{}_moved", ir.value_name(value).unwrap_or("weights"))),
        dims: sizes.iter().enumerate().map(dim).collect(),
        inputs: vec![Input { value, map: Some(AffineMap::new(rank, 0, from)?), other: None, guard: None }],
        outputs: vec![Output { maps: vec![AffineMap::identity(rank)], init: None }],
        conditions: Vec::new(),
        extents: Vec::new(),
    };
    let body = parts::pass_on(ir, &[elem]);
    let ty = ir.cx().tensor(&sizes, elem);
    Some(view.build(&mut Builder::before(ir, op.id()), &[ty], body))
}
