//! Operands whose rows are another dimension's than those of what is computed from them, copied once with rows in order.
//!
//! A softmax of each row, whose operand is stored with columns as rows, has maxima that read columns, and exponentials that are written where they
//! are not read. Its computations share no loops then, and what they hand to each other goes through memory. On a copy of the operand each
//! computes one row after the other.

use crate::parts;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Order, Output, View};
use terrace_dialect_mdh::{Compute, Yield};
use terrace_ir::{Builder, Ir, OpId, Traits, Type, Value};
use terrace_support::affine::{AffineExpr, AffineMap};

/// A computation of a chain, and its dimension for each row that the chain's first computation keeps
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub op: Compute,
    pub rows: Vec<usize>,
}

/// A copy of a tensor, and a chain of computations as written and on the copy
pub struct Turned {
    pub copy: Compute,
    pub written: Vec<Member>,
    pub made: Vec<Member>,
    /// What is copied
    pub name: String,
}

/// Computations that keep the rows of a reduction, and read the tensor or each other there
struct Chain {
    tensor: Value,
    /// The tensor's axis for each row
    axes: Vec<usize>,
    /// Its axes with rows in front
    order: Vec<usize>,
    members: Vec<(Member, View)>,
}

impl Turned {
    /// Build the copy and its readers; `None`, and nothing has changed, where the computation begins no such chain, or all of the chain goes
    /// along the tensor's own rows
    pub fn before(ir: &mut Ir, op: Compute, view: &View) -> Option<Turned> {
        let chain = Chain::of(ir, op, view)?;
        let name = ir.value_name(chain.tensor).unwrap_or("input").to_owned();
        let copy = chain.copied(ir)?;
        let mut turned = Turned {
            copy,
            written: chain.members.iter().map(|(one, _)| one.clone()).collect(),
            made: Vec::new(),
            name,
        };
        for (member, view) in &chain.members {
            let op = match view.inputs.iter().any(|input| input.value == chain.tensor) {
                false => Some(member.op),
                true => chain.reader(ir, member.op, view, copy),
            };
            let Some(op) = op else {
                turned.discard(ir);
                return None;
            };
            turned.made.push(Member { op, rows: member.rows.clone() });
        }
        Some(turned)
    }

    /// Put them in place of the ones as written: the copy, then its readers
    pub fn replace(self, ir: &mut Ir) -> Vec<Compute> {
        let mut all = vec![self.copy];
        for (old, new) in self.written.into_iter().zip(self.made).filter(|(old, new)| old != new) {
            parts::replace(ir, old.op, new.op);
            all.push(new.op);
        }
        all
    }

    /// Keep the ones as written
    pub fn discard(self, ir: &mut Ir) {
        for (old, new) in self.written.iter().zip(&self.made).rev() {
            if old != new {
                ir.erase(new.op.id());
            }
        }
        ir.erase(self.copy.id());
    }
}

/// The dimension of each axis where a computation reads single elements of a tensor
fn places(input: &Input) -> Option<Vec<usize>> {
    let Input { map: Some(map), other: None, guard: None, .. } = input else { return None };
    Some(map.result_dims()?.into_iter().map(|dim| dim as usize).collect())
}

/// No conditions, no prefixes, each result written once
fn plain(view: &View) -> bool {
    let outs = view.outputs.iter().all(|out| out.maps.len() == 1 && out.init.is_none());
    outs && view.conditions.is_empty()
        && view
            .dims
            .iter()
            .all(|dim| dim.size > 0 && dim.size <= 1 << 40 && !matches!(dim.kind, CombineKind::Ps(_)))
        && view.order(Order::Invariant).is_none()
}

impl Chain {
    fn of(ir: &Ir, op: Compute, view: &View) -> Option<Chain> {
        let reduces = view.dims.iter().any(|dim| !dim.kind.kept());
        let rows: Vec<usize> = (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept()).collect();
        if !reduces || rows.is_empty() || !plain(view) {
            return None;
        }
        // The one tensor with all dimensions.
        let whole = |input: &&Input| {
            places(input).is_some_and(|places| {
                places.len() == view.dims.len() && (0..view.dims.len()).all(|dim| places.contains(&dim))
            })
        };
        let mut inputs = view.inputs.iter().filter(whole);
        let input = inputs.next().filter(|_| inputs.next().is_none())?;
        let (tensor, places) = (input.value, places(input)?);
        let axes: Vec<usize> =
            rows.iter().map(|dim| places.iter().position(|at| at == dim)).collect::<Option<_>>()?;
        let others = (0..places.len()).filter(|axis| !axes.contains(axis));
        let mut order = axes.clone();
        order.sort_unstable();
        order.extend(others);
        // Rows of the tensor go along a row of what is computed already.
        if axes.contains(&(places.len() - 1)) && ir.ty(tensor).shape(ir.cx())?.last() != Some(&1) {
            let mut chain = Chain { tensor, axes, order, members: vec![(Member { op, rows }, view.clone())] };
            chain.extend(ir);
            return chain.turns().then_some(chain);
        }
        None
    }

