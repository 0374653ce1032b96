//! Reductions over the same points, as one: what both read is read once, and one nest or kernel does the work of two.
//!
//! Two computations have the same points if a bijection of dimensions maps extents and kinds onto each other. Each output keeps its own
//! operator, and the order of a fold is any.

use super::REACH;
use super::compose::{self, Composed, Made};
use super::producer::{Written, dimension, is_simple, plain};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::view::{CombineKind, Dim, Input, Order, View};
use terrace_ir::{Ir, OpId, Value};
use terrace_support::affine::AffineExpr;

/// A reduction that may become one with another
pub(crate) struct Reduction {
    /// The op
    pub op: Compute,
    /// The same as plain data
    pub view: View,
}

/// Two of them: which dimension of the first stands for each of the second
pub(crate) struct Pair {
    pub first: Reduction,
    pub second: Reduction,
    pub dims: Vec<usize>,
    /// Results of the first are used before the second, which is computed at the first's place
    pub early: bool,
}

impl Reduction {
    /// A computation that reduces in any order, each output by an operator of its own, without start values
    pub fn read(ir: &Ir, op: Compute, written: &Written) -> Option<Reduction> {
        let view = plain(ir, op)?;
        let any_order = |dim: &Dim| match &dim.kind {
            CombineKind::Cc => true,
            CombineKind::Pw(_, order) => matches!(order, Order::Fixed | Order::Free),
            CombineKind::Ps(_) => false,
        };
        let alone =
            view.groups().is_some_and(|all| !all.is_empty() && all.iter().all(|group| group.len == 1));
        let whole = view.outputs.iter().all(|out| out.init.is_none() && out.maps.len() == 1);
        let fits = alone
            && whole
            && view.conditions.is_empty()
            && !view.has_accumulators()
            && view.dims.iter().all(|dim| dim.size > 0 && any_order(dim))
            && view.inputs.iter().all(|input| !written.may_change(ir, input.value))
            && ir.entry(op.body(ir)).is_some_and(|body| is_simple(ir, body));
        fits.then_some(Reduction { op, view })
    }

    /// The first computation behind it with the same points of which a test holds. Where results are used before that, it must not need
    /// what is computed between
    pub fn partner(self, ir: &Ir, written: &Written, test: impl Fn(&Pair) -> bool) -> Option<Pair> {
        let (mut first, mut early) = (self, false);
        for op in std::iter::successors(ir.next(first.op.id()), |op| ir.next(*op)).take(REACH) {
            early |= uses(ir, first.op, op);
            let Some(second) = Compute::cast(ir, op).and_then(|op| Reduction::read(ir, op, written)) else {
                continue;
            };
            if early && !second.there(ir, first.op) {
                continue;
            }
            let mut pair = Pair { first, second, dims: Vec::new(), early };
            for dims in pair.bijections() {
                pair.dims = dims;
                if test(&pair) {
                    return Some(pair);
                }
            }
            first = pair.first;
        }
        None
    }

    /// Is all that it reads there before another computation?
    fn there(&self, ir: &Ir, op: Compute) -> bool {
        ir.operands(self.op.id()).all(|value| match ir.defining_op(value) {
            Some(made) => ir.block(made) != ir.block(op.id()) || ir.is_before(made, op.id()),
            None => true,
        })
    }
}

/// Does an op, or one in it, use a result of a computation?
fn uses(ir: &Ir, maker: Compute, op: OpId) -> bool {
    let mut users = ir.results(maker.id()).flat_map(|value| ir.uses(value).map(|(user, _)| user));
    users.any(|user| std::iter::successors(Some(user), |op| ir.parent(*op)).any(|around| around == op))
}

