//! M-KIND, M-COMB, M-OPER: operators of dimensions.
//!
//! Operators of two dimensions must interchange: (a f b) g (c f d) = (a g c) f (b g d). With identities that holds only
//! for f = g commutative (Eckmann and Hilton), so that is what is checked, component by component.

use super::Check;
use crate::codes;
use crate::operator::{Accumulator, Builtin, Declared, Operator, declared};
use crate::view::{CombineKind, Dim, Group, Order};
use terrace_diag::Reported;
use terrace_ir::{Str, Type};

/// Most coordinates of a dimension that is folded by halves: their values are there at one time
const MOST_LEAVES: i64 = 256;

/// Most terms of an exact sum: words of 64 bits take so many digits of 32 bits
const MOST_EXACT: i64 = 1 << 30;

pub fn check(c: &Check<'_>) -> Result<(), Reported> {
    let merged: Vec<&Dim> = c.view.dims.iter().filter(|dim| dim.kind != CombineKind::Cc).collect();
    let Some(first) = merged.first() else { return Ok(()) };
    let cx = c.v.ir.cx();
    let text = |dim: &Dim| {
        let word = if dim.kind.kept() { "ps" } else { "pw" };
        let ops: Vec<String> = dim.kind.operators().iter().map(|op| op.text(cx)).collect();
        match ops.as_slice() {
            [only] => format!("{word} {only}"),
            _ => format!("{word} ({})", ops.join(", ")),
        }
    };
    let Some(groups) = c.view.groups() else {
        let message = format!(
            "M-KIND: `{}` is {}: {} operators for {} outputs; give one operator for all outputs together or one for each, \
             and an output that wants another kind of dimension a computation of its own",
            first.name,
            text(first),
            first.kind.operators().len(),
            c.view.outputs.len()
        );
        return c.fail(&codes::KIND, message);
    };
    for other in &merged[1..] {
        if other.kind.operators() != first.kind.operators() {
            let message = format!(
                "M-COMB: `{}` ({}) and `{}` ({}) do not interchange: (a f b) g (c f d) is not (a g c) f (b g d); use two \
                 computations, the inner reduction first",
                first.name,
                text(first),
                other.name,
                text(other)
            );
            return c.fail(&codes::COMB, message);
        }
    }
    stated(c, &groups)?;
    for group in &groups {
        let types: Vec<Type> = (group.first..group.first + group.len)
            .map(|n| c.v.ir.ty(c.v.ir.result(c.op.0, n)).scalar(cx))
            .collect();
        let commutative = match group.operator {
            Operator::Builtin(op) => {
                if !crate::operator::takes(op, cx, types[0]) {
                    let message = format!("M-OPER: `{}` does not take {}", op, c.v.show(types[0]));
                    return c.fail(&codes::OPER, message);
                }
                true
            }
            Operator::Accumulated(own) => {
                accumulator(c, own, types[0])?;
                true
            }
            Operator::Func(name) => function(c, name, &types)?.commutative,
        };
        if merged.len() > 1 && !commutative && !in_order(c) {
            let message = format!(
                "M-COMB: `{}` and `{}` are both combined by {}, which is not declared `commutative`, so their order would \
                 matter",
                first.name,
                merged[1].name,
                group.operator.text(cx)
            );
            return c.fail(&codes::COMB, message);
        }
    }
    Ok(())
}

