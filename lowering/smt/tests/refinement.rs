//! Proofs and counterexamples of whole functions.

use crate::common::{bodies, parse, run, second_refines_first, solver};
use terrace_interp::RtValue;
use terrace_lowering_smt::{Solver, Verdict};

const TWO: &str = "(%a: i32, %b: i32) -> i32";

fn proven(solver: &mut Solver, signature: &str, before: &str, after: &str) {
    assert_eq!(bodies(solver, signature, before, after), Ok(Verdict::Proven), "{before}\n{after}");
}

/// A counterexample, which the interpreter confirms
fn refuted(solver: &mut Solver, signature: &str, before: &str, after: &str) -> Vec<RtValue> {
    let Ok(Verdict::Refuted(args)) = bodies(solver, signature, before, after) else {
        panic!("not refuted: {before}\n{after}")
    };
    let run = |body: &str| run(&parse(&format!("func.func @f{signature} {{\n{body}\n}}")), args.clone());
    let (old, new) = (run(before).expect("a defined call"), run(after));
    assert!(old[0] != RtValue::Poison && new.is_ok_and(|new| new[0] != old[0]), "{args:?}");
    args
}

#[test]
fn sums_commute_and_lose_their_flags() {
    let Some(mut s) = solver("refinement::sums_commute_and_lose_their_flags") else { return };
    let sum = |a, b, flags| format!("%r = arith.addi {a}, {b} {flags}: i32\nreturn %r : i32");
    proven(&mut s, TWO, &sum("%a", "%b", ""), &sum("%b", "%a", ""));
    proven(&mut s, TWO, &sum("%a", "%b", "overflow<nsw> "), &sum("%b", "%a", ""));
    let Ok(Verdict::Refuted(args)) =
        bodies(&mut s, TWO, &sum("%a", "%b", ""), &sum("%b", "%a", "overflow<nsw> "))
    else {
        panic!("a sum may overflow")
    };
    let (a, b) = (args[0].as_signed().expect("known"), args[1].as_signed().expect("known"));
    assert!(i32::try_from(a + b).is_err(), "{a} + {b}");
}

#[test]
fn a_select_is_no_or_where_the_arm_is_poison() {
    let Some(mut s) = solver("refinement::a_select_is_no_or_where_the_arm_is_poison") else { return };
    let signature = "(%c: i1, %x: i1) -> i1";
    let select = "%t = arith.constant true\n%r = arith.select %c, %t, %x : i1\nreturn %r : i1";
    let or = "%r = arith.ori %c, %x : i1\nreturn %r : i1";
    proven(&mut s, signature, or, select);
    let verdict = bodies(&mut s, signature, select, or);
    assert_eq!(verdict, Ok(Verdict::Refuted(vec![RtValue::bool(true), RtValue::Poison])));
}

#[test]
fn one_wrong_bit_is_found_at_every_width() {
    let Some(mut s) = solver("refinement::one_wrong_bit_is_found_at_every_width") else { return };
    for width in [1, 2, 7, 16, 32, 64, 100] {
        let signature = format!("(%a: i{width}, %b: i{width}) -> i{width}");
        let sum = format!("%r = arith.addi %a, %b : i{width}\nreturn %r : i{width}");
        let parts = |last: &str| {
            format!(
                "%x = arith.xori %a, %b : i{width}\n%y = arith.andi %a, %b : i{width}\n\
                 %z = arith.addi %y, %y : i{width}\n%r = arith.{last} %x, %z : i{width}\nreturn %r : i{width}"
            )
        };
        proven(&mut s, &signature, &sum, &parts("addi"));
        if width > 2 {
            refuted(&mut s, &signature, &sum, &parts("ori"));
        }
    }
}

#[test]
fn undefined_calls_allow_anything_and_must_not_be_added() {
    let Some(mut s) = solver("refinement::undefined_calls_allow_anything_and_must_not_be_added") else {
        return;
    };
    let divide = "%r = arith.divui %a, %b : i32\nreturn %r : i32";
    let first = "return %a : i32";
    let zero = bodies(&mut s, TWO, first, divide);
    assert!(matches!(zero, Ok(Verdict::Refuted(_))), "{zero:?}");
    let guarded = "%z = arith.constant 0 : i32\n%c = arith.cmpi eq, %b, %z : i32\n\
                   %r = scf.if %c -> (i32) {\n scf.yield %a : i32\n} else {\n\
                   %q = arith.divui %a, %b : i32\n scf.yield %q : i32\n}\nreturn %r : i32";
    proven(&mut s, TWO, divide, guarded);
    // Without the condition the division would be there for all.
    assert!(matches!(bodies(&mut s, TWO, guarded, divide), Ok(Verdict::Refuted(_))));
}

#[test]
fn what_has_no_formula_is_named() {
    let Some(mut s) = solver("refinement::what_has_no_formula_is_named") else { return };
    let why = |s: &mut Solver, text: &str| second_refines_first(s, text).expect_err("no formula").to_string();
    let float = "func.func @f(%a: f32) -> f32 {\n  return %a : f32\n}\n";
    let text = format!("{float}{}", float.replace("@f", "@g"));
    assert_eq!(why(&mut s, &text), "`func.func` has a value of type `f32`, which proofs do not cover");
    let load = "func.func @f() -> i32 {\n  %m = memref.alloc() : memref<i32>\n  %r = memref.load %m[] : memref<i32>\n  return %r : i32\n}\n";
    let text = format!("{load}{}", load.replace("@f", "@g"));
    assert_eq!(why(&mut s, &text), "`memref.alloc` uses memory, which proofs do not cover");
    let external = "func.func private @f() -> i32\nfunc.func private @g() -> i32\n";
    assert_eq!(why(&mut s, external), "`func.func` has no body");
}
