//! Messages about mistakes.

use terrace::Context;

fn of_text(text: &str) -> terrace::Report {
    terrace::parse(&Context::standard(), "f.mlir", text).map(|_| ()).expect_err("it is wrong")
}

#[test]
fn a_text_with_mistakes_is_shown_with_carets() {
    let report =
        of_text("func.func @f(%x: i32) -> i32 {\n  %y = arith.addd %x, %x : i32\n  return %y : i32\n}\n");
    let text = report.to_string();
    assert!(
        text.contains("f.mlir:2") && text.contains('^') && text.contains("did you mean `arith.addf`?"),
        "{text}"
    );
    // A `main` that returns it shows the same.
    assert_eq!(format!("{report:?}"), text);
}

#[test]
fn a_text_is_verified() {
    let report = of_text("func.func @f(%x: i32) -> i64 {\n  return %x : i32\n}\n");
    assert!(report.to_string().contains("f.mlir:2"), "{report}");
    assert!(report.code().is_some());
}

#[test]
fn a_pipeline_with_a_mistake_is_shown_with_carets() {
    let report = terrace::passes("func.func(canonicalise)").map(|_| ()).expect_err("it is wrong");
    let text = report.to_string();
    assert!(text.contains('^') && text.contains("did you mean `canonicalize`?"), "{text}");
    assert_eq!(report.code(), Some("E0211"));
}

const HALF: &str = "func.func @half(%x: i32, %y: i32) -> i32 {
  %z = arith.divsi %x, %y : i32
  return %z : i32
}";

#[test]
fn a_trap_points_at_its_op() {
    let module = terrace::parse(&Context::standard(), "half.mlir", HALF).expect("it is right");
    let report = terrace::interp(&module).call("half", &[7.into(), 0.into()]).expect_err("it traps");
    let text = report.to_string();
    assert_eq!(report.code(), Some("E0301"));
    assert!(text.contains("half.mlir:2") && text.contains('^'), "{text}");
}

#[test]
fn arguments_are_checked_before_a_call() {
    let module = terrace::parse(&Context::standard(), "half.mlir", HALF).expect("it is right");
    let mut interp = terrace::interp(&module);
    let few = interp.call("half", &[7.into()]).expect_err("one is missing").to_string();
    assert!(few.contains("@half takes 2 arguments, and 1 are given"), "{few}");
    let wide = interp.call("half", &[7.into(), 7i64.into()]).expect_err("one is too wide");
    assert_eq!(wide.code(), Some("E0304"));
    let text = wide.to_string();
    assert!(text.contains("argument 1 of @half has type i32, and an i64 is given"), "{text}");
    assert!(text.contains("write `7i32.into()`"), "{text}");
    let name = interp.call("hafl", &[]).expect_err("there is none").to_string();
    assert!(name.contains("did you mean @half?"), "{name}");
}

#[test]
fn memory_has_the_size_of_its_elements() {
    let module = terrace::parse(&Context::standard(), "half.mlir", HALF).expect("it is right");
    let mut interp = terrace::interp(&module);
    for sizes in [&[3][..], &[-1, -2], &[i64::MAX, 3]] {
        let report = interp.buffer(sizes, &[1, 2]).expect_err("it does not fit");
        assert_eq!(report.code(), Some("E0304"), "{report}");
    }
    assert!(interp.buffer(&[], &[1]).is_ok() && interp.buffer::<i32>(&[0, 5], &[]).is_ok());
}
