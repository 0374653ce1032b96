//! Why a rule does not apply: each rule on the left sides of all rules.
//!
//! The messages are kept in a snapshot, one program's values for each reason; conditions that a rule asks by name always come with
//! values, so that the message names the size.

use crate::negative;
use crate::random::program;
use crate::{all_rows, parse};
use std::collections::{BTreeMap, BTreeSet};
use terrace_ir::Ir;
use terrace_ir::ir::ValueMap;
use terrace_ir::symbols::Symbols;
use terrace_passes_array::rule::ArrayRule;
use terrace_passes_array::rules;
use terrace_rewrite::{Asks, Rewriter, Rule};

/// Programs of each left side
const SEEDS: u64 = 3;

/// Programs of a rule's own left side, changed so that it does not fit any more
const OWN: u64 = 6;

/// What is changed
#[derive(Clone, Copy)]
enum Change {
    /// Nothing
    None,
    /// The root has a level
    Level,
    /// What the root works on is worked on twice
    Twice,
    /// The rule has been applied before
    Applied,
}

/// Reason and values, if a rule does not apply at the op called `root`
fn miss(
    rule: &ArrayRule,
    args: &[String],
    ir: &Ir,
    change: Change,
) -> Option<(&'static str, Option<String>)> {
    let mut ir = ir.clone_unit();
    let symbols = Symbols::read(&ir);
    for unit in ir.children_mut() {
        let scope = symbols.child_scope(symbols.root(), unit);
        let called = |op| unit.num_results(op) > 0 && unit.value_name(unit.result(op, 0)) == Some("root");
        let Some(op) = unit.walk().find(|op| called(*op)) else { continue };
        if rule.root.is_some_and(|root| !unit.is(op, root)) {
            return None;
        }
        match change {
            Change::Level if unit.def(op).attrs.iter().any(|attr| attr.name == "level") => {
                let level = unit.cx().str_attr("thread.x");
                unit.set_attr(op, "level", Some(level));
            }
            Change::Twice => {
                let copy = unit.clone_op(None, op, &mut ValueMap::default());
                unit.insert_before(op, copy);
            }
            Change::None | Change::Level | Change::Applied => {}
        }
        let mut rw = Rewriter::new(unit);
        rw.asks = Asks { symbols: Some((&symbols, scope)), assume: false, without: None, steps: None };
        let result =
            if args.is_empty() { rule.apply(&mut rw, op) } else { rule.apply_with(&mut rw, op, args) };
        return result.err().map(|miss| (miss.0, rw.take_because()));
    }
    None
}

/// All reasons of all rules, with the values of one program
fn all() -> BTreeMap<&'static str, BTreeMap<&'static str, Option<String>>> {
    let mut found: BTreeMap<&'static str, BTreeMap<&'static str, Option<String>>> = BTreeMap::new();
    let negatives = negative::ROWS.iter().map(|(rule, _, left)| (*rule, *left));
    let rows: Vec<_> = all_rows().into_iter().chain(negatives).collect();
    let mut args: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    let mut programs = Vec::new();
    for (rule, left) in &rows {
        for seed in 1..=SEEDS {
            let (program, own) = program(seed, *left);
            programs.push(parse(&program.text).unwrap_or_else(|why| panic!("{why}\n{}", program.text)));
            args.entry(rule).or_default().push(own);
        }
    }
    for rule in rules::ALL.iter().copied().flatten() {
        let own = &args[rule.name];
        for (n, ir) in programs.iter().enumerate() {
            if let Some((reason, values)) = miss(rule, &own[n % own.len()], ir, Change::None) {
                found.entry(rule.name).or_default().entry(reason).or_insert(values);
            }
        }
        for (_, left) in rows.iter().filter(|(name, _)| *name == rule.name) {
            for seed in 1..=OWN {
                let (program, args) = program(seed, *left);
                let ir = parse(&program.text).unwrap_or_else(|why| panic!("{why}"));
                for change in [Change::Level, Change::Twice, Change::Applied] {
                    if let Some((reason, values)) = miss(rule, &args, &ir, change) {
                        found.entry(rule.name).or_default().entry(reason).or_insert(values);
                    }
                }
            }
        }
    }
    found
}

#[test]
fn what_is_said() {
    let found = all();
    let mut text = String::new();
    for (rule, reasons) in &found {
        text += &format!("{rule}\n");
        for (reason, values) in reasons {
            text += &match values {
                Some(values) => format!("  {reason}: {values}\n"),
                None => format!("  {reason}\n"),
            };
        }
    }
    // A condition asked by name comes with its values.
    let mut bare = Vec::new();
    let mut never: BTreeSet<(&str, &str)> = BTreeSet::new();
    for rule in rules::ALL.iter().copied().flatten() {
        for condition in rule.when {
            match found.get(rule.name).and_then(|reasons| reasons.get(condition)) {
                Some(None) => bare.push(format!("{}: {condition}", rule.name)),
                Some(Some(values)) if values.is_empty() => bare.push(format!("{}: {condition}", rule.name)),
                Some(_) => {}
                None => drop(never.insert((rule.name, condition))),
            }
        }
    }
    assert!(bare.is_empty(), "without values: {}", bare.join(", "));
    text += "\nnot missed by these programs\n";
    for (rule, condition) in never {
        text += &format!("  {rule}: {condition}\n");
    }
    insta::assert_snapshot!("misses", text);
}
