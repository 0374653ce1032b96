//! Generated functions: the same for a seed, valid, read back as printed, and still valid after canonicalization.

use std::collections::BTreeSet;
use std::sync::Arc;
use terrace_diag::{Diags, render_all};
use terrace_dialect_arith::ARITH;
use terrace_dialect_test::{Generated, Options, generate};
use terrace_dialect_upstream::ALL;
use terrace_ir::verify::verify;
use terrace_ir::{Context, Ir};
use terrace_rewrite::Greedy;
use terrace_text::{ParseOptions, PrintOptions};

fn make(cx: &Arc<Context>, seed: u64) -> Generated {
    generate(cx, seed, &Options::default())
}

fn text(ir: &Ir) -> String {
    let mut out = String::new();
    terrace_text::print(ir, &PrintOptions::default(), &mut out);
    out
}

fn assert_valid(ir: &Ir, seed: u64) {
    let diags = verify(ir, 1);
    let why = render_all(diags.iter(), ir.cx().sources(), false);
    assert!(!diags.has_errors(), "seed {seed}: {why}\n{}", text(ir));
}

#[test]
fn a_seed_says_everything() {
    let one = text(&make(&Context::new(ALL), 5).function);
    assert_eq!(one, text(&make(&Context::new(ALL), 5).function));
    assert_ne!(one, text(&make(&Context::new(ALL), 6).function));
}

#[test]
fn functions_verify_and_read_back() {
    let cx = Context::new(ALL);
    for seed in 0..40 {
        let function = make(&cx, seed).function;
        assert_valid(&function, seed);
        let printed = text(&function);
        let source = cx.sources().add("generated", &printed);
        let mut diags = Diags::default();
        let again = terrace_text::parse(&cx, source, &ParseOptions::default(), &mut diags);
        let why = render_all(diags.iter(), cx.sources(), false);
        let again = again.filter(|_| !diags.has_errors()).unwrap_or_else(|| panic!("seed {seed}: {why}"));
        let child = again.walk().find_map(|op| again.child(op)).expect("the module has the function");
        assert_eq!(text(child), printed, "seed {seed}");
    }
}

#[test]
fn canonicalization_ends_and_leaves_valid_functions() {
    let cx = Context::new(ALL);
    let greedy = Greedy::canonical(&cx, &[]);
    for seed in 0..40 {
        let mut function = make(&cx, seed).function;
        let outcome = greedy.run(&mut function);
        assert!(outcome.diverged.is_none(), "seed {seed}");
        assert_valid(&function, seed);
    }
}

#[test]
fn every_op_of_arith_comes_up() {
    let cx = Context::new(ALL);
    let seen: BTreeSet<&str> = (0..150).flat_map(|seed| make(&cx, seed).accepted.into_keys()).collect();
    let missing: Vec<&str> =
        ARITH.ops.iter().map(|def| def.name).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
