//! Results, buffers and globals are seen, and compared.

use std::sync::Arc;
use terrace_dialect_upstream::ALL;
use terrace_interp::{Options, RtValue};
use terrace_ir::{Context, Ir};
use terrace_refine::{Arg, Call, Limits, ORDER, Observations, Refinement, agrees, check, observe};

pub fn parsed(cx: &Arc<Context>, text: &str) -> Ir {
    let source = cx.sources().add("f", text);
    let mut diags = terrace_diag::Diags::default();
    let ir = terrace_text::parse(cx, source, &terrace_text::ParseOptions::default(), &mut diags);
    ir.unwrap_or_else(|| panic!("{}", terrace_diag::render_all(diags.iter(), cx.sources(), false)))
}

/// A module with a buffer as argument, a private and a public global
fn module(body: &str) -> String {
    format!(
        "memref.global \"private\" @hidden : memref<2xi32> = dense<0>\n\
         memref.global @seen : memref<2xi32> = dense<[1, 2]>\n\
         func.func @f(%m: memref<2xi32>, %x: i32) -> i32 {{\n\
           %c0 = arith.constant 0 : index\n\
           %c1 = arith.constant 1 : index\n\
           %h = memref.get_global @hidden : memref<2xi32>\n\
           {body}\n\
         }}\n"
    )
}

fn verdict(before: &str, after: &str) -> Refinement {
    let cx = Context::new(ALL);
    let [before, after] = [before, after].map(|body| parsed(&cx, &module(body)));
    let buffer = Arg::Buffer { sizes: vec![2], elements: vec![RtValue::int(5, 32), RtValue::Poison] };
    let call = Call { function: "f".into(), args: vec![buffer, Arg::Value(RtValue::int(9, 32))] };
    check(&before, &after, &call, Options::default())
}

#[test]
fn arguments_are_compared_element_by_element() {
    let plain = "return %x : i32";
    let first = "memref.store %x, %m[%c0] : memref<2xi32> return %x : i32";
    let second = "memref.store %x, %m[%c1] : memref<2xi32> return %x : i32";
    assert_eq!(verdict(first, first), Refinement::Same);
    assert_eq!(verdict(plain, first), Refinement::Broken("argument 0, element 0, was 5 and is 9".into()));
    // Poison may become anything.
    assert_eq!(verdict(plain, second), Refinement::Same);
    assert!(matches!(verdict(second, plain), Refinement::Broken(_)));
}

#[test]
fn public_globals_are_compared_and_private_ones_are_not() {
    let plain = "return %x : i32";
    let hidden = "memref.store %x, %h[%c0] : memref<2xi32> return %x : i32";
    let seen = "%s = memref.get_global @seen : memref<2xi32>\n\
                memref.store %x, %s[%c0] : memref<2xi32> return %x : i32";
    assert_eq!(verdict(hidden, plain), Refinement::Same);
    assert_eq!(verdict(seen, plain), Refinement::Broken("@seen, element 0, was 9 and is 1".into()));
    assert_eq!(verdict(plain, seen), Refinement::Broken("@seen, element 0, was 1 and is 9".into()));
}

#[test]
fn a_public_global_that_is_gone_is_a_difference() {
    let cx = Context::new(ALL);
    let function = "func.func @f() { return }\n";
    let global = |visibility: &str| {
        parsed(&cx, &format!("memref.global {visibility} @seen : memref<2xi32> = dense<[1, 2]>\n{function}"))
    };
    let without = parsed(&cx, function);
    let verdict = |before: &Ir| check(before, &without, &Call::of("f", &[]), Options::default());
    assert_eq!(verdict(&global("")), Refinement::Broken("@seen is gone".into()));
    for visibility in ["\"private\"", "\"nested\""] {
        assert_eq!(verdict(&global(visibility)), Refinement::Same);
    }
}

