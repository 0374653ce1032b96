//! Functions over arrays, one element after the other.
//!
//! State of an op between its region's runs: the number of elements that were begun; whether an operator's function is
//! running; what is combined so far, in a list that is empty before there is anything; how many elements there are; then the
//! results so far.

use super::{Pattern, operators_of};
use crate::interp::{DEPTH, ELEMENTS, binding, bounds, filled, list, make, unbound};
use crate::nat_text::nat_of;
use crate::size::value_of;
use crate::types::{components, split_type, together};
use terrace_dialect_sched::{Builtin, Operator};
use terrace_interp::{Machine, RtValue, Step, Trap, codes as traps};
use terrace_ir::{OpId, Type, TypeKind};

const BEGUN: usize = 0;
const CALLING: usize = 1;
const SO_FAR: usize = 2;
const COUNT: usize = 3;
const RESULTS: usize = 4;

fn invalid(why: &str) -> Trap {
    Trap::new(&traps::INVALID, why)
}

/// What an op's types and properties say, once
struct Known {
    operators: Vec<Operator>,
    /// Type of one contribution
    contribution: Option<Type>,
    /// Components of an element, of the start value and of a contribution, where these are tuples
    element: Option<usize>,
    start: Option<usize>,
    parts: Option<usize>,
}

impl Known {
    fn of(m: &Machine<'_>) -> std::rc::Rc<Known> {
        m.decoded(|ir, op| {
            let cx = ir.cx();
            let end = ir.entry(ir.region(op, 0)).and_then(|entry| ir.last_op(entry));
            let contribution = end.map(|end| {
                let types: Vec<Type> = ir.operands(end).map(|value| ir.ty(value)).collect();
                together(cx, &types)
            });
            let tuple = |ty: Type| match ty.kind(cx) {
                TypeKind::Tuple(types) => Some(types.len()),
                _ => None,
            };
            let operand = |n: usize| (n < ir.num_operands(op)).then(|| ir.ty(ir.operand(op, n)));
            let element = operand(0).and_then(|ty| split_type(cx, ty)).and_then(|(_, elem)| tuple(elem));
            Known {
                operators: operators_of(cx, ir.attr(op, "operators")),
                contribution,
                element,
                start: operand(1).and_then(tuple),
                parts: contribution.and_then(tuple),
            }
        })
    }
}

/// Components of a value, if its type is a tuple of so many
fn apart(count: Option<usize>, value: &RtValue) -> Result<Vec<RtValue>, Trap> {
    match (count, value) {
        (None, value) => Ok(vec![value.clone()]),
        (Some(count), RtValue::Poison) => Ok(vec![RtValue::Poison; count]),
        (Some(_), tuple) => Ok(list(tuple)?.to_vec()),
    }
}

fn pack(mut values: Vec<RtValue>) -> RtValue {
    if values.len() == 1 { values.swap_remove(0) } else { make(values) }
}

/// Type of one contribution
fn contribution(m: &Machine<'_>) -> Result<Type, Trap> {
    Known::of(m).contribution.ok_or_else(|| invalid("the function does not end"))
}

/// Numbers combined, place by place
fn combined(builtin: Builtin, a: &RtValue, b: &RtValue, depth: usize) -> Result<RtValue, Trap> {
    match (a, b) {
        (RtValue::Vector(a), RtValue::Vector(b)) if a.len() == b.len() && depth < DEPTH => {
            let all: Result<Vec<RtValue>, Trap> =
                a.iter().zip(b.iter()).map(|(a, b)| combined(builtin, a, b, depth + 1)).collect();
            Ok(make(all?))
        }
        (RtValue::Vector(_), RtValue::Vector(_)) => Err(bounds("contributions of different sizes")),
        _ => builtin.apply(a, b),
    }
}

