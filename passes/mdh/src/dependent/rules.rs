//! The rules: what each one asks for, and what it puts there.

use super::emit::{Epilogue, is_known_by_result};
use super::operators::{Base, Joint, Operators, constant};
use super::pair::{Facts, Pair};
use super::slope::{Square, power, square};
use super::{joint, narrow};
use terrace_dialect_arith as arith;
use terrace_dialect_mdh::Compute;
use terrace_dialect_mdh::operator::Operator;
use terrace_dialect_sched::Builtin;
use terrace_ir::{Builder, FloatKind, Ir, Str, Type, TypeKind, Value};
use terrace_rewrite::{Miss, OrMiss};
use terrace_support::HashSet;

/// A rule for dependent reductions
pub struct DependentRule {
    /// Its name: in traces, in permissions, for `--disable-rule` and `--explain-miss`
    pub name: &'static str,
    /// What it does
    pub docs: &'static str,
    /// What becomes what
    pub law: &'static str,
    /// What it asks for
    pub when: &'static [&'static str],
    /// How much results differ
    pub bound: &'static str,
    /// Does it apply to this sum?
    pub(super) find: fn(&Ir, &Facts, Compute) -> Result<Found, Miss>,
}

/// What a rule has found
pub struct Found {
    pair: Pair,
    form: Form,
}

enum Form {
    Softmax { base: Base, slope: f64 },
    Welford(Square),
    OnePass(Square, i64),
}

/// All rules, in the order in which they are tried
pub static ALL: &[DependentRule] = &[
    DependentRule {
        name: "online_softmax",
        docs: "A maximum, and a sum of exponentials of differences from it, in one pass",
        law: "m = max x; s = Σ t(x), t(x) = w · exp(a x − c)  →  (m, n) = ⊕ (x, 1); s = n · t(m)",
        when: &[
            "what is exponentiated is linear in the elements, with a constant slope > 0",
            "the sum may have any order",
            "both reduce the same elements",
        ],
        bound: "relative error of a sum of as many numbers, plus that of one exponential for each join",
        find: find_softmax,
    },
    DependentRule {
        name: "one_pass_norm",
        docs: "A sum, and a sum of squared differences, as two independent sums; differences of large numbers cancel",
        law: "s = Σ x; v = Σ w (a x − c)²  →  q = Σ x²; v = w (a² max(q − s²/n, 0) + n (a s/n − c)²)",
        when: &[
            "what is squared is linear in the elements, with a constant slope",
            "accumulators have 32 bits or more",
            "sums may have any order",
            "both reduce the same elements, a known number of them",
        ],
        bound: "n ε (variance + mean²) · n: no correct digit where mean² is 1/ε times the variance",
        find: find_one_pass,
    },
    DependentRule {
        name: "welford",
        docs: "A sum, and a sum of squared differences, in one pass: number, sum and squares of parts are joined",
        law: "s = Σ x; v = Σ w (a x − c)²  →  (n, s, q) = ⊕ (1, x, 0); v = w (a² q + n (a s/n − c)²)",
        when: &[
            "what is squared is linear in the elements, with a constant slope",
            "the accumulator counts the elements exactly",
            "sums may have any order",
            "both reduce the same elements",
        ],
        bound: "relative error n ε √(1 + mean²/variance) of the sum of squares",
        find: find_welford,
    },
];

/// A sum of exponentials that depends on a maximum
fn find_softmax(ir: &Ir, facts: &Facts, op: Compute) -> Result<Found, Miss> {
    let pair = Pair::of(ir, facts, op, Builtin::Max)?;
    let (base, slope) = power(ir, &pair)?;
    (slope > 0.0).or_miss("its exponents fall where elements grow")?;
    let wide = pair.second.ty == pair.first.ty || widens(ir, pair.first.ty, pair.second.ty);
    wide.or_miss("the sum has a narrower type than the maximum")?;
    is_known_by_result(&pair, pair.t, &[pair.x])?;
    Ok(Found { pair, form: Form::Softmax { base, slope } })
}