/// What the orders `fused` and `tree` need
fn stated(c: &Check<'_>, groups: &[Group]) -> Result<(), Reported> {
    let ir = c.v.ir;
    let built_in = |group: &Group| match group.operator {
        Operator::Builtin(op) => Some(op),
        Operator::Func(_) | Operator::Accumulated(_) => None,
    };
    if let Some(dim) = c.view.order(Order::Fused) {
        let products = (0..c.view.yields()).all(|n| c.op.factors(ir, n).is_some());
        if !products || groups.iter().any(|group| built_in(group) != Some(Builtin::Add)) {
            let name = &c.view.dims[dim].name;
            let message = format!(
                "M-BITS: `{name}` is `fused`, but not every output sums an `arith.mulf` that the body yields; take `source`"
            );
            return c.fail(&codes::BITS, message);
        }
    }
    let reduced: Vec<&Dim> = c.view.dims.iter().filter(|dim| !dim.kind.kept()).collect();
    let trees = c.view.orders(Order::Tree);
    if let Some(dim) = trees.first() {
        let name = &c.view.dims[*dim].name;
        let combined = c.view.dims.iter().filter(|dim| dim.kind != CombineKind::Cc).count();
        if combined != trees.len() || groups.iter().any(|group| built_in(group).is_none()) {
            let message = format!(
                "M-BITS: `{name}` is a `tree`: all dimensions that are combined must be, by built-in operators; use two \
                 computations"
            );
            return c.fail(&codes::BITS, message);
        }
        let sizes = || trees.iter().map(|dim| c.view.dims[*dim].size);
        let leaves = sizes().fold(1i64, i64::saturating_mul);
        if sizes().any(|size| size < 1 || size & (size - 1) != 0) || leaves > MOST_LEAVES {
            let message = format!(
                "M-BITS: `{name}` is a `tree` of {leaves} coordinates: powers of two are accepted, up to {MOST_LEAVES} together"
            );
            return c.fail(&codes::BITS, message);
        }
    }
    for order in [Order::Invariant, Order::Exact] {
        let same = |dim: &&Dim| matches!(dim.kind, CombineKind::Pw(_, own) if own == order);
        if let (Some(dim), true) = (c.view.order(order), !reduced.iter().all(same)) {
            let message = format!(
                "M-BITS: `{}` is `{order}` and another dimension is not; all that are reduced have one bracket",
                c.view.dims[dim].name
            );
            return c.fail(&codes::BITS, message);
        }
    }
    exact(c, groups)
}

/// What the order `exact` needs
fn exact(c: &Check<'_>, groups: &[Group]) -> Result<(), Reported> {
    let (ir, cx) = (c.v.ir, c.v.ir.cx());
    let Some(dim) = c.view.order(Order::Exact) else { return Ok(()) };
    let name = &c.view.dims[dim].name;
    // A function next to a sum: one of them may be exact all the same.
    let apart = if groups.len() > 1 { " for all outputs, or a computation of its own" } else { "" };
    for group in groups {
        let ty = ir.ty(ir.result(c.op.0, group.first)).scalar(cx);
        let op = match group.operator {
            Operator::Builtin(op) => op,
            Operator::Accumulated(_) => {
                let message = format!(
                    "M-BITS: `{name}` is `exact`, which has accumulators of its own: leave `acc` and `compensated` out"
                );
                return c.fail(&codes::BITS, message);
            }
            Operator::Func(function) => {
                let types: Vec<Type> = (group.first..group.first + group.len)
                    .map(|n| ir.ty(ir.result(c.op.0, n)).scalar(cx))
                    .collect();
                if self::function(c, function, &types)?.exact {
                    continue;
                }
                let message = format!(
                    "M-BITS: `{name}` is `exact`, but @{} is not declared so: `exact` in its `sched.operator` states that it does \
                     not round, as one that only compares and chooses; other functions take `fixed`, `invariant` or `source`{apart}",
                    cx.str(function)
                );
                return c.fail(&codes::BITS, message);
            }
        };
        let common = cx.common();
        let sums = || op == Builtin::Add && [common.f16, common.bf16, common.f32, common.f64].contains(&ty);
        if !op.algebra(cx, ty).exact && !sums() {
            let message = format!(
                "M-BITS: `{name}` is `exact`, but `{op}` of {} is not: sums of f16, bf16, f32 and f64 are, and operators \
                 that do not round; use `invariant`{apart}",
                c.v.show(ty)
            );
            return c.fail(&codes::BITS, message);
        }
    }
    let reduced = c.view.dims.iter().filter(|dim| !dim.kind.kept());
    let terms = reduced.fold(1i64, |all, dim| all.saturating_mul(dim.size));
    if terms > MOST_EXACT {
        let message =
            format!("M-BITS: `{name}` is `exact`, and {terms} terms are too many: {MOST_EXACT} at most");
        return c.fail(&codes::BITS, message);
    }
    Ok(())
}

