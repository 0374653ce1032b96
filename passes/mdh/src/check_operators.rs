//! The pass `check-operators`: what operators declare about themselves, tried on values (M-PROP of the design).
//!
//! Each function with `sched.operator` runs in the interpreter on edge values and on 4,096 random triples, always the same
//! ones. A wrong declaration is an error with the values that show it. Floats agree up to rounding unless `exact` is declared;
//! triples that trap, overflow to NaN or are poison prove nothing.

use crate::codes;
use terrace_diag::Reported;
use terrace_dialect_mdh::operator::{Declared, declared};
use terrace_interp::text::results_text;
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::show::round_to_bits;
use terrace_ir::symbols::symbol_name;
use terrace_ir::{Context, FloatKind, Ir, OpId, Type, TypeKind};
use terrace_macros::pass;
use terrace_pass::{Pass, PassCx};
use terrace_support::Random;

/// Try what combine operators declare on random values
///
/// Runs every function with `sched.operator` on edge values and on 4,096 random triples. A function that is not associative,
/// commutative or exact although it says so, or whose identity is none, is an error with the values that show it.
#[pass("check-operators", scope = tree, anchor = "builtin.module", stats("operators checked"))]
pub struct CheckOperators;

/// Random triples for each operator
const TRIPLES: u64 = 4096;

impl Pass for CheckOperators {
    fn run(&self, cx: &mut PassCx<'_>, unit: &mut Ir) -> Result<(), Reported> {
        cx.set_changed(false);
        let mut wrong = Vec::new();
        let mut checked = 0;
        for slot in unit.walk().collect::<Vec<OpId>>() {
            let Some(child) = unit.child(slot) else { continue };
            let Some(properties) = declared(unit.cx(), child.dict(child.root())) else { continue };
            let Some(name) = symbol_name(unit, slot) else { continue };
            checked += 1;
            let name = unit.cx().str(name);
            if let Err(why) = check(unit, child, name, &properties) {
                wrong.push((slot, format!("M-PROP: {}", why.of(name))));
            }
        }
        cx.count("operators checked", checked);
        let mut result = Ok(());
        for (slot, why) in wrong {
            result = cx.fail(unit, slot, &codes::PROPERTY, why);
        }
        result
    }
}

/// A declaration that does not hold, with the values that show it
enum Wrong {
    /// The function does not take two tuples and give one
    Signature,
    /// a ⊕ b and b ⊕ a, for these a and b
    Commutative([String; 2], [String; 2]),
    /// (a ⊕ b) ⊕ c and a ⊕ (b ⊕ c), for these a, b and c
    Associative([String; 2], [String; 3]),
    /// The identity has other components
    Components,
    /// The identity; a, and what it becomes
    Identity(String, [String; 2]),
}

impl Wrong {
    /// As a message about the operator of this name
    fn of(&self, name: &str) -> String {
        match self {
            Wrong::Signature => format!("@{name} takes two tuples and gives one: (T, T) -> T"),
            Wrong::Commutative([x, y], [a, b]) => {
                format!(
                    "@{name} is declared commutative, but a ⊕ b = {x} and b ⊕ a = {y} for a = {a}, b = {b}"
                )
            }
            Wrong::Associative([x, y], [a, b, c]) => format!(
                "@{name} is declared associative, but (a ⊕ b) ⊕ c = {x} and a ⊕ (b ⊕ c) = {y} for a = {a}, b = {b}, c = {c}"
            ),
            Wrong::Components => format!("the identity of @{name} is no tuple of its components"),
            Wrong::Identity(neutral, [a, found]) => {
                format!("{neutral} is declared the identity of @{name}, but with a = {a} it gives {found}")
            }
        }
    }
}

