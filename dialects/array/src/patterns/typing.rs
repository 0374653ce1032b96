//! What functions get, what the op gives, and what must hold.

use super::{Iterate, Pattern, Yield};
use crate::codes;
use crate::misfit::Misfit;
use crate::nat_text::nat_of;
use crate::size::{Obligation, Relation, check};
use crate::types::{MAX_NESTING, array_of, components, is_deep, is_splat, numbers, split_type, together};
use terrace_analysis::nat::{Nat, NatError};
use terrace_diag::Reported;
use terrace_dialect_sched::Operator;
use terrace_ir::show::type_text;
use terrace_ir::{Attr, Context, OpId, Type, VerifyCx};

/// Most steps of an iteration whose sizes are followed one by one
const STEPS: i64 = 64;

type Attrs<'a> = &'a dyn Fn(&str) -> Option<Attr>;

fn array(cx: &Context, types: &[Type]) -> Result<(Nat, Type), Misfit> {
    let ty = *types.first().ok_or_else(|| Misfit::ty("an operand is missing"))?;
    split_type(cx, ty).ok_or_else(|| Misfit::ty(format!("needs an array, not {}", type_text(cx, ty))))
}

fn nat(cx: &Context, attr: Attrs<'_>, name: &str) -> Result<Nat, Misfit> {
    attr(name)
        .and_then(|attr| nat_of(cx, attr))
        .ok_or_else(|| Misfit::size(format!("attribute '{name}' is no size")))
}

fn bound_name(cx: &Context, attr: Attrs<'_>) -> Result<String, Misfit> {
    let name = attr("bound").and_then(|attr| attr.as_str(cx));
    name.map(String::from).ok_or_else(|| Misfit::ty("attribute 'bound' is no name"))
}

/// Types of the function's arguments
pub fn arguments(
    cx: &Context,
    pattern: Pattern,
    types: &[Type],
    attr: Attrs<'_>,
) -> Result<Vec<Type>, Misfit> {
    Ok(match pattern {
        Pattern::Map | Pattern::Reduce | Pattern::Scan => components(cx, array(cx, types)?.1),
        Pattern::Fold => {
            let init = *types.get(1).ok_or_else(|| Misfit::ty("an operand is missing"))?;
            [components(cx, init), components(cx, array(cx, types)?.1)].concat()
        }
        Pattern::Generate => vec![cx.common().index],
        Pattern::Iterate => {
            let (_, elem) = array(cx, types)?;
            vec![array_of(cx, &Nat::bound(&bound_name(cx, attr)?), elem)]
        }
    })
}

/// Type of the result, from what the function yields, and what must hold
pub fn result(
    cx: &Context,
    pattern: Pattern,
    types: &[Type],
    attr: Attrs<'_>,
    yields: &[Type],
) -> Result<(Type, Vec<Obligation>), Misfit> {
    if yields.is_empty() {
        return Err(Misfit::ty("the function ends without `array.yield`"));
    }
    let one = together(cx, yields);
    let mut obligations = Vec::new();
    let ty = match pattern {
        Pattern::Map => array_of(cx, &array(cx, types)?.0, one),
        Pattern::Reduce | Pattern::Scan => {
            let (size, _) = array(cx, types)?;
            if let Some(init) = types.get(1).filter(|init| **init != one && !is_splat(cx, **init, one)) {
                let (init, one) = (type_text(cx, *init), type_text(cx, one));
                return Err(Misfit::ty(format!("the start value is {init}, contributions are {one}")));
            }
            if pattern == Pattern::Scan { array_of(cx, &size, one) } else { one }
        }
        Pattern::Fold => {
            let init = types.get(1).copied().unwrap_or(one);
            if init != one {
                let (init, one) = (type_text(cx, init), type_text(cx, one));
                return Err(Misfit::ty(format!("the start value is {init}, the function gives {one}")));
            }
            init
        }
        Pattern::Generate => {
            let size = nat(cx, attr, "size")?;
            obligations.push(Obligation {
                relation: Relation::AtMost,
                a: Nat::from(0),
                b: size.clone(),
                what: "size",
            });
            array_of(cx, &size, one)
        }
        Pattern::Iterate => {
            let (size, elem) = array(cx, types)?;
            let (times, bound) = (nat(cx, attr, "times")?, bound_name(cx, attr)?);
            let Some((next, _)) = split_type(cx, one).filter(|(_, other)| *other == elem) else {
                let (want, one) = (type_text(cx, elem), type_text(cx, one));
                return Err(Misfit::ty(format!("the function must give an array of {want}, not {one}")));
            };
            let end = iterated(&size, &next, &bound, &times, &mut obligations);
            let end = end?.ok_or_else(|| {
                Misfit::size(format!(
                    "${bound} becomes {next}: no size is known after {times} steps, only sums and multiples"
                ))
            })?;
            array_of(cx, &end, elem)
        }
    };
    if is_deep(cx, ty) {
        return Err(Misfit::ty(format!("arrays and tuples are nested {MAX_NESTING} deep at most")));
    }
    Ok((ty, obligations))
}

