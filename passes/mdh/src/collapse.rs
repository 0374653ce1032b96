//! Neighboring dimensions that every access takes as one contiguous run, as one dimension.
//!
//! Two dimensions are one where each access that uses them has both, alone in neighboring subscripts, over the whole of these dimensions of the
//! tensor: the address is `d₁ · extent + d₂` up to a stride. Tensors are seen in another shape, nothing is copied. A contraction of
//! several indices, or a 1×1 convolution, is a plain product then.
//!
//! Only reductions between the function's arguments and its results are collapsed: others may share loops with their neighbors, which have
//! the dimensions as written. The sizes decide nothing: the model compares both forms.

use crate::parts;
use terrace_dialect_func::Return;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, Order, View};
use terrace_dialect_mdh::{Compute, Index};
use terrace_dialect_shapes::reassociation;
use terrace_dialect_tensor::{CollapseShape, ExpandShape};
use terrace_ir::{Builder, Ir, OpId, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation in its collapsed form, next to the one as written
pub struct Collapsed {
    /// The computation
    pub op: Compute,
    /// Is it a plain product, or a batch of products?
    pub product: bool,
    /// Is each element of each input used at one point? Then it is all, rows or columns that are reduced
    pub once: bool,
    /// What was made before it, in order
    before: Vec<OpId>,
    /// What gives its result the shape as written, where it has another
    after: Option<OpId>,
    /// Dimensions of the result as written, for each of its own
    groups: Vec<Vec<i64>>,
}

/// Which computations may have another form
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Between arguments and results only: others may share loops with their neighbors
    Alone,
    /// Any
    Anywhere,
    /// Any, and only reduced dimensions become one: brackets do not depend on kept extents
    Reduced,
}

/// An access of a tensor: subscripts, each over one or more dimensions of it; none of a scalar
#[derive(Clone, PartialEq, Default)]
struct Subscripts {
    exprs: Vec<AffineExpr>,
    sizes: Vec<i64>,
    /// Dimensions of the tensor that each subscript is over
    groups: Vec<Vec<i64>>,
}

impl Subscripts {
    fn of(map: &AffineMap, shape: &[i64]) -> Option<Subscripts> {
        (map.results.len() == shape.len()).then(|| Subscripts {
            exprs: map.results.clone(),
            sizes: shape.to_vec(),
            groups: (0..shape.len() as i64).map(|n| vec![n]).collect(),
        })
    }

    /// Does it move with a dimension?
    fn uses(&self, dim: usize) -> bool {
        self.exprs.iter().any(|expr| expr.uses_dim(dim as u32))
    }

    /// Where two dimensions are a contiguous run; the error says that they are used otherwise
    fn run(&self, [a, b]: [(u32, i64); 2]) -> Result<Option<usize>, ()> {
        let uses = |n: usize| self.exprs[n].uses_dim(a.0) || self.exprs[n].uses_dim(b.0);
        let used: Vec<usize> = (0..self.exprs.len()).filter(|n| uses(*n)).collect();
        match used.as_slice() {
            [] => Ok(None),
            [first, second] if *second == first + 1 => {
                let whole = |n: usize, dim: (u32, i64)| {
                    self.exprs[n] == AffineExpr::Dim(dim.0) && self.sizes[n] == dim.1
                };
                if whole(*first, a) && whole(*second, b) { Ok(Some(*first)) } else { Err(()) }
            }
            _ => Err(()),
        }
    }

    /// Dimensions of one coordinate are at their start, and extents of one belong to their neighbors
    fn without_ones(&mut self, view: &View, kept: &[usize]) -> Option<()> {
        let at = |dim: usize| if kept.contains(&dim) { AffineExpr::Dim(dim as u32) } else { 0.into() };
        let coords: Vec<AffineExpr> = (0..view.dims.len()).map(at).collect();
        for expr in &mut self.exprs {
            *expr = expr.replace(&coords, &[])?;
        }
        let start: AffineExpr = 0.into();
        while let Some(one) = (0..self.exprs.len()).find(|n| self.sizes[*n] == 1 && self.exprs[*n] == start)
            && self.exprs.len() > 1
        {
            let first = one.min(self.exprs.len() - 2);
            let other = if first == one { one + 1 } else { first };
            self.exprs[first] = self.exprs[other].clone();
            self.join(first);
        }
        Some(())
    }

    /// A subscript and the next one become one
    fn join(&mut self, at: usize) {
        self.exprs.remove(at + 1);
        let (size, group) = (self.sizes.remove(at + 1), self.groups.remove(at + 1));
        self.sizes[at] *= size;
        self.groups[at].extend(group);
    }