fn find_welford(ir: &Ir, facts: &Facts, op: Compute) -> Result<Found, Miss> {
    let (pair, square) = squares(ir, facts, op)?;
    let sizes = pair.first.dims(true).into_iter().map(|dim| pair.first.view.dims[dim].size);
    let most = sizes.fold(1i64, i64::saturating_mul);
    let exact = digits(ir, pair.first.ty).is_some_and(|bits| most <= 1i64 << bits);
    exact.or_miss("the accumulator does not count so many elements exactly")?;
    Ok(Found { pair, form: Form::Welford(square) })
}

fn find_one_pass(ir: &Ir, facts: &Facts, op: Compute) -> Result<Found, Miss> {
    let (pair, square) = squares(ir, facts, op)?;
    let wide = pair.first.ty.bit_width(ir.cx()).is_some_and(|bits| bits >= 32);
    wide.or_miss("its accumulator has less than 32 bits: squares cancel")?;
    let count = pair.first.count().or_miss("conditions decide how many elements there are")?;
    Ok(Found { pair, form: Form::OnePass(square, count) })
}

/// A sum of squares that depends on another sum
fn squares(ir: &Ir, facts: &Facts, op: Compute) -> Result<(Pair, Square), Miss> {
    let pair = Pair::of(ir, facts, op, Builtin::Add)?;
    let found = square(ir, &pair)?;
    (pair.first.ty == pair.second.ty).or_miss("both sums do not have one type")?;
    is_known_by_result(&pair, found.root, &[pair.x])?;
    is_known_by_result(&pair, pair.t, &[found.square])?;
    Ok((pair, found))
}

/// Bits of a float's significand
fn digits(ir: &Ir, ty: Type) -> Option<u32> {
    let TypeKind::Float(kind) = ty.kind(ir.cx()) else { return None };
    Some(match kind {
        FloatKind::F16 => 11,
        FloatKind::BF16 => 8,
        FloatKind::F32 => 24,
        FloatKind::F64 => 53,
        _ => return None,
    })
}

/// Is a type wider?
fn widens(ir: &Ir, from: Type, to: Type) -> bool {
    digits(ir, from) < digits(ir, to) && from.bit_width(ir.cx()) < to.bit_width(ir.cx())
}

impl Found {
    /// Put the joint computation in the first reduction's place, and what is left to do for each result in the second's
    pub(super) fn apply(
        self,
        ir: &mut Ir,
        facts: &mut Facts,
        operators: &mut Operators,
        taken: &HashSet<Str>,
    ) -> Option<()> {
        let Found { pair, form } = self;
        let ty = pair.second.ty;
        let by = match form {
            Form::Softmax { base, slope } => {
                vec![Operator::Func(operators.name(ir, taken, Joint::Softmax { base, scale: slope }, ty)?)]
            }
            Form::Welford(_) => vec![Operator::Func(operators.name(ir, taken, Joint::Welford, ty)?)],
            Form::OnePass(..) => vec![Operator::Builtin(Builtin::Add); 2],
        };
        let known = pair.done.map(|n| &facts.done[n]);
        let (parts, stands) = match known {
            Some(done) if done.by == by => (done.parts.clone(), done.stands),
            Some(_) => return None,
            None => {
                let (parts, own) = form.joint(ir, &pair, &by)?;
                let stands = narrow::result(ir, &pair, *parts.get(own)?)?;
                (parts, stands)
            }
        };
        let mut epilogue = Epilogue::over(ir, &pair, stands)?;
        let value = form.value(ir, &mut epilogue, &pair, (&parts, stands));
        epilogue.finish(ir, value)?;
        if pair.done.is_none() {
            joint::retire(ir, &pair, stands);
            let op = ir.defining_op(parts[0]).and_then(|op| Compute::cast(ir, op))?;
            facts.done.push(pair.done(parts, stands, by, form.own(), op));
        }
        Some(())
    }
}

impl Form {
    /// Number of the component that is the first reduction's value
    fn own(&self) -> usize {
        usize::from(matches!(self, Form::Welford(_)))
    }