#[test]
fn poison_may_become_a_buffer() {
    let cx = Context::new(ALL);
    let text = |taken: &str| {
        parsed(
            &cx,
            &format!(
                "func.func @f(%m: memref<2xi32>) -> memref<2xi32> {{\n\
                   %p = ub.poison : memref<2xi32>\n\
                   %c = arith.constant true\n\
                   %s = arith.select %c, {taken} : memref<2xi32>\n\
                   return %s : memref<2xi32>\n\
                 }}\n"
            ),
        )
    };
    let [poison, buffer] = ["%p, %m", "%m, %p"].map(text);
    let arg = Arg::Buffer { sizes: vec![2], elements: vec![RtValue::int(5, 32); 2] };
    let call = Call { function: "f".into(), args: vec![arg] };
    assert_eq!(check(&poison, &buffer, &call, Options::default()), Refinement::Same);
    let back = check(&buffer, &poison, &call, Options::default());
    assert_eq!(back, Refinement::Broken("result 0 was a buffer and is poison".into()));
}

#[test]
fn returned_buffers_are_read_through_their_views() {
    let cx = Context::new(ALL);
    let text = |first: &str| {
        format!(
            "func.func @f() -> memref<2xi32, strided<[2], offset: 1>> {{\n\
               %m = memref.alloc() : memref<5xi32>\n\
               %one = arith.constant 1 : i32\n\
               %c1 = arith.constant {first} : index\n\
               %c3 = arith.constant 3 : index\n\
               memref.store %one, %m[%c1] : memref<5xi32>\n\
               memref.store %one, %m[%c3] : memref<5xi32>\n\
               %v = memref.subview %m[1] [2] [2] : memref<5xi32> to memref<2xi32, strided<[2], offset: 1>>\n\
               return %v : memref<2xi32, strided<[2], offset: 1>>\n\
             }}\n"
        )
    };
    let right = parsed(&cx, &text("1"));
    let seen = observe(&right, &Call::of("f", &[]), Options::default());
    assert_eq!(seen.text(), "result 0 = [1, 1]");
    let wrong = parsed(&cx, &text("2"));
    let found = check(&right, &wrong, &Call::of("f", &[]), Options::default());
    assert_eq!(found, Refinement::Broken("result 0, element 0, was 1 and is not written".into()));
}

#[test]
fn a_race_that_was_not_there_is_a_difference() {
    let cx = Context::new(ALL);
    let text = |index: &str| {
        format!(
            "func.func @f(%m: memref<4xi32>) {{\n\
               %c0 = arith.constant 0 : index\n\
               %c1 = arith.constant 1 : index\n\
               %c4 = arith.constant 4 : index\n\
               %x = arith.constant 7 : i32\n\
               scf.parallel (%i) = (%c0) to (%c4) step (%c1) {{\n\
                 memref.store %x, %m[{index}] : memref<4xi32>\n\
                 scf.reduce\n\
               }}\n\
               return\n\
             }}\n"
        )
    };
    let buffer = Arg::Buffer { sizes: vec![4], elements: vec![RtValue::int(0, 32); 4] };
    let call = Call { function: "f".into(), args: vec![buffer] };
    let [right, wrong] = ["%i", "%c0"].map(|index| parsed(&cx, &text(index)));
    assert_eq!(check(&right, &right, &call, Options::default()), Refinement::Same);
    let Refinement::Broken(how) = check(&right, &wrong, &call, Options::default()) else { panic!("broken") };
    assert!(how.contains("race"), "{how}");
}

#[test]
fn values_agree_with_more_defined_ones() {
    let nan = |bits| RtValue::float(bits, terrace_ir::FloatKind::F32);
    let vector = |all: &[RtValue]| RtValue::Vector(all.into());
    let one = RtValue::int(1, 8);
    assert!(agrees(&RtValue::Poison, &one) && !agrees(&one, &RtValue::Poison));
    assert!(agrees(&nan(0x7fc0_0000), &nan(0xffc0_0001)) && !agrees(&nan(0x7fc0_0000), &RtValue::f32(1.0)));
    assert!(agrees(&vector(&[RtValue::Poison, one.clone()]), &vector(&[one.clone(), one.clone()])));
    assert!(!agrees(&vector(std::slice::from_ref(&one)), &vector(&[one.clone(), one.clone()])));
    assert!(!agrees(&RtValue::f32(0.0), &RtValue::f32(-0.0)) && !agrees(&one, &RtValue::int(1, 16)));
}

