//! Are two computations, or two operators, one but for names and the order of accesses?

use std::collections::BTreeSet;
use std::fmt;
use terrace_dialect_mdh::operator::DECLARED;
use terrace_dialect_mdh::view::{Other, Output, View};
use terrace_dialect_mdh::{Compute, Misfit};
use terrace_ir::{Ir, Value, ValueDef};

/// What would not be the same
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Difference {
    /// This differs
    Part(&'static str),
    NoBody,
    EmptyBody,
    /// One of them is no computation
    Misfit(Misfit),
}

impl From<Misfit> for Difference {
    fn from(misfit: Misfit) -> Difference {
        Difference::Misfit(misfit)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Part(part) => write!(f, "{part} would differ"),
            Difference::NoBody => f.write_str("a body is missing"),
            Difference::EmptyBody => f.write_str("a body is empty"),
            Difference::Misfit(misfit) => misfit.fmt(f),
        }
    }
}

/// Computations: input n of the second one is input `order[n]` of the first
pub(super) fn computations(
    a: &Ir,
    one: Compute,
    b: &Ir,
    two: Compute,
    order: &[usize],
) -> Result<(), Difference> {
    let (x, y) = (View::read(a, one)?, View::read(b, two)?);
    let equal = |same: bool, what: &'static str| if same { Ok(()) } else { Err(Difference::Part(what)) };
    let dims = x.dims.len() == y.dims.len()
        && x.dims.iter().zip(&y.dims).all(|(a, b)| a.size == b.size && a.kind == b.kind);
    equal(dims, "sizes or operators")?;
    equal(x.inputs.len() == y.inputs.len() && order.len() == x.inputs.len(), "accesses of inputs")?;
    for (second, n) in y.inputs.iter().zip(order) {
        let first = &x.inputs[*n];
        let other = match (first.other, second.other) {
            (Some(Other::Constant(a)), Some(Other::Constant(b))) => a == b,
            (a, b) => a.is_none() && b.is_none(),
        };
        equal(other, "what stands for elements outside")?;
        equal(first.map == second.map && first.guard == second.guard, "accesses of inputs")?;
        equal(a.ty(first.value) == b.ty(second.value), "types or shapes of inputs")?;
    }
    equal(x.outputs.len() == y.outputs.len(), "outputs")?;
    let start =
        |out: &Output| out.init.as_ref().map(|(_, own)| own.clone().unwrap_or_else(|| out.maps[0].clone()));
    for (n, (first, second)) in x.outputs.iter().zip(&y.outputs).enumerate() {
        equal(first.maps == second.maps && start(first) == start(second), "accesses of outputs")?;
        let types = a.ty(a.result(one.id(), n)) == b.ty(b.result(two.id(), n));
        equal(types, "types or shapes of outputs")?;
        if let (Some((first, _)), Some((second, _))) = (&first.init, &second.init) {
            equal(a.ty(*first) == b.ty(*second), "types or shapes of start values")?;
        }
    }
    let bounds = |view: &View| {
        let all = view.conditions.iter().flat_map(|one| one.at_least_zero());
        all.map(|bound| bound.to_string()).collect::<BTreeSet<_>>()
    };
    equal(bounds(&x) == bounds(&y), "conditions")?;
    let most = |view: &View| view.extents.iter().map(|extent| extent.most).collect::<Vec<_>>();
    equal(most(&x) == most(&y), "bounds of sizes")?;
    let (first, second) = (a.entry(one.body(a)), b.entry(two.body(b)));
    let (Some(first), Some(second)) = (first, second) else { return Err(Difference::NoBody) };
    let args = a.block_args(first);
    let args: Vec<Value> = order.iter().map(|n| args[*n]).collect();
    let (Some(first), Some(last)) = (a.block_ops(first).last(), b.block_ops(second).last()) else {
        return Err(Difference::EmptyBody);
    };
    let values = (a.operands(first).collect::<Vec<_>>(), b.operands(last).collect::<Vec<_>>());
    equal(bodies(a, &args, &values.0, b, b.block_args(second), &values.1), "the scalar function")
}

/// Operators
pub(super) fn operators(a: &Ir, b: &Ir) -> Result<(), Difference> {
    let end = |ir: &Ir| {
        let entry = ir.entry(ir.region(ir.root(), 0))?;
        let last = ir.block_ops(entry).last()?;
        Some((ir.block_args(entry).to_vec(), ir.operands(last).collect::<Vec<_>>()))
    };
    let said = |ir: &Ir| ir.discardable(ir.root(), DECLARED);
    let name = |ir: &Ir| ir.attr(ir.root(), "sym_name");
    let (Some(x), Some(y)) = (end(a), end(b)) else { return Err(Difference::NoBody) };
    let same = said(a) == said(b) && name(a) == name(b) && bodies(a, &x.0, &x.1, b, &y.0, &y.1);
    if same { Ok(()) } else { Err(Difference::Part("the operator")) }
}

fn bodies(a: &Ir, args: &[Value], values: &[Value], b: &Ir, others: &[Value], again: &[Value]) -> bool {
    let types = args.len() == others.len() && args.iter().zip(others).all(|(x, y)| a.ty(*x) == b.ty(*y));
    if !types || values.len() != again.len() {
        return false;
    }
    // Pairs that are being compared or have been; there are no cycles in a body.
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut open: Vec<(Value, Value)> = values.iter().copied().zip(again.iter().copied()).collect();
    while let Some((x, y)) = open.pop() {
        if !seen.insert((x.index(), y.index())) {
            continue;
        }
        let place = args.iter().position(|arg| *arg == x);
        if place.is_some() || others.contains(&y) {
            if place != others.iter().position(|arg| *arg == y) {
                return false;
            }
            continue;
        }
        let (Some(ValueDef::Result(p, n)), Some(ValueDef::Result(q, m))) = (a.value_def(x), b.value_def(y))
        else {
            return false;
        };
        let slots = a.kind(p) == b.kind(q)
            && (0..a.def(p).attrs.len()).all(|k| a.slot_or_default(p, k) == b.slot_or_default(q, k));
        if !slots || n != m || a.ty(x) != b.ty(y) || a.num_operands(p) != b.num_operands(q) {
            return false;
        }
        open.extend(a.operands(p).zip(b.operands(q)));
    }
    true
}