/// The identity of the operators, or the start value
fn first(m: &Machine<'_>, op: OpId) -> Result<Option<RtValue>, Trap> {
    let ir = m.ir();
    let ty = contribution(m)?;
    if ir.num_operands(op) > 1 {
        let init = ir.operand(op, 1);
        let value = m.value(init);
        return if ir.ty(init) == ty {
            Ok(Some(value))
        } else {
            filled(m, ty, &|_| Some(value.clone()), 0).map(Some)
        };
    }
    Ok(None)
}

fn identity(m: &Machine<'_>) -> Result<RtValue, Trap> {
    let cx = m.cx();
    let ty = contribution(m)?;
    let of = |operator: &Operator, ty: Type| -> Result<RtValue, Trap> {
        match operator {
            Operator::Builtin(builtin) => {
                let at = |ty: Type| RtValue::of_attr(cx, builtin.identity(cx, ty)?);
                filled(m, ty, &at, 0)
            }
            Operator::Function(name) => {
                let unit = m.function(name);
                let declared = unit.and_then(|unit| {
                    terrace_dialect_sched::operator::identity_of_components(unit, unit.root())
                });
                let values: Option<Vec<RtValue>> =
                    declared.and_then(|all| all.into_iter().map(|attr| RtValue::of_attr(cx, attr)).collect());
                let parts = components(cx, ty);
                let values = values.filter(|values| values.len() == parts.len()).ok_or_else(|| {
                    bounds(format!("a reduction of no elements by @{name}, which declares no identity"))
                })?;
                let whole = |(ty, value): (Type, RtValue)| filled(m, ty, &|_| Some(value.clone()), 0);
                let mut all: Vec<RtValue> =
                    parts.into_iter().zip(values).map(whole).collect::<Result<_, _>>()?;
                Ok(if all.len() == 1 { all.swap_remove(0) } else { make(all) })
            }
        }
    };
    match Known::of(m).operators.as_slice() {
        [one] => of(one, ty),
        several => {
            let parts = components(cx, ty);
            let all: Result<Vec<RtValue>, Trap> =
                several.iter().zip(parts).map(|(operator, ty)| of(operator, ty)).collect();
            Ok(make(all?))
        }
    }
}

pub(crate) fn start(m: &mut Machine<'_>, pattern: Pattern) -> Result<Step, Trap> {
    let (ir, op) = (m.ir(), m.op());
    let so_far = match pattern {
        Pattern::Reduce | Pattern::Scan => match first(m, op)? {
            None if pattern == Pattern::Scan && ir.attr(op, "exclusive").is_some() => Some(identity(m)?),
            found => found,
        },
        Pattern::Fold => Some(m.operand(1)),
        Pattern::Iterate => Some(m.operand(0)),
        Pattern::Map | Pattern::Generate => None,
    };
    let count = RtValue::index(count(m, pattern)?);
    *m.state() = vec![RtValue::index(0), RtValue::bool(false), make(so_far.into_iter().collect()), count];
    next(m, pattern)
}

/// How often the function runs
fn count(m: &Machine<'_>, pattern: Pattern) -> Result<i64, Trap> {
    let (ir, op, cx) = (m.ir(), m.op(), m.cx());
    let name = match pattern {
        Pattern::Generate => "size",
        Pattern::Iterate => "times",
        _ => return Ok(list(&m.operand(0))?.len() as i64),
    };
    let nat = ir.attr(op, name).and_then(|attr| nat_of(cx, attr));
    let nat = nat.ok_or_else(|| invalid("an attribute is no size"))?;
    match value_of(&nat, &binding(m)?).map_err(unbound)? {
        count if (0..=ELEMENTS).contains(&count) => Ok(count),
        count => Err(bounds(format!("{nat} = {count}"))),
    }
}

fn so_far(m: &mut Machine<'_>) -> Option<RtValue> {
    match m.state().get(SO_FAR) {
        Some(RtValue::Vector(all)) => all.first().cloned(),
        _ => None,
    }
}