    /// The joint computation's results, and the number of the one that is the first reduction's
    fn joint(&self, ir: &mut Ir, pair: &Pair, by: &[Operator]) -> Option<(Vec<Value>, usize)> {
        let ty = pair.second.ty;
        let yields = |b: &mut Builder<'_>, x: Value| {
            Some(match self {
                Form::Softmax { .. } => vec![widened(b, x, ty), constant(b, ty, 1.0)?],
                Form::Welford(_) => vec![constant(b, ty, 1.0)?, x, constant(b, ty, 0.0)?],
                Form::OnePass(..) => vec![x, arith::MulF::build(b, x, x).result(b.read())],
            })
        };
        Some((joint::replace(ir, pair, by.to_vec(), yields)?, self.own()))
    }

    /// The second reduction's value, for each result
    fn value(
        &self,
        ir: &mut Ir,
        epilogue: &mut Epilogue<'_>,
        pair: &Pair,
        (parts, stands): (&[Value], Value),
    ) -> Option<Value> {
        let ty = pair.second.ty;
        match *self {
            Form::Softmax { .. } => scaled(ir, epilogue, pair, stands, *parts.get(1)?),
            Form::Welford(found) => {
                let &[n, s, q] = parts else { return None };
                let n = epilogue.element(ir, n)?;
                let s = epilogue.element(ir, s)?;
                let q = epilogue.element(ir, q)?;
                let mean = arith::DivF::build(&mut epilogue.builder(ir), s, n).result(ir);
                differences(ir, epilogue, (pair, found), (n, mean, q))
            }
            Form::OnePass(found, count) => {
                let &[s, q] = parts else { return None };
                let s = epilogue.element(ir, s)?;
                let q = epilogue.element(ir, q)?;
                let mut b = epilogue.builder(ir);
                let n = constant(&mut b, ty, count as f64)?;
                let mean = arith::DivF::build(&mut b, s, n).result(b.read());
                let of_mean = arith::MulF::build(&mut b, s, mean).result(b.read());
                let rest = arith::SubF::build(&mut b, q, of_mean).result(b.read());
                let zero = constant(&mut b, ty, 0.0)?;
                let rest = arith::MaximumF::build(&mut b, rest, zero).result(b.read());
                differences(ir, epilogue, (pair, found), (n, mean, rest))
            }
        }
    }
}

fn widened(b: &mut Builder<'_>, x: Value, ty: Type) -> Value {
    if b.read().ty(x) == ty { x } else { arith::ExtF::build(b, x, ty).out(b.read()) }
}

/// `n · t(m)`
fn scaled(ir: &mut Ir, epilogue: &mut Epilogue<'_>, pair: &Pair, m: Value, n: Value) -> Option<Value> {
    let m = epilogue.element(ir, m)?;
    let n = epilogue.element(ir, n)?;
    let t = epilogue.term(ir, pair.t, &[(pair.x, m)])?;
    let mut b = epilogue.builder(ir);
    Some(arith::MulF::build(&mut b, n, t).result(b.read()))
}

/// The sum of squares of a x − c, from number, mean and squared differences from the mean; then what stands around squares
fn differences(
    ir: &mut Ir,
    epilogue: &mut Epilogue<'_>,
    (pair, found): (&Pair, Square),
    (n, mean, q): (Value, Value, Value),
) -> Option<Value> {
    let root = epilogue.term(ir, found.root, &[(pair.x, mean)])?;
    let mut b = epilogue.builder(ir);
    let scale = constant(&mut b, pair.second.ty, found.slope * found.slope)?;
    let mul = |b: &mut Builder<'_>, x, y| arith::MulF::build(b, x, y).result(b.read());
    let q = mul(&mut b, scale, q);
    let square = mul(&mut b, root, root);
    let shifted = mul(&mut b, n, square);
    let sum = arith::AddF::build(&mut b, q, shifted).result(b.read());
    epilogue.term(ir, pair.t, &[(found.square, sum)])
}
