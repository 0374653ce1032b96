//! Each rule on random programs: the left side and the right side have the same value, bit by bit.
//!
//! A program has the left side of one rule, with random types, sizes and functions, in a random context. What a failure
//! needs to be seen again is its seed. With a condition left out a program must be found that shows what it is for.

mod left;
mod misses;
mod negative;
mod random;

use left::Rows;
use random::{Left, Program, Ty, Val, program};
use std::sync::{Arc, OnceLock};
use terrace_diag::{Diags, render_all};
use terrace_interp::{Interpreter, Options, RtValue};
use terrace_ir::symbols::Symbols;
use terrace_ir::{Context, Ir};
use terrace_passes_array::LIBRARY;
use terrace_passes_array::rules;
use terrace_rewrite::library::Choice;
use terrace_rewrite::strategy::{Limits, Strategy};
use terrace_rewrite::{Asks, Rule};
use terrace_support::Random;
use terrace_text::ParseOptions;

/// Programs per rule
const INSTANCES: u64 = 256;

/// Programs per rule whose sizes are symbols
const SYMBOLIC: u64 = 48;

fn shown(diags: &Diags, cx: &Context) -> String {
    render_all(diags.iter(), cx.sources(), false)
}

fn parse(text: &str) -> Result<Box<Ir>, String> {
    static CONTEXT: OnceLock<Arc<Context>> = OnceLock::new();
    let cx = CONTEXT.get_or_init(|| {
        let all = [terrace_dialect_upstream::ALL, terrace_dialect_sched::ALL, terrace_dialect_array::ALL];
        Context::new(&all.concat())
    });
    let source = cx.sources().add("test.mlir", text.to_string());
    let mut diags = Diags::default();
    let parsed = terrace_text::parse(cx, source, &ParseOptions::default(), &mut diags);
    match parsed {
        Some(ir) if !diags.has_errors() => {
            let ir = Box::new(ir);
            let diags = terrace_ir::verify::verify(&ir, 1);
            if diags.has_errors() { Err(shown(&diags, cx)) } else { Ok(ir) }
        }
        _ => Err(shown(&diags, cx)),
    }
}

fn value(r: &mut Random, ty: &Ty) -> RtValue {
    let small = |r: &mut Random| r.below(7) as i64 - 3;
    match ty {
        Ty::I32 => RtValue::int(small(r).into(), 32),
        Ty::F32 => RtValue::f32(small(r) as f32),
        Ty::Tuple(parts) => RtValue::Vector(parts.iter().map(|part| value(r, part)).collect()),
        Ty::Array(n, elem) | Ty::Vector(n, elem) => {
            RtValue::Vector((0..*n).map(|_| value(r, elem)).collect())
        }
    }
}

fn run(ir: &Ir, inputs: &[Val], seed: u64) -> Result<Vec<RtValue>, String> {
    let mut r = Random::new(seed ^ 0xABCD);
    let args: Vec<RtValue> = inputs.iter().map(|input| value(&mut r, &input.ty)).collect();
    let mut interpreter = Interpreter::new(ir, Options { fuel: 10_000_000, ..Options::default() });
    interpreter.call("f", args).map_err(|trap| format!("{}: {}", trap.code.id, trap.message))
}

fn printed(ir: &Ir) -> String {
    let mut text = String::new();
    terrace_text::print(ir, &terrace_text::PrintOptions::default(), &mut text);
    text
}

/// Number of operands of zips, then of ops and of their operands: rules of `simplify` lower it, so that `repeat` comes to an end
fn measure(ir: &Ir) -> (usize, usize) {
    let mut units = vec![ir];
    let (mut zipped, mut sum) = (0, 0);
    while let Some(unit) = units.pop() {
        for op in unit.walk() {
            // A cast is less than an op that does something.
            sum += if unit.op_name(op) == "array.cast" { 2 } else { 2 + unit.num_operands(op) };
            zipped += if unit.op_name(op) == "array.zip" { unit.num_operands(op) } else { 0 };
            units.extend(unit.child(op));
        }
    }
    (zipped, sum)
}

/// What came of a rule on a program
enum Outcome {
    Same,
    Missed(String),
    Differs(String),
}

fn rewritten(rule: &str, args: &[String], ir: &mut Ir, without: Option<&str>) -> Result<(), String> {
    let all: Vec<&'static dyn Rule> = LIBRARY.rules.iter().copied().flatten().copied().collect();
    let choice = Choice { all, strategies: LIBRARY.strategies, only: &[] };
    let named = match args.is_empty() {
        true => Strategy::Rule(rule.to_string()),
        false => Strategy::With(rule.to_string(), args.to_vec()),
    };
    let strategy = Strategy::At("root".to_string(), Box::new(named));
    let strategy = choice.resolve(&strategy).map_err(|error| error.message.to_string())?;
    let symbols = Symbols::read(ir);
    for unit in ir.children_mut() {
        let scope = symbols.child_scope(symbols.root(), unit);
        let has_root = unit
            .walk()
            .any(|op| unit.num_results(op) > 0 && unit.value_name(unit.result(op, 0)) == Some("root"));
        if !has_root {
            continue;
        }
        let asks = Asks { symbols: Some((&symbols, scope)), assume: false, without, steps: None };
        let (outcome, result) = strategy.run(unit, Limits { asks, ..Limits::default() });
        result.map_err(|miss| format!("{}: {}", miss.0, outcome.because.unwrap_or_default()))?;
    }
    Ok(())
}