/// Run the function on the next element, or end
fn next(m: &mut Machine<'_>, pattern: Pattern) -> Result<Step, Trap> {
    let (ir, op) = (m.ir(), m.op());
    let begun = m.state().get(BEGUN).and_then(RtValue::as_i64).unwrap_or(0);
    if begun >= m.state().get(COUNT).and_then(RtValue::as_i64).unwrap_or(0) {
        let result = match pattern {
            Pattern::Map | Pattern::Scan | Pattern::Generate => {
                let all = m.state().split_off(RESULTS);
                make(all)
            }
            Pattern::Reduce => match so_far(m) {
                Some(value) => value,
                None => identity(m)?,
            },
            Pattern::Fold | Pattern::Iterate => so_far(m).unwrap_or(RtValue::Poison),
        };
        m.state().clear();
        m.set_result(0, result);
        return Ok(Step::Next);
    }
    let mut args = Vec::new();
    match pattern {
        Pattern::Generate => args.push(RtValue::index(begun)),
        Pattern::Iterate => args.extend(so_far(m)),
        _ => {
            let known = Known::of(m);
            if pattern == Pattern::Fold {
                let so_far = so_far(m).unwrap_or(RtValue::Poison);
                args.extend(apart(known.start, &so_far)?);
            }
            let all = list(&m.operand(0))?;
            let element = all.get(begun as usize).ok_or_else(|| invalid("an array became shorter"))?;
            args.extend(apart(known.element, element)?);
        }
    }
    m.state()[BEGUN] = RtValue::index(begun + 1);
    Ok(Step::Enter { region: ir.region(op, 0), args })
}

/// What is combined so far with a contribution; or the step that calls a function for it
fn merge(m: &mut Machine<'_>, a: RtValue, b: RtValue) -> Result<Result<RtValue, Step>, Trap> {
    let known = Known::of(m);
    match known.operators.as_slice() {
        [Operator::Builtin(builtin)] => combined(*builtin, &a, &b, 0).map(Ok),
        [Operator::Function(name)] => {
            let args = [apart(known.parts, &a)?, apart(known.parts, &b)?].concat();
            m.state()[CALLING] = RtValue::bool(true);
            Ok(Err(Step::Invoke { symbol: name.clone(), args }))
        }
        several => {
            let (a, b) = (apart(known.parts, &a)?, apart(known.parts, &b)?);
            let mut all = Vec::new();
            for (n, operator) in several.iter().enumerate() {
                let Operator::Builtin(builtin) = operator else {
                    return Err(Trap::new(&traps::UNSUPPORTED, "a function among several operators"));
                };
                let (Some(a), Some(b)) = (a.get(n), b.get(n)) else {
                    return Err(invalid("too many operators"));
                };
                all.push(combined(*builtin, a, b, 0)?);
            }
            Ok(Ok(make(all)))
        }
    }
}

pub(crate) fn resume(m: &mut Machine<'_>, pattern: Pattern, values: Vec<RtValue>) -> Result<Step, Trap> {
    let (ir, op) = (m.ir(), m.op());
    let value = pack(values);
    match pattern {
        Pattern::Map | Pattern::Generate => m.state().push(value),
        Pattern::Fold | Pattern::Iterate => m.state()[SO_FAR] = make(vec![value]),
        Pattern::Reduce | Pattern::Scan => {
            let exclusive = ir.attr(op, "exclusive").is_some();
            let merged = if m.state()[CALLING] == RtValue::bool(true) {
                m.state()[CALLING] = RtValue::bool(false);
                value
            } else {
                match so_far(m) {
                    None => value,
                    Some(before) => {
                        if pattern == Pattern::Scan && exclusive {
                            m.state().push(before.clone());
                        }
                        match merge(m, before, value)? {
                            Ok(merged) => merged,
                            Err(step) => return Ok(step),
                        }
                    }
                }
            };
            if pattern == Pattern::Scan && !exclusive {
                m.state().push(merged.clone());
            }
            m.state()[SO_FAR] = make(vec![merged]);
        }
    }
    next(m, pattern)
}