impl Pair {
    /// Ways in which dimensions of the second are those of the first: as both read an operand, in their order, and by their kinds
    fn bijections(&self) -> Vec<Vec<usize>> {
        let (one, other) = (&self.first.view, &self.second.view);
        let mut found: Vec<Vec<usize>> = Vec::new();
        for own in &one.inputs {
            found.extend(other.inputs.iter().filter_map(|input| axes(own, input, other.dims.len())));
        }
        found.push((0..other.dims.len()).collect());
        let of_kind = |view: &View, kept: bool| -> Vec<usize> {
            (0..view.dims.len()).filter(|dim| view.dims[*dim].kind.kept() == kept).collect()
        };
        let mut by_kind = vec![usize::MAX; other.dims.len()];
        for kept in [true, false] {
            for (own, dim) in of_kind(one, kept).into_iter().zip(of_kind(other, kept)) {
                by_kind[dim] = own;
            }
        }
        found.push(by_kind);
        found.retain(|dims| self.maps(dims));
        found
    }

    /// Are extents and kinds the same, and is each dimension one of the other?
    fn maps(&self, dims: &[usize]) -> bool {
        let (one, other) = (&self.first.view, &self.second.view);
        let alike = |(own, dim): (&usize, &Dim)| {
            one.dims.get(*own).is_some_and(|own| {
                own.size == dim.size
                    && match (&own.kind, &dim.kind) {
                        (CombineKind::Cc, CombineKind::Cc) => true,
                        (CombineKind::Pw(_, order), CombineKind::Pw(_, other)) => order == other,
                        _ => false,
                    }
            })
        };
        one.dims.len() == other.dims.len()
            && (0..dims.len()).all(|n| !dims[..n].contains(&dims[n]))
            && dims.iter().zip(&other.dims).all(alike)
    }

    /// Do both read an operand that has an element for each point, at the same places?
    pub fn shares(&self, ir: &Ir) -> bool {
        let (one, other) = (&self.first.view, &self.second.view);
        let rank = |input: &Input| ir.ty(input.value).shape(ir.cx()).map_or(0, <[i64]>::len);
        let coords: Vec<AffineExpr> = self.dims.iter().map(|dim| AffineExpr::Dim(*dim as u32)).collect();
        let at = |input: &Input| -> Option<Vec<AffineExpr>> {
            input.map.as_ref()?.results.iter().map(|expr| expr.replace(&coords, &[])).collect()
        };
        let same = |own: &Input, input: &Input| {
            own.value == input.value
                && own.guard.is_none()
                && input.guard.is_none()
                && own.other == input.other
                && own.map.as_ref().map(|map| &map.results) == at(input).as_ref()
        };
        let whole = |own: &&Input| own.map.is_some() && rank(own) >= one.dims.len();
        one.inputs.iter().filter(whole).any(|own| other.inputs.iter().any(|input| same(own, input)))
    }

    /// One computation at the place of one of them; both stay as they are
    pub fn build(&self, ir: &mut Ir) -> Option<Composed> {
        let (one, other) = (&self.first, &self.second);
        let made = compose::together(ir, (one.op, &one.view), (other.op, &other.view), &self.dims)?;
        if self.early {
            ir.detach(made.op.id());
            ir.insert_before(one.op.id(), made.op.id());
        }
        Some(made)
    }

    /// One in place of both
    pub fn replace(&self, ir: &mut Ir, made: Composed) {
        let (first, second) = (self.first.op.id(), self.second.op.id());
        let old: Vec<Value> = ir.results(first).chain(ir.results(second)).collect();
        for (old, output) in old.into_iter().zip(made.outputs) {
            if let Made::Output(n) = output {
                let new = ir.result(made.op.id(), n);
                ir.replace_all_uses(old, new);
            }
        }
        ir.erase(second);
        ir.erase(first);
    }
}

/// The dimensions that index the axes of an operand in one computation, for those that do in another
fn axes(own: &Input, input: &Input, rank: usize) -> Option<Vec<usize>> {
    let (one, other) = (own.map.as_ref()?, input.map.as_ref()?);
    let mut dims = vec![usize::MAX; rank];
    for (own, dim) in one.results.iter().zip(&other.results) {
        if let (Some(own), Some(dim)) = (dimension(own), dimension(dim)) {
            dims[dim] = own;
        }
    }
    (own.value == input.value).then_some(dims)
}