fn outcome(rule: &str, program: &Program, args: &[String], seed: u64, without: Option<&str>) -> Outcome {
    let mut ir = match parse(&program.text) {
        Ok(ir) => ir,
        Err(why) => panic!("{rule}, seed {seed}: {why}\n{}", program.text),
    };
    let wanted = match run(&ir, &program.inputs, seed) {
        Ok(wanted) => wanted,
        Err(why) => panic!("{rule}, seed {seed}: {why}\n{}", program.text),
    };
    let before = measure(&ir);
    if let Err(why) = rewritten(rule, args, &mut ir, without) {
        return Outcome::Missed(why);
    }
    let diags = terrace_ir::verify::verify(&ir, 1);
    if diags.has_errors() {
        return Outcome::Differs(format!("{}\n{}", shown(&diags, ir.cx()), printed(&ir)));
    }
    let text = printed(&ir);
    let simplifies = rules::simplify::ALL.iter().any(|other| other.name == rule);
    if simplifies && measure(&ir) >= before {
        return Outcome::Differs(format!("not simpler\n{text}"));
    }
    if let Err(why) = parse(&text) {
        return Outcome::Differs(format!("does not parse: {why}\n{text}"));
    }
    match run(&ir, &program.inputs, seed) {
        Ok(found) if found == wanted => Outcome::Same,
        Ok(found) => Outcome::Differs(format!("{found:?} instead of {wanted:?}\n{text}")),
        Err(why) => Outcome::Differs(format!("{why}\n{text}")),
    }
}

fn check(rows: Rows) {
    let mut problems = Vec::new();
    for (rule, left) in rows {
        for seed in 1..=INSTANCES {
            let (program, args) = program(seed, *left);
            match outcome(rule, &program, &args, seed, None) {
                Outcome::Same => continue,
                Outcome::Missed(why) => {
                    problems.push(format!(
                        "{rule}({}), seed {seed}: missed: {why}\n{}",
                        args.join(", "),
                        program.text
                    ));
                }
                Outcome::Differs(why) => {
                    problems.push(format!(
                        "{rule}({}), seed {seed}: {why}\nfrom\n{}",
                        args.join(", "),
                        program.text
                    ));
                }
            }
            break;
        }
    }
    assert!(problems.is_empty(), "{} rules:\n{}", problems.len(), problems.join("\n\n"));
}

macro_rules! sets {
    ($($set:ident)*) => {
        $(#[test]
        fn $set() {
            check(left::$set::ROWS);
        })*

        fn all_rows() -> Vec<(&'static str, Left)> {
            [$(left::$set::ROWS),*].concat()
        }

        /// Every rule has a left side
        #[test]
        fn all_rules_are_checked() {
            let rows: Vec<&str> = all_rows().iter().map(|(rule, _)| *rule).collect();
            let missing: Vec<&str> =
                rules::ALL.iter().copied().flatten().map(|rule| rule.name).filter(|name| !rows.contains(name)).collect();
            assert!(missing.is_empty(), "no left side for {missing:?}");
        }
    };
}
sets!(simplify fuse fission interchange tile reduce layout memory copies vector iterate);

/// Sizes that are symbols: what a rule makes of them has the same value, or it says no
#[test]
fn with_symbols() {
    let (mut same, mut missed, mut problems) = (0, 0, Vec::new());
    for (rule, left) in all_rows() {
        for seed in 1..=SYMBOLIC {
            let (mut program, args) = program(seed, left);
            program.text = random::with_symbols(&program.text);
            // Two forms of one size are two types: not every program has a type then.
            if parse(&program.text).is_err() {
                continue;
            }
            match outcome(rule, &program, &args, seed, None) {
                Outcome::Same => same += 1,
                Outcome::Missed(_) => missed += 1,
                Outcome::Differs(why) => {
                    problems.push(format!(
                        "{rule}({}), seed {seed}: {why}\nfrom\n{}",
                        args.join(", "),
                        program.text
                    ));
                    break;
                }
            }
        }
    }
    assert!(problems.is_empty(), "{} rules:\n{}", problems.len(), problems.join("\n\n"));
    assert!(same > 10 * missed && same > 1000, "{same} the same, {missed} missed");
}

/// A condition left out: some program becomes another one, or none
#[test]
fn conditions_are_needed() {
    let mut problems = Vec::new();
    for (rule, condition, left) in negative::ROWS {
        let found = (1..=INSTANCES).find_map(|seed| {
            let (program, args) = program(seed, *left);
            // With it the rule says no.
            match outcome(rule, &program, &args, seed, None) {
                Outcome::Missed(why) if why.starts_with(condition) => {}
                Outcome::Missed(why) => {
                    return Some(Err(format!("seed {seed}: refused for another reason: {why}")));
                }
                _ => return None,
            }
            match outcome(rule, &program, &args, seed, Some(condition)) {
                Outcome::Differs(_) => Some(Ok(())),
                // Something that can not even be built is ill-typed.
                Outcome::Missed(why) if !why.starts_with(condition) => Some(Ok(())),
                _ => None,
            }
        });
        match found {
            Some(Ok(())) => {}
            Some(Err(why)) => problems.push(format!("{rule}, {condition}: {why}")),
            None => problems.push(format!("{rule}, {condition}: never needed")),
        }
    }
    for rule in rules::ALL.iter().copied().flatten() {
        for condition in rule.when {
            let shown =
                negative::ROWS.iter().any(|(name, other, _)| *name == rule.name && other == condition);
            if !shown && !negative::OF_COST.contains(condition) {
                problems.push(format!("{}, {condition}: no program shows it", rule.name));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