    /// Add what follows, as far as it goes on at the same rows
    fn extend(&mut self, ir: &Ir) {
        while let Some(next) = self.members.last().and_then(|(last, _)| following(ir, last.op.id())) {
            let Ok(view) = View::read(ir, next) else { return };
            let Some(rows) = self.rows(ir, &view).filter(|_| plain(&view)) else { return };
            self.members.push((Member { op: next, rows }, view));
        }
    }

    /// The dimensions of a computation at which it reads the rows of the chain: alike in all that it reads of it
    fn rows(&self, ir: &Ir, view: &View) -> Option<Vec<usize>> {
        let mut found: Option<Vec<usize>> = None;
        for input in &view.inputs {
            let Some(axes) = self.axes_of(ir, input.value) else { continue };
            let places = places(input)?;
            let rows: Vec<usize> =
                axes?.into_iter().map(|axis| places.get(axis).copied()).collect::<Option<_>>()?;
            if found.as_ref().is_some_and(|other| *other != rows) {
                return None;
            }
            found = Some(rows);
        }
        found.filter(|rows| rows.iter().all(|dim| view.dims[*dim].kind.kept()))
    }

    /// The axis of each row in a tensor of the chain, if it has one; none where a value is no tensor of it
    fn axes_of(&self, ir: &Ir, value: Value) -> Option<Option<Vec<usize>>> {
        if value == self.tensor {
            return Some(Some(self.axes.clone()));
        }
        let (writer, view, out) = self.members.iter().find_map(|(one, view)| {
            let out = ir.results(one.op.id()).position(|result| result == value)?;
            Some((one, view, out))
        })?;
        let places = view.outputs[out].maps[0].result_dims();
        let axis = |places: &[u32], dim: usize| places.iter().position(|at| *at as usize == dim);
        Some(places.and_then(|places| writer.rows.iter().map(|dim| axis(&places, *dim)).collect()))
    }

    /// Does an element-wise computation read the tensor, and write a result whose rows go along no row of it?
    fn turns(&self) -> bool {
        let turned = |(one, view): &(Member, View)| {
            let reads = view.inputs.iter().any(|input| input.value == self.tensor);
            let across = |out: &Output| {
                let last = out.maps[0].result_dims().and_then(|places| places.last().copied());
                last.is_some_and(|last| !one.rows.contains(&(last as usize)))
            };
            reads && view.dims.iter().all(|dim| dim.kind.kept()) && view.outputs.iter().all(across)
        };
        self.members.iter().any(turned)
    }

    /// The tensor with rows in front
    fn copied(&self, ir: &mut Ir) -> Option<Compute> {
        let (first, view) = self.members.first()?;
        let input = view.inputs.iter().find(|input| input.value == self.tensor)?;
        let dims = places(input)?;
        let shape = ir.ty(self.tensor).shape(ir.cx())?.to_vec();
        let (rank, elem) = (shape.len() as u32, ir.ty(self.tensor).scalar(ir.cx()));
        let body = ir.create_block();
        let arg = ir.add_block_arg(body, elem);
        Yield::build(&mut Builder::at_end(ir, body), &[arg]);
        let from = (0..shape.len()).map(|axis| self.order.iter().position(|other| *other == axis));
        let from: Vec<u32> = from.map(|n| n.map(|n| n as u32)).collect::<Option<_>>()?;
        let map = AffineMap::new(rank, 0, from.into_iter().map(AffineExpr::Dim).collect())?;
        let sized = |axis: &usize| Dim {
            kind: CombineKind::Cc,
            size: shape[*axis],
            ..view.dims[dims[*axis]].clone()
        };
        let made = View {
            name: Some(format!("{}_turned", ir.value_name(self.tensor).unwrap_or("input"))),
            dims: self.order.iter().map(sized).collect(),
            inputs: vec![Input { value: self.tensor, map: Some(map), other: None, guard: None }],
            outputs: vec![Output { maps: vec![AffineMap::identity(rank)], init: None }],
            conditions: Vec::new(),
            extents: Vec::new(),
        };
        let sizes: Vec<i64> = self.order.iter().map(|axis| shape[*axis]).collect();
        let ty = ir.cx().tensor(&sizes, elem);
        Some(made.build(&mut Builder::before(ir, first.op.id()), &[ty], body))
    }

    /// A computation on the copy
    fn reader(&self, ir: &mut Ir, op: Compute, view: &View, copy: Compute) -> Option<Compute> {
        let value = ir.result(copy.id(), 0);
        let mut made = view.clone();
        for input in made.inputs.iter_mut().filter(|input| input.value == self.tensor) {
            let map = input.map.as_ref()?;
            let places = self.order.iter().map(|axis| map.results.get(*axis).cloned());
            input.map = Some(AffineMap::new(map.dims, 0, places.collect::<Option<_>>()?)?);
            input.value = value;
        }
        let body = parts::copied_body(ir, op, |_, _| None)?;
        let types: Vec<Type> = ir.results(op.id()).map(|value| ir.ty(value)).collect();
        Some(made.build(&mut Builder::before(ir, op.id()), &types, body))
    }
}

/// The next computation; constants may stand between
pub(crate) fn following(ir: &Ir, op: OpId) -> Option<Compute> {
    let mut at = ir.next(op)?;
    while ir.has(at, Traits::ConstantLike) {
        at = ir.next(at)?;
    }
    Compute::cast(ir, at)
}
