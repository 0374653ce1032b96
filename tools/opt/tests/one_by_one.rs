//! Functions that are read, changed and printed one after the other: the text and the messages of files read as a whole.

use std::fmt::Write;
use terrace_opt::{Finished, Tool, run_on};

const TOOL: Tool = Tool::OPT;
const PASSES: &str = "--pipeline=func.func(canonicalize,cse),func.func(licm)";

/// Functions enough to be read apart, each with constants, arithmetic and a loop
fn functions(count: usize) -> String {
    let mut text = String::new();
    for n in 0..count {
        let _ = write!(
            text,
            "func.func @f{n}(%x: i32, %y: index, %m: memref<?xi32>) -> i32 {{\n  %c = arith.constant {n} : i32\n  \
             %0 = arith.constant 0 : index\n  %step = arith.constant 1 : index\n  %a = arith.addi %x, %c : i32\n  \
             scf.for %i = %0 to %y step %step {{\n    %b = arith.addi %a, %c : i32\n    \
             memref.store %b, %m[%i] : memref<?xi32>\n  }}\n  %d = arith.addi %c, %x : i32\n  \
             %e = arith.muli %a, %d : i32\n  return %e : i32\n}}\n"
        );
    }
    text
}

fn run(text: &str, args: &[&str]) -> Finished {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    run_on(TOOL, &args, "many.mlir", text).expect("the arguments are right")
}

/// The same, read as a whole: statistics are of the whole file
fn whole(text: &str, args: &[&str]) -> Finished {
    let finished = run(text, &[args, &["--stats"]].concat());
    let messages = finished.messages.split("===== statistics").next().unwrap_or_default().to_string();
    Finished { messages, ..finished }
}

/// Output and messages are those of the file read as a whole, on any number of threads
fn check(text: &str, args: &[&str]) -> Finished {
    let expected = whole(text, args);
    for threads in ["--threads=1", "--threads=2", "--threads=3"] {
        let found = run(text, &[args, &[threads]].concat());
        assert!(found.out == expected.out, "{threads} {args:?}: another output");
        assert_eq!(found.messages, expected.messages, "{threads} {args:?}");
        assert_eq!(found.failed, expected.failed);
    }
    expected
}

fn out(finished: Finished) -> String {
    String::from_utf8(finished.out.expect("it succeeds")).expect("text")
}

#[test]
fn the_same_text() {
    let functions = functions(300);
    assert!(functions.len() > 1 << 16);
    for text in [
        functions.clone(),
        format!("module {{\n{functions}}}\n"),
        format!("module @name attributes {{a.b = 1 : i32}} {{\n{functions}}}\n"),
        format!("// a comment\nmodule {{\n{functions}func.func private @declared(i32)\n}} loc(unknown)\n"),
    ] {
        for args in [&[][..], &[PASSES], &["--emit=generic"], &[PASSES, "--emit=generic"]] {
            let text = out(check(&text, args));
            assert!(text.len() > 1 << 15 && text.ends_with("\n"));
        }
    }
}

/// What it can't be done for: the file is read as a whole, whatever the place of what stands against it
#[test]
fn what_asks_for_more_than_a_function() {
    let functions = functions(300);
    let call =
        "func.func @last(%x: i32) {\n  call @g(%x) : (i32) -> ()\n  return\n}\nfunc.func private @g(i32)\n";
    let generic_call = "func.func @last(%x: i32) {\n  \"func.call\"(%x) <{callee = @g}> : (i32) -> ()\n  return\n}\n\
                        func.func private @g(i32)\n";
    let alias = "func.func @last(%m: memref<4xi32, affine_map<(d0) -> (d0)>>) {\n  return\n}\n";
    let alone = "%0 = arith.constant 1 : i32\n";
    let nested = "module @inner {\n  func.func @g() {\n    return\n  }\n}\n";
    for last in [call, generic_call, alias, alone, nested] {
        for text in [format!("{functions}{last}"), format!("{last}{functions}")] {
            let text = out(check(&text, &[PASSES]));
            assert!(text.contains("@f299"));
        }
        let text = out(check(&format!("module {{\n{functions}}}\n{last}"), &[]));
        assert!(text.contains("@f299") && text.starts_with("module {\n  module {\n"), "{}", &text[..40]);
    }
    let modules = format!("module @a {{\n}}\n// {}\nmodule @b {{\n}}\n", "-".repeat(1 << 16));
    assert!(out(check(&modules, &[])).contains("module @b {"));
    let text = out(check(&functions, &["--pipeline=func.func(canonicalize),symbol-dce"]));
    assert!(text.contains("@f299"));
}

/// Mistakes are reported as ever: all of the parser's, or else all of the verifier's
#[test]
fn the_same_messages() {
    let functions = functions(300);
    let (unknown, twice) = ("func.func @g() {\n  nothing\n}\n", "func.func @f7() {\n  return\n}\n");
    let invalid = "func.func @h(%x: i32) -> i64 {\n  return %x : i32\n}\n";
    for wrong in
        [unknown.to_string(), twice.to_string(), invalid.to_string(), [unknown, twice, invalid].concat()]
    {
        for text in [
            format!("{functions}{wrong}"),
            format!("{wrong}{functions}"),
            format!("module {{{wrong}{functions}}}"),
        ] {
            let finished = check(&text, &[PASSES]);
            assert!(finished.failed && finished.out.is_none() && finished.messages.contains("error"));
        }
    }
    let open = format!("module {{\n{functions}");
    assert!(check(&open, &[]).messages.contains("a `}` is missing"));
}