/// One operator
fn check(module: &Ir, unit: &Ir, name: &str, properties: &Declared) -> Result<(), Wrong> {
    let cx = unit.cx();
    let ty = unit.attr(unit.root(), "function_type").and_then(|attr| attr.as_type(cx));
    let (inputs, results) = ty.and_then(|ty| ty.as_function(cx)).unwrap_or((&[], &[]));
    if inputs.len() != 2 * results.len()
        || inputs[..results.len()] != *results
        || inputs[results.len()..] != *results
    {
        return Err(Wrong::Signature);
    }
    let mut interpreter = Interpreter::new(module, Options::default());
    let mut apply = |a: &[RtValue], b: &[RtValue]| -> Option<Vec<RtValue>> {
        let found = interpreter.call(name, a.iter().chain(b).cloned().collect()).ok()?;
        (!found.iter().any(|value| value.has_poison() || is_nan(value))).then_some(found)
    };
    let exact = properties.exact;
    let text = |tuple: &[RtValue]| results_text(tuple);
    let edges: Vec<Vec<RtValue>> =
        (0..5).map(|n| results.iter().map(|ty| edge(cx, *ty, n)).collect()).collect();
    let mut random = Random::new(7);
    let mut triples: Vec<[Vec<RtValue>; 3]> = Vec::new();
    for a in &edges {
        for b in &edges {
            triples.extend(edges.iter().map(|c| [a.clone(), b.clone(), c.clone()]));
        }
    }
    for _ in 0..TRIPLES {
        triples.push([0; 3].map(|_| results.iter().map(|ty| value(&mut random, cx, *ty)).collect()));
    }
    if properties.counted {
        triples.iter_mut().flatten().filter_map(|tuple| tuple.first_mut()).for_each(count);
    }
    for [a, b, c] in &triples {
        if properties.commutative
            && let (Some(x), Some(y)) = (apply(a, b), apply(b, a))
            && !agree(&x, &y, exact, &[a, b])
        {
            return Err(Wrong::Commutative([&x, &y].map(|it| text(it)), [a, b].map(|it| text(it))));
        }
        let left = apply(a, b).and_then(|ab| apply(&ab, c));
        let right = apply(b, c).and_then(|bc| apply(a, &bc));
        if properties.associative
            && let (Some(x), Some(y)) = (left, right)
            && !agree(&x, &y, exact, &[a, b, c])
        {
            return Err(Wrong::Associative([&x, &y].map(|it| text(it)), [a, b, c].map(|it| text(it))));
        }
        if let Some(neutral) = &properties.identity {
            let neutral: Option<Vec<RtValue>> =
                neutral.iter().map(|attr| RtValue::of_attr(cx, *attr)).collect();
            let Some(neutral) = neutral.filter(|neutral| neutral.len() == results.len()) else {
                return Err(Wrong::Components);
            };
            for found in [apply(&neutral, a), apply(a, &neutral)].into_iter().flatten() {
                if !agree(&found, a, exact, &[a]) {
                    return Err(Wrong::Identity(text(&neutral), [a, &found].map(|it| text(it))));
                }
            }
        }
    }
    Ok(())
}

/// A number of elements near a value
fn count(value: &mut RtValue) {
    *value = match &*value {
        RtValue::Float { kind, .. } => {
            let near = value.as_f64().filter(|near| near.is_finite()).unwrap_or(0.0);
            float(near.abs().min(3.0).ceil() + 1.0, *kind)
        }
        RtValue::Int { bits, width } => RtValue::int((*bits % 4 + 1) as i128, *width),
        other => other.clone(),
    };
}

fn is_nan(value: &RtValue) -> bool {
    value.as_f64().is_some_and(f64::is_nan)
}

/// Equal; floats that are not said to be exact, up to the rounding of a few operations on these values
fn agree(x: &[RtValue], y: &[RtValue], exact: bool, from: &[&Vec<RtValue>]) -> bool {
    x.iter().zip(y).enumerate().all(|(n, (x, y))| {
        let (RtValue::Float { kind, .. }, Some(a), Some(b)) = (x, x.as_f64(), y.as_f64()) else {
            return x == y;
        };
        if a == b {
            return true;
        }
        let eps = match kind {
            FloatKind::F64 => f64::EPSILON,
            FloatKind::F32 => f64::from(f32::EPSILON),
            _ => 1e-2,
        };
        let size = |value: &RtValue| value.as_f64().unwrap_or(0.0).abs();
        let most =
            from.iter().filter_map(|tuple| tuple.get(n)).map(size).fold(a.abs().max(b.abs()), f64::max);
        !exact && a.is_finite() && b.is_finite() && (a - b).abs() <= 16.0 * eps * most
    })
}

fn float(value: f64, kind: FloatKind) -> RtValue {
    RtValue::float(round_to_bits(value, kind).unwrap_or(0), kind)
}

/// 0, 1, −1, least, greatest
fn edge(cx: &Context, ty: Type, n: usize) -> RtValue {
    match ty.kind(cx) {
        TypeKind::Float(kind) => float([0.0, 1.0, -1.0, f64::NEG_INFINITY, f64::INFINITY][n], *kind),
        _ => {
            let width = ty.bit_width(cx).unwrap_or(64);
            let top = 1i128 << (width - 1);
            RtValue::int([0, 1, -1, -top, top - 1][n], width)
        }
    }
}

/// Small integers, and floats of moderate size; half of them from a few values, so that some are equal
fn value(random: &mut Random, cx: &Context, ty: Type) -> RtValue {
    let coarse = random.coin();
    match ty.kind(cx) {
        TypeKind::Float(kind) => {
            let value = match coarse {
                true => f64::from(random.below(9u32)) / 2.0 - 2.0,
                false => f64::from(random.below(1u32 << 30)) / f64::from(1 << 28) - 2.0,
            };
            float(value, *kind)
        }
        _ => {
            let width = ty.bit_width(cx).unwrap_or(64);
            let most = if coarse { 3 } else { 100 };
            RtValue::int(i128::from(random.below(2 * most + 1)) - i128::from(most), width)
        }
    }
}