    fn map(&self, coords: &[AffineExpr], rank: usize) -> Option<AffineMap> {
        let exprs: Option<Vec<AffineExpr>> =
            self.exprs.iter().map(|expr| expr.replace(coords, &[])).collect();
        AffineMap::new(rank as u32, 0, exprs?)
    }
}

/// Does an op give all of a tensor of one dimension another shape?
pub(crate) fn all_axes(ir: &Ir, shaped: OpId) -> bool {
    ir.ty(ir.operand(shaped, 0)).shape(ir.cx()).is_some_and(|shape| shape.len() == 1)
}

impl Collapsed {
    /// Build the collapsed form before a computation; `None`, and nothing has changed, where no dimensions are one
    pub fn before(ir: &mut Ir, op: Compute, view: &View, place: Place) -> Option<Collapsed> {
        if !reduces(ir, op, view, place) || place == Place::Alone && !stands_alone(ir, op, view) {
            return None;
        }
        let tensor = |value: Value| ir.ty(value).shape(ir.cx()).unwrap_or(&[]).to_vec();
        let result = ir.result(op.id(), 0);
        let mut accesses = Vec::new();
        for input in &view.inputs {
            accesses.push(match &input.map {
                Some(map) => Subscripts::of(map, &tensor(input.value))?,
                None => Subscripts::default(),
            });
        }
        accesses.push(Subscripts::of(view.outputs[0].maps.first()?, &tensor(result))?);
        let mut made = view.clone();
        let mut open = view.ends()?;
        let mut kept = match place {
            Place::Alone | Place::Anywhere => longer_than_one(view, &open),
            Place::Reduced => kept_or_long(view, &open),
        };
        for access in &mut accesses {
            access.without_ones(view, &kept)?;
        }
        while let Some([a, b]) = pair(&made, &kept, &accesses, (&open, place)) {
            let ends = [a, b].map(|dim| (dim as u32, made.dims[dim].size));
            for access in &mut accesses {
                if let Ok(Some(at)) = access.run(ends) {
                    access.join(at);
                }
            }
            // Whole rows are left out where the outer one ends.
            for (_, end) in open.iter_mut().filter(|(dim, _)| *dim == a) {
                *end = AffineExpr::mul(end.clone(), made.dims[b].size.into());
            }
            made.dims[a].size = made.dims[a].size.checked_mul(made.dims[b].size)?;
            made.dims[a].name = format!("{}_{}", made.dims[a].name, made.dims[b].name);
            kept.retain(|dim| *dim != b);
        }
        if kept.len() == view.dims.len() {
            return None;
        }
        let place = |dim: usize| kept.iter().position(|at| *at == dim);
        let open = open.into_iter().map(|(dim, end)| Some((place(dim)?, end)));
        made.set_ends(open.collect::<Option<Vec<_>>>()?);
        let product = accesses.len() == 3 && is_product(&made, &kept, &accesses);
        let all = |access: &Subscripts| kept.iter().all(|dim| access.uses(*dim));
        let scalar = |access: &Subscripts| access.exprs.is_empty();
        let once =
            accesses.split_last().is_some_and(|(_, ins)| ins.iter().all(|one| scalar(one) || all(one)));
        build(ir, op, made, &kept, &accesses, (product, once))
    }

    /// Put the collapsed form in place of the one as written
    pub fn replace(self, ir: &mut Ir, old: Compute) {
        let last = self.after.unwrap_or(self.op.id());
        let (from, to) = (ir.result(old.id(), 0), ir.result(last, 0));
        ir.copy_value_name(from, to);
        ir.replace_all_uses(from, to);
        ir.erase(old.id());
    }

    /// Put the collapsed form in place of one whose result is not read yet: the result as it is, and which dimensions as written each of its own is
    pub fn flat(self, ir: &mut Ir, old: Compute) -> (Value, Vec<Vec<i64>>) {
        if let Some(after) = self.after {
            ir.erase(after);
        }
        ir.erase(old.id());
        (ir.result(self.op.id(), 0), self.groups)
    }

    /// Keep the form as written
    pub fn discard(self, ir: &mut Ir) {
        if let Some(after) = self.after {
            ir.erase(after);
        }
        ir.erase(self.op.id());
        for op in self.before.into_iter().rev() {
            ir.erase(op);
        }
    }
}

