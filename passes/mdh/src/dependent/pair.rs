//! A sum that depends on another reduction of the same elements.
//!
//! ```text
//! m[i] = fold { j } x(i, j)
//! s[i] = sum { j } t(x(i, j), c(m[i]))
//! ```
//!
//! Both have the same dimensions, up to their order. What is between them, however it was spelled, is part of the term `t`.

use super::terms::{Id, Term, Terms};
use crate::inline::producer::{Written, dimension, plain};
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_mdh::view::{CombineKind, Condition, Input, Order, View};
use terrace_dialect_sched::Builtin;
use terrace_ir::{Ir, Type, Value};
use terrace_rewrite::{Miss, OrMiss};
use terrace_support::affine::{AffineExpr, AffineMap};

/// Most orders of reduced dimensions that are tried
const ORDERS: usize = 120;

/// A joint reduction that this pass has made: another sum may depend on it, too
pub struct Done {
    /// Its results
    pub parts: Vec<Value>,
    /// What stands for the result of the reduction that it took the place of
    pub stands: Value,
    /// What it folds by
    pub by: Vec<Operator>,
    /// Number of the component that is the reduction's value
    own: usize,
    /// The reduction that it took the place of
    was: Reduction,
}

/// What is known of a function
pub struct Facts {
    /// Buffers that it writes
    pub written: Written,
    /// Joint reductions
    pub done: Vec<Done>,
}

/// A reduction of one result
#[derive(Clone)]
pub struct Reduction {
    /// The op
    pub op: Compute,
    /// The same as plain data
    pub view: View,
    /// What it folds by
    pub operator: Builtin,
    /// Type of what it folds, and of its result
    pub ty: Type,
}

impl Reduction {
    /// A computation as a reduction of floats by one built-in operator
    pub fn read(ir: &Ir, op: Compute) -> Result<Reduction, Miss> {
        let view = plain(ir, op).or_miss("the computation has a schedule")?;
        let [out] = view.outputs.as_slice() else { return Err(Miss("it has several results")) };
        (out.maps.len() == 1).or_miss("it writes several elements at a point")?;
        out.init.is_none().or_miss("it starts from a value")?;
        let mut operator = None;
        for dim in &view.dims {
            match &dim.kind {
                CombineKind::Cc => {}
                CombineKind::Ps(_) => return Err(Miss("it has prefixes")),
                CombineKind::Pw(operators, _) => match operators.as_slice() {
                    [Operator::Builtin(one)] => operator = Some(*one),
                    _ => return Err(Miss("its operator is a function")),
                },
            }
        }
        let operator = operator.or_miss("it is no reduction")?;
        let ty = ir.ty(ir.result(op.id(), 0)).scalar(ir.cx());
        ty.is_float(ir.cx()).or_miss("it is not of floats")?;
        (!view.may_be_empty()).or_miss("there may be nothing to reduce")?;
        Ok(Reduction { op, view, operator, ty })
    }

    /// May its bracket be another one?
    pub fn in_any_order(&self) -> Result<(), Miss> {
        for dim in &self.view.dims {
            match dim.kind {
                CombineKind::Pw(_, Order::Fixed | Order::Free) | CombineKind::Cc => {}
                CombineKind::Pw(_, Order::Invariant) => return Err(Miss("its order is `invariant`")),
                _ => return Err(Miss("its order is stated: `source`, `fused` or `tree`")),
            }
        }
        Ok(())
    }

    /// Dimensions that are reduced, or the others
    pub fn dims(&self, reduced: bool) -> Vec<usize> {
        (0..self.view.dims.len()).filter(|dim| self.view.dims[*dim].kind.kept() != reduced).collect()
    }

    /// Points that each result is reduced from, if that is one number
    pub fn count(&self) -> Option<i64> {
        let sizes = self.dims(true).into_iter().map(|dim| self.view.dims[dim].size);
        let all = sizes.fold(1i64, i64::saturating_mul);
        self.view.bounds().is_empty().then_some(all)
    }
}

/// Two reductions, the second of which depends on the first
pub struct Pair {
    /// What is reduced first
    pub first: Reduction,
    /// Number of the joint reduction that is there for it already
    pub done: Option<usize>,
    /// The sum
    pub second: Reduction,
    /// Terms over the second's dimensions
    pub terms: Terms,
    /// What the first one folds
    pub x: Id,
    /// What the second one folds
    pub t: Id,
    /// Where the second one reads the first one's result
    pub read: AffineMap,
}

impl Pair {
    /// A sum, and the reduction by one of these operators that it depends on; all that could be meant are tried
    pub fn of(ir: &Ir, facts: &Facts, op: Compute, operator: Builtin) -> Result<Pair, Miss> {
        let mut last = Miss("it does not depend on another reduction");
        let second = Reduction::read(ir, op)?;
        (second.operator == Builtin::Add).or_miss("it is no sum")?;
        second.in_any_order()?;
        let mut terms = Terms::over(&second.view);
        let at = terms.own_point();
        let yields = terms.yields(ir, &facts.written, op, &second.view, &at);
        let t = *yields.as_deref().and_then(<[Id]>::first).or_miss("its body has no form as terms")?;
        for n in 0..terms.reads.len() {
            let read = terms.reads[n].clone();
            let source = ir.defining_op(read.value).and_then(|op| Compute::cast(ir, op));
            let Some(source) = source.filter(|_| read.other.is_none() && read.guard.is_none()) else {
                continue;
            };
            let done = facts.done.iter().position(|done| done.stands == read.value);
            let found = match done.map(|n| &facts.done[n]) {
                Some(done) => Ok((done.was.clone(), done.own)),
                None => Reduction::read(ir, source).map(|first| (first, 0)),
            };
            let found = found.and_then(|(first, own)| {
                (first.operator == operator).or_miss("what it depends on is folded by another operator")?;
                let (x, read) = shared(ir, &facts.written, (&first, own, &second), &mut terms, (t, &read))?;
                Ok((first, x, read))
            });
            match found {
                Ok((first, x, read)) => return Ok(Pair { first, done, second, terms, x, t, read }),
                Err(miss) => last = miss,
            }
        }
        Err(last)
    }

