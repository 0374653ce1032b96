//! Functions that only compare and choose: is one associative?
//!
//! What such a function gives depends on nothing but the order of its operands: which of them are equal, which is larger, and which
//! are no numbers. Three tuples can only be in so many orders, so trying small numbers in all of them decides for all numbers.
//! Zeros of both signs are equal and yet two values, so both are tried.

use terrace_dialect_arith as arith;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::show::round_to_bits;
use terrace_ir::{Attr, Context, Ir, OpDef, OpId, Type, TypeKind, Value};

/// Most tuples that are tried, each with each
const TUPLES: usize = 200;

/// Ops that compare or choose among numbers
const CHOOSE: [&OpDef; 8] = [
    arith::CmpF::DEF,
    arith::Select::DEF,
    arith::MaximumF::DEF,
    arith::MinimumF::DEF,
    arith::MaxNumF::DEF,
    arith::MinNumF::DEF,
    arith::MaxSI::DEF,
    arith::MinSI::DEF,
];

/// Does it only compare or choose?
pub(super) fn is_choice(ir: &Ir, op: OpId) -> bool {
    let flags = || ir.operands(op).all(|value| ir.ty(value) == ir.cx().common().i1);
    if CHOOSE.iter().any(|def| ir.is(op, def)) {
        return ir.operands(op).all(|value| is_single(ir, value));
    }
    if let Some(compare) = arith::CmpI::cast(ir, op) {
        // Numbers without sign have another order.
        return flags() || !compare.predicate(ir).is_unsigned();
    }
    [arith::AndI::DEF, arith::OrI::DEF, arith::XOrI::DEF].iter().any(|def| ir.is(op, def)) && flags()
}

fn is_single(ir: &Ir, value: Value) -> bool {
    matches!(ir.ty(value).kind(ir.cx()), TypeKind::Float(_) | TypeKind::Int { .. } | TypeKind::Index)
}

/// What a function of two tuples of these types may declare; `None` if it is not associative, or too much to try
pub(super) fn declared(table: &Ir, name: &str, types: &[Type]) -> Option<Attr> {
    let cx = table.cx();
    let domains: Option<Vec<Vec<RtValue>>> = types
        .iter()
        .map(|ty| {
            // Values of one type may be compared with each other, whichever component they are of.
            let alike = types.iter().filter(|other| *other == ty).count();
            domain(cx, *ty, 3 * alike)
        })
        .collect();
    let domains = domains?;
    let count = domains.iter().try_fold(1usize, |all, domain| all.checked_mul(domain.len()))?;
    if count > TUPLES {
        return None;
    }
    let tuple = |mut n: usize| -> Vec<RtValue> {
        let number = |domain: &Vec<RtValue>| {
            let value = domain[n % domain.len()].clone();
            n /= domain.len();
            value
        };
        domains.iter().map(number).collect()
    };
    let tuples: Vec<Vec<RtValue>> = (0..count).map(tuple).collect();
    let place = |found: &[RtValue]| tuples.iter().position(|tuple| alike(tuple, found));
    // It gives nothing but what it was given, so a table of all pairs says everything.
    let mut interpreter = Interpreter::new(table, Options::default());
    let mut of = Vec::with_capacity(count * count);
    for a in &tuples {
        for b in &tuples {
            let found = interpreter.call(name, a.iter().chain(b).cloned().collect()).ok()?;
            of.push(place(&found)?);
        }
    }
    let all = 0..count;
    let associative = |a: usize| {
        all.clone().all(|b| {
            all.clone().all(|c| of[of[a * count + b] * count + c] == of[a * count + of[b * count + c]])
        })
    };
    if !all.clone().all(associative) {
        return None;
    }
    let commutative = all.clone().all(|a| all.clone().all(|b| of[a * count + b] == of[b * count + a]));
    let unit = cx.common().unit;
    let mut words = vec![(cx.intern("associative"), unit), (cx.intern("exact"), unit)];
    if commutative {
        words.push((cx.intern("commutative"), unit));
    }
    let neutral = |e: usize| all.clone().all(|x| of[e * count + x] == x && of[x * count + e] == x);
    let mut found = all.clone().filter(|e| neutral(*e)).filter_map(|e| ends(cx, types, &domains, &tuples[e]));
    if let Some(identity) = found.next() {
        words.push((cx.intern("identity"), cx.array_attr(&identity)));
    }
    Some(cx.dict_attr(words))
}

/// A tuple of least and largest values that were tried, as those of the types: no order of operands has others beyond them
fn ends(cx: &Context, types: &[Type], domains: &[Vec<RtValue>], tuple: &[RtValue]) -> Option<Vec<Attr>> {
    let components = types.iter().zip(domains).zip(tuple);
    components
        .map(|((ty, domain), value)| match (ty.kind(cx), value) {
            (TypeKind::Float(kind), _) => {
                let number = value.as_f64().filter(|number| number.is_finite())?;
                let numbers = || domain.iter().filter_map(RtValue::as_f64).filter(|other| !other.is_nan());
                let (least, most) =
                    (numbers().all(|other| number <= other), numbers().all(|other| number >= other));
                let end = if least { f64::NEG_INFINITY } else { most.then_some(f64::INFINITY)? };
                Some(cx.float_attr(round_to_bits(end, *kind)?, *ty))
            }
            (TypeKind::Int { width: 1, .. }, _) => Some(cx.int_attr(value.as_i64()?.into(), *ty)),
            _ => {
                let (number, width) = (value.as_i64()?, ty.bit_width(cx).unwrap_or(64));
                let numbers = || domain.iter().filter_map(RtValue::as_i64);
                let (least, most) =
                    (numbers().all(|other| number <= other), numbers().all(|other| number >= other));
                let end = if least {
                    i128::MIN >> (128 - width)
                } else {
                    most.then_some(i128::MAX >> (128 - width))?
                };
                Some(cx.int_attr(end, *ty))
            }
        })
        .collect()
}

/// Values in as many different places as there can be
fn domain(cx: &Context, ty: Type, places: usize) -> Option<Vec<RtValue>> {
    let half = (places / 2) as i128;
    let whole = -half..=half;
    match ty.kind(cx) {
        TypeKind::Float(kind) => {
            // Where some are zeros of both signs, all the others may be on one side of them.
            let side = places.saturating_sub(2).max(1) as i128;
            let whole = -side..=side;
            let number = |value: f64| Some(RtValue::float(round_to_bits(value, *kind)?, *kind));
            let special = [f64::NAN, -0.0].into_iter().map(number);
            special.chain(whole.map(|value| number(value as f64))).collect()
        }
        TypeKind::Int { width: 1, .. } => Some(vec![RtValue::int(0, 1), RtValue::int(1, 1)]),
        TypeKind::Int { .. } | TypeKind::Index => {
            let width = ty.bit_width(cx).unwrap_or(64);
            // Narrow integers are few.
            let fits =
                |value: &i128| width > 8 || (-(1i128 << (width - 1))..1i128 << (width - 1)).contains(value);
            Some(whole.filter(fits).map(|value| RtValue::int(value, width)).collect())
        }
        _ => None,
    }
}

/// The same; what is no number is like another such
fn alike(a: &[RtValue], b: &[RtValue]) -> bool {
    let nan = |value: &RtValue| value.as_f64().is_some_and(f64::is_nan);
    a.iter().zip(b).all(|(a, b)| a == b || nan(a) && nan(b))
}
