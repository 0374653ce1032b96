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
pub(crate) fn is_choice(ir: &Ir, op: OpId) -> bool {
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

/// A function of two tuples on all pairs of them, in as many orders as there can be
///
/// It gives nothing but what it was given, so a table of all pairs says everything.
pub(crate) struct Trials {
    domains: Vec<Vec<RtValue>>,
    tuples: Vec<Vec<RtValue>>,
    /// Numbers of results, by those of the left and the right operand
    of: Vec<usize>,
}

impl Trials {
    /// `None` if it gives something else than it was given, or there is too much to try
    pub(crate) fn of(table: &Ir, name: &str, types: &[Type]) -> Option<Trials> {
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
        let mut interpreter = Interpreter::new(table, Options::default());
        let mut of = Vec::with_capacity(count * count);
        for a in &tuples {
            for b in &tuples {
                let found = interpreter.call(name, a.iter().chain(b).cloned().collect()).ok()?;
                of.push(place(&found)?);
            }
        }
        Some(Trials { domains, tuples, of })
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.tuples.len()
    }

    fn merged(&self, a: usize, b: usize) -> usize {
        self.of[a * self.tuples.len() + b]
    }

    fn is_associative(&self) -> bool {
        let of = |a, b| self.merged(a, b);
        self.all().all(|a| self.all().all(|b| self.all().all(|c| of(of(a, b), c) == of(a, of(b, c)))))
    }

    fn commutes(&self) -> bool {
        self.all().all(|a| self.all().all(|b| self.merged(a, b) == self.merged(b, a)))
    }

    /// Do tuples with different values of a component commute and associate, so that the result has this component of one of them? Signs of zeros do
    /// not count in floats that are not used
    pub(crate) fn commutes_by(&self, place: usize, used: &[bool]) -> bool {
        let same = |n: usize, a: &RtValue, b: &RtValue| match (a.as_f64(), b.as_f64()) {
            (Some(x), Some(y)) if !used[n] => x == y || x.is_nan() && y.is_nan(),
            _ => alike(std::slice::from_ref(a), std::slice::from_ref(b)),
        };
        let class = |n: usize| {
            let equal = |m: usize| {
                let mut pairs = self.tuples[m].iter().zip(&self.tuples[n]).enumerate();
                pairs.all(|(k, (a, b))| same(k, a, b))
            };
            self.all().find(|m| equal(*m)).unwrap_or(n)
        };
        let classes: Vec<usize> = self.all().map(class).collect();
        let at = |n: usize| &self.tuples[n][place];
        let of = |a, b| self.merged(a, b);
        self.all().all(|a| {
            self.all().filter(|b| at(a) != at(*b)).all(|b| {
                let (one, other) = (of(a, b), of(b, a));
                let kept = at(one) == at(a) || at(one) == at(b);
                let third = self.all().filter(|c| at(*c) != at(a) && at(*c) != at(b));
                let brackets = |c: usize| classes[of(one, c)] == classes[of(a, of(b, c))];
                kept && classes[one] == classes[other] && { third }.all(brackets)
            })
        })
    }

    /// The neutral element, of least and largest values of its types
    fn identity(&self, cx: &Context, types: &[Type]) -> Option<Vec<Attr>> {
        let neutral = |e: &usize| self.all().all(|x| self.merged(*e, x) == x && self.merged(x, *e) == x);
        self.all().filter(neutral).find_map(|e| ends(cx, types, &self.domains, &self.tuples[e]))
    }
}

/// What a function of two tuples of these types may declare; `None` if it is not associative, or too much to try
pub(super) fn declared(table: &Ir, name: &str, types: &[Type]) -> Option<Attr> {
    let cx = table.cx();
    let trials = Trials::of(table, name, types)?;
    if !trials.is_associative() {
        return None;
    }
    let unit = cx.common().unit;
    let mut words = vec![(cx.intern("associative"), unit), (cx.intern("exact"), unit)];
    if trials.commutes() {
        words.push((cx.intern("commutative"), unit));
    }
    if let Some(identity) = trials.identity(cx, types) {
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