/// Does it read the function's arguments, and does the function return its result, which nothing else reads?
fn stands_alone(ir: &Ir, op: Compute, view: &View) -> bool {
    let Some(entry) = ir.block(op.id()) else { return false };
    let of_function =
        |value: Value| ir.parent(op.id()) == Some(ir.root()) && ir.block_args(entry).contains(&value);
    view.inputs.iter().all(|input| of_function(input.value))
        && ir.uses(ir.result(op.id(), 0)).all(|(user, _)| ir.is(user, Return::DEF))
}

/// A reduction by built-in operators, of tensors without guards, and without conditions but for ends. Start values are those of kept
/// places, which stay where reduced dimensions alone become one
fn reduces(ir: &Ir, op: Compute, view: &View, place: Place) -> bool {
    let [out] = view.outputs.as_slice() else { return false };
    let reduces = |dim: &terrace_dialect_mdh::view::Dim| matches!(dim.kind, CombineKind::Pw(..));
    let known = |dim: &terrace_dialect_mdh::view::Dim| match &dim.kind {
        CombineKind::Cc => true,
        CombineKind::Pw(operators, _) => operators.iter().all(|one| matches!(one, Operator::Builtin(_))),
        CombineKind::Ps(_) => false,
    };
    out.maps.len() == 1
        && (out.init.is_none() || place == Place::Reduced)
        && view.ends().is_some()
        && view.dims.iter().any(reduces)
        && view.dims.iter().all(|dim| known(dim) && dim.size > 0)
        && view.inputs.iter().all(|input| input.other.is_none() && input.guard.is_none())
        && !ir.walk_below(op.id()).any(|op| ir.is(op, Index::DEF))
}

/// Dimensions of more than one coordinate; one of them, if no dimension has more
fn longer_than_one(view: &View, ends: &[(usize, AffineExpr)]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..view.dims.len()).collect();
    kept.retain(|dim| view.dims[*dim].size != 1 || ends.iter().any(|(end, _)| end == dim));
    if kept.is_empty() {
        kept.extend(view.dims.iter().rposition(|dim| !dim.kind.kept()));
    }
    kept
}

/// All kept dimensions, and reduced ones of more than one coordinate; one of them, if none has more
fn kept_or_long(view: &View, ends: &[(usize, AffineExpr)]) -> Vec<usize> {
    let long = longer_than_one(view, ends);
    let reduced = |dim: &usize| !view.dims[*dim].kind.kept();
    let one = if long.iter().any(reduced) { None } else { (0..view.dims.len()).rfind(reduced) };
    let stays = |dim: &usize| !reduced(dim) || long.contains(dim) || one == Some(*dim);
    (0..view.dims.len()).filter(stays).collect()
}

/// Two dimensions that are one, the outer first
fn pair(
    view: &View,
    kept: &[usize],
    accesses: &[Subscripts],
    (open, place): (&[(usize, AffineExpr)], Place),
) -> Option<[usize; 2]> {
    let run = |a: usize, b: usize| {
        let (one, two) = (&view.dims[a], &view.dims[b]);
        // A fold in the order of the source visits the two one inside the other, as the one dimension is visited. A bracket is of its extents.
        let neighbors = kept.iter().position(|dim| *dim == a).and_then(|at| kept.get(at + 1)) == Some(&b);
        let apart = match one.kind {
            CombineKind::Cc => place == Place::Reduced,
            CombineKind::Pw(_, Order::Invariant) => place != Place::Reduced,
            CombineKind::Pw(_, Order::Tree | Order::Exact) => true,
            CombineKind::Pw(_, order) => order.is_left_fold() && !neighbors,
            CombineKind::Ps(_) => false,
        };
        let ends = [(a as u32, one.size), (b as u32, two.size)];
        // Only the outermost of the dimensions that are one may end at run time.
        let whole = open.iter().all(|(dim, _)| *dim != b);
        a != b
            && one.kind == two.kind
            && !apart
            && whole
            && accesses.iter().all(|access| access.run(ends).is_ok())
    };
    kept.iter().find_map(|a| kept.iter().find(|b| run(*a, **b)).map(|b| [*a, *b]))
}

