//! What functions get, what the op gives, and what must hold.

use super::Pattern;
use crate::codes;
use crate::nat_text::nat_of;
use crate::shape;
use crate::size::{Obligation, Relation};
use crate::types::{array_of, components, split_type, split_vector, together};
use terrace_analysis::nat::{Nat, NatError};
use terrace_diag::Reported;
use terrace_dialect_sched::Operator;
use terrace_ir::show::type_text;
use terrace_ir::{Attr, Context, OpId, Type, TypeKind, VerifyCx};

/// Most steps of an iteration whose sizes are followed one by one
const STEPS: i64 = 64;

type Attrs<'a> = &'a dyn Fn(&str) -> Option<Attr>;

fn array(cx: &Context, types: &[Type]) -> Result<(Nat, Type), String> {
    let ty = *types.first().ok_or("TYPE: an operand is missing")?;
    split_type(cx, ty).ok_or_else(|| format!("TYPE: needs an array, not {}", type_text(cx, ty)))
}

fn nat(cx: &Context, attr: Attrs<'_>, name: &str) -> Result<Nat, String> {
    attr(name).and_then(|attr| nat_of(cx, attr)).ok_or_else(|| format!("SIZE: attribute '{name}' is no size"))
}

fn bound_name(cx: &Context, attr: Attrs<'_>) -> Result<String, String> {
    let name = attr("bound").and_then(|attr| attr.as_str(cx));
    name.map(String::from).ok_or_else(|| "TYPE: attribute 'bound' is no name".into())
}

/// Types of the function's arguments
pub fn arguments(
    cx: &Context,
    pattern: Pattern,
    types: &[Type],
    attr: Attrs<'_>,
) -> Result<Vec<Type>, String> {
    Ok(match pattern {
        Pattern::Map | Pattern::Reduce | Pattern::Scan => components(cx, array(cx, types)?.1),
        Pattern::Fold => {
            let init = *types.get(1).ok_or("TYPE: an operand is missing")?;
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
) -> Result<(Type, Vec<Obligation>), String> {
    if yields.is_empty() {
        return Err("TYPE: the function ends without `array.yield`".into());
    }
    let one = together(cx, yields);
    let mut obligations = Vec::new();
    let ty = match pattern {
        Pattern::Map => array_of(cx, &array(cx, types)?.0, one),
        Pattern::Reduce | Pattern::Scan => {
            let (size, _) = array(cx, types)?;
            if let Some(init) = types.get(1).filter(|init| **init != one && !is_splat(cx, **init, one)) {
                let (init, one) = (type_text(cx, *init), type_text(cx, one));
                return Err(format!("TYPE: the start value is {init}, contributions are {one}"));
            }
            if pattern == Pattern::Scan { array_of(cx, &size, one) } else { one }
        }
        Pattern::Fold => {
            let init = types.get(1).copied().unwrap_or(one);
            if init != one {
                let (init, one) = (type_text(cx, init), type_text(cx, one));
                return Err(format!("TYPE: the start value is {init}, the function gives {one}"));
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
                return Err(format!("TYPE: the function must give an array of {want}, not {one}"));
            };
            let end = iterated(&size, &next, &bound, &times, &mut obligations);
            let end = end.map_err(|error| format!("SIZE: {error}"))?.ok_or_else(|| {
                format!("SIZE: ${bound} becomes {next}: no size is known after {times} steps, only sums and multiples")
            })?;
            array_of(cx, &end, elem)
        }
    };
    if shape::is_deep(cx, ty) {
        return Err(format!("TYPE: arrays and tuples are nested {} deep at most", shape::MAX_NESTING));
    }
    Ok((ty, obligations))
}

/// Is it a number that fills every place of the type?
pub(crate) fn is_splat(cx: &Context, number: Type, ty: Type) -> bool {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match ty.kind(cx) {
            TypeKind::Tuple(types) => pending.extend(types.iter()),
            TypeKind::Vector { elem, .. } => pending.push(*elem),
            _ => match split_type(cx, ty).or(split_vector(cx, ty)) {
                Some((_, elem)) => pending.push(elem),
                None if ty == number => {}
                None => return false,
            },
        }
    }
    true
}

/// Numbers inside of a type
fn numbers(cx: &Context, ty: Type) -> Vec<Type> {
    let (mut pending, mut all) = (vec![ty], Vec::new());
    while let Some(ty) = pending.pop() {
        match ty.kind(cx) {
            TypeKind::Tuple(types) => pending.extend(types.iter()),
            TypeKind::Vector { elem, .. } => pending.push(*elem),
            _ => match split_type(cx, ty).or(split_vector(cx, ty)) {
                Some((_, elem)) => pending.push(elem),
                None => all.push(ty),
            },
        }
    }
    all
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

fn fail<T>(v: &VerifyCx<'_>, op: OpId, why: &str) -> Result<T, Reported> {
    let code = if why.starts_with("SIZE") { &codes::SIZE } else { &codes::TYPE };
    v.fail(op, code, why)
}

pub(super) fn verify(v: &VerifyCx<'_>, pattern: Pattern, op: OpId) -> Result<(), Reported> {
    let (ir, cx) = (v.ir, v.ir.cx());
    let types: Vec<Type> = ir.operands(op).map(|value| ir.ty(value)).collect();
    let attr = |name: &str| ir.attr(op, name);
    let Some(entry) = ir.entry(ir.region(op, 0)) else { return fail(v, op, "TYPE: has no function") };
    let have: Vec<Type> = ir.block_args(entry).iter().map(|arg| ir.ty(*arg)).collect();
    let list = |types: &[Type]| types.iter().map(|ty| v.show(*ty)).collect::<Vec<_>>().join(", ");
    let want = match arguments(cx, pattern, &types, &attr) {
        Ok(want) => want,
        Err(why) => return fail(v, op, &why),
    };
    if have != want {
        let message = format!("TYPE: the function takes ({}), it gets ({})", list(&have), list(&want));
        return fail(v, op, &message);
    }
    let end = ir.last_op(entry).filter(|end| crate::Yield::cast(ir, *end).is_some());
    let yields: Vec<Type> =
        end.map_or(Vec::new(), |end| ir.operands(end).map(|value| ir.ty(value)).collect());
    let (ty, obligations) = match result(cx, pattern, &types, &attr, &yields) {
        Ok(found) => found,
        Err(why) => return fail(v, op, &why),
    };
    shape::check(v, op, &obligations)?;
    let declared = ir.ty(ir.result(op, 0));
    if declared != ty {
        let message = format!("TYPE: gives {}, declared {}", v.show(ty), v.show(declared));
        return fail(v, op, &message);
    }
    let mut around = ir.parent(op);
    while let Some(outer) = around.filter(|_| pattern == Pattern::Iterate) {
        around = ir.parent(outer);
        if crate::Iterate::cast(ir, outer).is_some_and(|outer| Some(outer.bound(ir)) == attr("bound")) {
            let name = bound_name(cx, &attr).unwrap_or_default();
            return fail(v, op, &format!("TYPE: ${name} is bound by the iteration around already"));
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