/// What accumulators of another type, and compensated ones, need
fn accumulator(c: &Check<'_>, own: Accumulator, result: Type) -> Result<(), Reported> {
    let (cx, op) = (c.v.ir.cx(), own.builtin);
    let ty = own.ty.unwrap_or(result);
    let fail = |what: String| c.fail(&codes::OPER, format!("M-OPER: `{op}` {what}"));
    if ty.is_float(cx) != result.is_float(cx) || !ty.is_float(cx) && !ty.is_signless_int(cx) {
        return fail(format!(
            "is accumulated in {}, and the result is {}: both are floats or both are integers; convert the terms in the body",
            c.v.show(ty),
            c.v.show(result)
        ));
    }
    for each in [ty, result] {
        if !crate::operator::takes(op, cx, each) {
            return fail(format!("does not take {}", c.v.show(each)));
        }
    }
    if !own.compensated {
        return Ok(());
    }
    if op != Builtin::Add || !ty.is_float(cx) {
        return fail(format!("of {} is not `compensated`: sums of floats are", c.v.show(ty)));
    }
    if c.view.outputs.len() > 1 || c.view.order(Order::Fused).is_some() || c.view.order(Order::Tree).is_some()
    {
        return fail(
            "is `compensated` for one output only, in the orders `fixed`, `free`, `source` and `invariant`"
                .into(),
        );
    }
    Ok(())
}

/// Are all folds one left fold over the points as they come? Then an operator has no condition to meet
fn in_order(c: &Check<'_>) -> bool {
    c.view.dims.iter().all(|dim| match &dim.kind {
        CombineKind::Cc => true,
        CombineKind::Pw(_, order) => order.is_left_fold(),
        CombineKind::Ps(_) => false,
    })
}

/// Rules of a user's operator
fn function(c: &Check<'_>, name: Str, types: &[Type]) -> Result<Declared, Reported> {
    let cx = c.v.ir.cx();
    let text = cx.str(name);
    let fail = |what: String| c.fail(&codes::OPER, format!("M-OPER: @{text} {what}"));
    let Some(def) = c.v.lookup(cx.symbol_attr(text)) else {
        return fail("is not defined".into());
    };
    let ty = def.ty.and_then(|ty| ty.as_type(cx)).and_then(|ty| ty.as_function(cx));
    let twice: Vec<Type> = types.iter().chain(types).copied().collect();
    if ty.is_none_or(|(inputs, results)| inputs != twice || results != types) {
        let wanted = c.v.show(cx.function(&twice, types));
        return fail(format!(
            "must be a function of type {wanted}: two tuples of the outputs' elements to one"
        ));
    }
    if def.is_declaration {
        return fail("has no body here".into());
    }
    let Some(declared) = declared(cx, def.dict) else {
        return fail("is no operator: it lacks `sched.operator = {associative, …}`".into());
    };
    if !declared.associative && !in_order(c) {
        return fail(
            "is not declared `associative`; folds could not be split: declare it, or take `source` as their order".into(),
        );
    }
    match &declared.identity {
        Some(all)
            if all.len() != types.len() || all.iter().zip(types).any(|(a, ty)| a.ty(cx) != Some(*ty)) =>
        {
            return fail("declares an identity that is not one constant for each component".into());
        }
        None => {
            let empty = c.view.dims.iter().any(|dim| !dim.kind.kept() && dim.size == 0);
            if !c.view.conditions.is_empty() || empty {
                let why = if empty { "an empty dimension" } else { "`where`" };
                return fail(format!("has no identity; {why} can leave an output without contribution"));
            }
        }
        _ => {}
    }
    Ok(declared)
}