/// Is it a product of two operands, or a batch of products: rows, columns, and one reduced dimension?
///
/// Outermost dimensions of the result that are outermost in the operands, too, number the products. More than one dimension of rows or columns is no
/// product: their lanes and panels depend on which of them is contiguous where, and the form as written shows that better.
fn is_product(view: &View, kept: &[usize], accesses: &[Subscripts]) -> bool {
    let [first, second, out] = accesses else { return false };
    let mut dims: Vec<usize> = kept.iter().copied().filter(|dim| view.dims[*dim].size > 1).collect();
    let place = |access: &Subscripts, dims: &[usize], dim: usize| {
        let used = |expr: &&AffineExpr| dims.iter().any(|dim| expr.uses_dim(*dim as u32));
        access.exprs.iter().filter(used).position(|expr| expr.uses_dim(dim as u32))
    };
    while let Some(batch) = dims.iter().copied().find(|dim| {
        view.dims[*dim].kind.kept()
            && place(out, &dims, *dim) == Some(0)
            && dims.len() > 3
            && [first, second].iter().all(|access| matches!(place(access, &dims, *dim), None | Some(0)))
    }) {
        dims.retain(|dim| *dim != batch);
    }
    let uses = |dim: usize| {
        [first, second, out].map(|access| access.exprs.iter().any(|expr| expr.uses_dim(dim as u32)))
    };
    let (rows, columns, reduced) = ([true, false, true], [false, true, true], [true, true, false]);
    [rows, columns, reduced]
        .into_iter()
        .all(|form| dims.iter().filter(|dim| uses(**dim) == form).count() == 1)
        && dims.len() == 3
}

fn build(
    ir: &mut Ir,
    op: Compute,
    mut made: View,
    kept: &[usize],
    accesses: &[Subscripts],
    (product, once): (bool, bool),
) -> Option<Collapsed> {
    let coords: Vec<AffineExpr> = (0..made.dims.len())
        .map(|dim| kept.iter().position(|at| *at == dim).map_or(0.into(), |at| AffineExpr::Dim(at as u32)))
        .collect();
    let (out, ins) = accesses.split_last()?;
    let maps = ins.iter().map(|access| access.map(&coords, kept.len()));
    let maps = maps.collect::<Option<Vec<AffineMap>>>()?;
    made.outputs[0].maps = vec![out.map(&coords, kept.len())?];
    if let Some((_, own)) = &mut made.outputs[0].init {
        if ir.ty(ir.result(op.id(), 0)).shape(ir.cx()) != Some(&out.sizes[..]) {
            return None;
        }
        if let Some(own) = own {
            let exprs: Option<Vec<AffineExpr>> =
                own.results.iter().map(|expr| expr.replace(&coords, &[])).collect();
            *own = AffineMap::new(kept.len() as u32, 0, exprs?)?;
        }
    }
    made.dims = kept.iter().map(|dim| made.dims[*dim].clone()).collect();
    let body = parts::copied_body(ir, op, |_, _| None)?;
    // One view for equal ones of a tensor, so that it stays one buffer.
    let mut views: Vec<(Value, &Subscripts, Value)> = Vec::new();
    let mut before = Vec::new();
    for (n, map) in maps.into_iter().enumerate() {
        let (value, access) = (made.inputs[n].value, &ins[n]);
        let same = views.iter().find(|(of, other, _)| *of == value && other.groups == access.groups);
        let seen = match same {
            Some((.., seen)) => *seen,
            None if access.groups.iter().all(|group| group.len() == 1) => value,
            None => {
                let ty = ir.cx().tensor(&access.sizes, ir.ty(value).scalar(ir.cx()));
                let groups = reassociation::of_groups(ir.cx(), &access.groups);
                let made = CollapseShape::build(&mut Builder::before(ir, op.id()), value, groups, ty);
                before.push(made.id());
                let seen = made.result(ir);
                ir.copy_value_name(value, seen);
                seen
            }
        };
        views.push((value, access, seen));
        if made.inputs[n].map.is_some() {
            (made.inputs[n].value, made.inputs[n].map) = (seen, Some(map));
        }
    }
    let result = ir.result(op.id(), 0);
    let whole = ir.ty(result);
    let ty: Type = ir.cx().tensor(&out.sizes, whole.scalar(ir.cx()));
    let compute = made.build(&mut Builder::before(ir, op.id()), &[ty], body);
    let value = ir.result(compute.id(), 0);
    let groups = reassociation::of_groups(ir.cx(), &out.groups);
    let sizes = ir.cx().i64_array(whole.shape(ir.cx()).unwrap_or(&[]));
    let after = (ty != whole).then(|| {
        ExpandShape::build(&mut Builder::before(ir, op.id()), value, &[], groups, sizes, whole).id()
    });
    Some(Collapsed { op: compute, product, once, before, after, groups: out.groups.clone() })
}