#[test]
fn endless_runs_are_found() {
    let cx = Context::new(ALL);
    let text = |to: &str| format!("func.func @f() {{ cf.br ^a\n^a: cf.br {to}\n^b: return }}");
    let [right, wrong] = ["^b", "^a"].map(|to| parsed(&cx, &text(to)));
    let call = Call::of("f", &[]);
    let options = Options { fuel: 1000, ..Options::default() };
    let Refinement::Broken(how) = check(&right, &wrong, &call, options) else { panic!("broken") };
    assert!(how.contains("does not end any more"), "{how}");
    assert_eq!(check(&wrong, &right, &call, options), Refinement::Undefined("E0305"));
}

#[test]
fn endless_calls_are_found_and_deep_ones_are_not_accused() {
    let cx = Context::new(ALL);
    let text = |next: &str| {
        parsed(
            &cx,
            &format!(
                "func.func @f(%n: i32) {{\n\
                   %c1 = arith.constant 1 : i32\n\
                   %less = arith.subi %n, %c1 : i32\n\
                   %end = arith.cmpi eq, %n, %c1 : i32\n\
                   cf.cond_br %end, ^end, ^again\n\
                 ^again:\n\
                   call @f({next}) : (i32) -> ()\n\
                   cf.br ^end\n\
                 ^end: return }}"
            ),
        )
    };
    let [right, wrong] = ["%less", "%n"].map(text);
    let verdict = |options: Options, n: i128| {
        let call = Call::of("f", &[RtValue::int(n, 32)]);
        check(&right, &wrong, &call, options)
    };
    let Refinement::Broken(how) = verdict(Options::default(), 3) else { panic!("broken") };
    assert!(how.contains("nest ever deeper"), "{how}");
    // What is only deeper after a pass ends with more room.
    let shallow = text("%c1");
    let call = Call::of("f", &[RtValue::int(40, 32)]);
    let options = Options { depth: 10, ..Options::default() };
    assert_eq!(check(&shallow, &right, &call, options), Refinement::Same);
}

/// Adds four floats into a buffer, in parallel or one after the other
fn sum(parallel: bool) -> String {
    let (head, end) = match parallel {
        true => ("scf.parallel (%i) = (%c0) to (%c4) step (%c1)", "scf.reduce"),
        false => ("scf.for %i = %c0 to %c4 step %c1", "scf.yield"),
    };
    format!(
        "func.func @f(%x: memref<4xf32>, %m: memref<1xf32>) {{\n\
           %c0 = arith.constant 0 : index\n\
           %c1 = arith.constant 1 : index\n\
           %c4 = arith.constant 4 : index\n\
           {head} {{\n\
             %e = memref.load %x[%i] : memref<4xf32>\n\
             %r = memref.atomic_rmw addf %e, %m[%c0] : (f32, memref<1xf32>) -> f32\n\
             {end}\n\
           }}\n\
           return\n\
         }}\n"
    )
}

#[test]
fn no_later_program_is_accused_of_what_depends_on_the_order() {
    let cx = Context::new(ALL);
    let [parallel, sequential] = [true, false].map(|parallel| parsed(&cx, &sum(parallel)));
    let call = |elements: [f32; 4]| {
        let buffer = |all: &[f32]| Arg::Buffer {
            sizes: vec![all.len() as i64],
            elements: all.iter().map(|one| RtValue::f32(*one)).collect(),
        };
        Call { function: "f".into(), args: vec![buffer(&elements), buffer(&[0.0])] }
    };
    let (exact, rounded) = (call([1.0, 2.0, 3.0, 4.0]), call([1e8, 1.0, -1e8, 1.0]));
    let limits = Limits::default();
    assert_eq!(Observations::of(&parallel, &exact, &limits).order_dependent(), None);
    assert!(Observations::of(&parallel, &rounded, &limits).order_dependent().is_some());
    let verdict = |before: &Ir, after: &Ir, call: &Call| check(before, after, call, Options::default());
    assert_eq!(verdict(&parallel, &parallel, &rounded), Refinement::Undefined(ORDER));
    assert_eq!(verdict(&parallel, &sequential, &rounded), Refinement::Undefined(ORDER));
    assert_eq!(verdict(&parallel, &parallel, &exact), Refinement::Same);
    assert_eq!(verdict(&sequential, &parallel, &exact), Refinement::Same);
    // An order that was fixed and is not any more is a difference.
    assert!(matches!(verdict(&sequential, &parallel, &rounded), Refinement::Broken(_)));
}