/// The size after so many steps: one by one, or by the closed form of a sum or a multiple
fn iterated(
    size: &Nat,
    next: &Nat,
    bound: &str,
    times: &Nat,
    obligations: &mut Vec<Obligation>,
) -> Result<Option<Nat>, NatError> {
    let name = format!("${bound}");
    let free = |nat: &Nat| !nat.names().contains(&name);
    if let Some(count) = times.as_constant().filter(|count| (0..=STEPS).contains(count)) {
        let mut size = size.clone();
        for _ in 0..count {
            size = next.substitute(&|other| (other == name).then(|| size.clone()))?;
            obligations.push(Obligation {
                relation: Relation::AtMost,
                a: Nat::from(0),
                b: size.clone(),
                what: "size after a step",
            });
        }
        return Ok(Some(size));
    }
    let l = Nat::bound(bound);
    let step = next.minus(&l)?;
    if free(&step) {
        return size.plus(&step.times(times)?).map(Some);
    }
    let factor = next.exact_div(&l)?;
    if free(&factor) {
        return size.times(&factor.pow(times)?).map(Some);
    }
    Ok(None)
}

fn fail<T>(v: &VerifyCx<'_>, op: OpId, why: &Misfit) -> Result<T, Reported> {
    v.fail(op, why.code(), why.to_string())
}

pub(super) fn verify(v: &VerifyCx<'_>, pattern: Pattern, op: OpId) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let types: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
    let attr = |name: &str| ir.attr(op, name);
    let Some(entry) = ir.entry(ir.region(op, 0)) else { return fail(v, op, &Misfit::ty("has no function")) };
    let have: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
    let list = |types: &[Type]| types.iter().map(|ty| v.show(*ty)).collect::<Vec<_>>().join(", ");
    let want = match arguments(cx, pattern, &types, &attr) {
        Ok(want) => want,
        Err(why) => return fail(v, op, &why),
    };
    if have != want {
        let why = format!("the function takes ({}), it gets ({})", list(&have), list(&want));
        return fail(v, op, &Misfit::ty(why));
    }
    let end = ir.last_op(entry).filter(|end| Yield::cast(ir, *end).is_some());
    let yields: Vec<Type> =
        end.map_or(Vec::new(), |end| ir.operands(end).map(|value| ir.ty(value)).collect());
    let (ty, obligations) = match result(cx, pattern, &types, &attr, &yields) {
        Ok(found) => found,
        Err(why) => return fail(v, op, &why),
    };
    check(v, op, &obligations)?;
    let declared = ir.ty(ir.result(op, 0));
    if declared != ty {
        let why = format!("gives {}, declared {}", v.show(ty), v.show(declared));
        return fail(v, op, &Misfit::ty(why));
    }
    let mut around = ir.parent(op);
    while let Some(outer) = around.filter(|_| pattern == Pattern::Iterate) {
        around = ir.parent(outer);
        if Iterate::cast(ir, outer).is_some_and(|outer| Some(outer.bound(ir)) == attr("bound")) {
            let name = bound_name(cx, &attr).unwrap_or_default();
            return fail(v, op, &Misfit::ty(format!("${name} is bound by the iteration around already")));
        }
    }
    match pattern {
        Pattern::Reduce | Pattern::Scan => operators(v, op, &yields, types.len() > 1, pattern),
        _ => Ok(()),
    }
}

/// The operators of a reduction fit what its function gives
pub(crate) fn verify_operators(v: &VerifyCx<'_>, op: OpId) -> Result<(), Reported> {
    let ir = v.ir;
    let end = ir.entry(ir.region(op, 0)).and_then(|entry| ir.last_op(entry));
    let yields: Vec<Type> =
        end.map_or(Vec::new(), |end| ir.operands(end).map(|value| ir.ty(value)).collect());
    operators(v, op, &yields, ir.num_operands(op) > 1, Pattern::Reduce)
}

fn operators(
    v: &VerifyCx<'_>,
    op: OpId,
    yields: &[Type],
    has_init: bool,
    pattern: Pattern,
) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let refuse = |why: String| v.fail(op, &codes::OPERATOR, format!("OPERATOR: {why}"));
    let all = operators_of(cx, ir.attr(op, "operators"));
    let one = together(cx, yields);
    let parts = components(cx, one);
    if all.len() != 1 && all.len() != parts.len() {
        return refuse(format!("{} operators for {} components", all.len(), parts.len()));
    }
    for (n, operator) in all.iter().enumerate() {
        let on = if all.len() == 1 { one } else { parts[n] };
        match operator {
            Operator::Builtin(builtin) => {
                if let Some(ty) = numbers(cx, on).into_iter().find(|ty| !builtin.allows(cx, *ty)) {
                    return refuse(format!("{builtin} does not exist for {}", v.show(ty)));
                }
            }
            Operator::Function(name) => {
                let Some(def) = v.lookup(cx.symbol_attr(name)) else {
                    return refuse(format!("@{name} is not defined"));
                };
                let on = components(cx, on);
                let want = cx.function(&[on.clone(), on.clone()].concat(), &on);
                if def.ty.and_then(|ty| ty.as_type(cx)) != Some(want) {
                    return refuse(format!("@{name} must be a function of type {}", v.show(want)));
                }
                let algebra = terrace_dialect_sched::algebra(v, operator, want);
                if !algebra.is_some_and(|algebra| algebra.associative) {
                    return refuse(format!(
                        "@{name} does not say in `sched.operator` that it is associative"
                    ));
                }
                if pattern == Pattern::Scan && ir.attr(op, "exclusive").is_some() && !has_init {
                    return refuse(format!("an exclusive scan by @{name} needs a start value: write `init`"));
                }
            }
        }
    }
    Ok(())
}

/// The operators of a reduction
pub(crate) fn operators_of(cx: &Context, attr: Option<Attr>) -> Vec<Operator> {
    let all = attr.and_then(|attr| attr.as_array(cx)).unwrap_or(&[]);
    all.iter().filter_map(|attr| Operator::from_attr(cx, *attr)).collect()
}