    /// The joint reduction for later sums
    pub fn done(self, parts: Vec<Value>, stands: Value, by: Vec<Operator>, own: usize, op: Compute) -> Done {
        Done { parts, stands, by, own, was: Reduction { op, ..self.first } }
    }

    /// Does a term depend on what is reduced?
    pub fn varies(&self, id: Id) -> bool {
        self.terms.varies(id, &self.second.dims(true))
    }

    /// The number of a constant
    pub fn number(&self, ir: &Ir, id: Id) -> Option<f64> {
        let Term::Op { op, .. } = self.terms.get(id) else { return None };
        let attr = terrace_ir::fold::constant_of(ir, ir.result(*op, 0))?;
        terrace_interp::RtValue::of_attr(ir.cx(), attr)?.as_f64()
    }
}

/// What both reductions fold, as a term of the second one, and where that reads the first one's result
fn shared(
    ir: &Ir,
    written: &Written,
    (first, own, second): (&Reduction, usize, &Reduction),
    terms: &mut Terms,
    (t, read): (Id, &Input),
) -> Result<(Id, AffineMap), Miss> {
    // Minima and maxima are the same in every order.
    if first.operator == Builtin::Add {
        first.in_any_order()?;
    }
    (ir.block(first.op.id()) == ir.block(second.op.id())).or_miss("both are not in one block")?;
    let read = read.map.clone().or_miss("it reads the other's result as a whole")?;
    let kept = kept_coordinates(first, second, &read)?;
    for order in orders(first, second) {
        let mut at = kept.clone();
        for (dim, other) in &order {
            at[*dim] = Some(AffineExpr::Dim(*other as u32));
        }
        let Some(at) = at.into_iter().collect::<Option<Vec<AffineExpr>>>() else { continue };
        if !same_conditions(&first.view, &second.view, &at) {
            continue;
        }
        let yields = terms.yields(ir, written, first.op, &first.view, &at);
        let x = yields.and_then(|all| all.get(own).copied());
        if let Some(x) = x.filter(|x| terms.below(t, &[]).contains(x)) {
            return Ok((x, read));
        }
    }
    Err(Miss("both do not reduce the same elements"))
}

/// Coordinates of the first one's kept dimensions, where the second one reads its result
fn kept_coordinates(
    first: &Reduction,
    second: &Reduction,
    read: &AffineMap,
) -> Result<Vec<Option<AffineExpr>>, Miss> {
    let mut at: Vec<Option<AffineExpr>> =
        first.view.dims.iter().map(|dim| (dim.size == 1).then(|| 0.into())).collect();
    let mut used = Vec::new();
    for (own, other) in first.view.outputs[0].maps[0].results.iter().zip(&read.results) {
        let Some(dim) = dimension(own).filter(|dim| first.view.dims[*dim].size > 1) else { continue };
        let other = dimension(other).filter(|other| {
            let there = &second.view.dims[*other];
            there.kind.kept() && there.size == first.view.dims[dim].size && !used.contains(other)
        });
        let other = other.or_miss("it reads the other's result at another place than its own")?;
        used.push(other);
        at[dim] = Some(AffineExpr::Dim(other as u32));
    }
    let whole =
        second.dims(false).into_iter().all(|dim| second.view.dims[dim].size == 1 || used.contains(&dim));
    whole.or_miss("it keeps a dimension that the other one does not have")?;
    Ok(at)
}

/// The ways in which the reduced dimensions of one are those of the other
fn orders(first: &Reduction, second: &Reduction) -> Vec<Vec<(usize, usize)>> {
    let long = |one: &Reduction| -> Vec<usize> {
        one.dims(true).into_iter().filter(|dim| one.view.dims[*dim].size > 1).collect()
    };
    let (own, others) = (long(first), long(second));
    if own.len() != others.len() {
        return Vec::new();
    }
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for dim in own {
        let size = first.view.dims[dim].size;
        let next = all.iter().flat_map(|before| {
            let free = others.iter().filter(|other| {
                second.view.dims[**other].size == size && before.iter().all(|(_, taken)| taken != *other)
            });
            free.map(|other| [&before[..], &[(dim, *other)]].concat()).collect::<Vec<_>>()
        });
        all = next.take(ORDERS).collect();
    }
    all
}

fn same_conditions(first: &View, second: &View, at: &[AffineExpr]) -> bool {
    let sizes = second.sizes();
    let moved = |expr: &AffineExpr| expr.replace(at, &[]).map(|expr| expr.within(&sizes));
    let same = |(own, other): (&Condition, &Condition)| {
        moved(&own.expr).as_ref() == Some(&other.expr)
            && moved(&own.high).as_ref() == Some(&other.high)
            && own.low.as_ref().map(moved) == other.low.clone().map(Some)
    };
    first.conditions.len() == second.conditions.len()
        && first.conditions.iter().zip(&second.conditions).all(same)
}
