//! Output and messages do not depend on the number of threads.

use std::fmt::Write;
use terrace_opt::{Finished, Tool, run_on};

const TOOL: Tool = Tool::OPT;

/// Functions enough for the parallel parser; every `wrong`-th has an error if that is not zero
fn program(wrong: usize) -> String {
    let mut text = String::new();
    for n in 0..400 {
        let ty = if wrong > 0 && n % wrong == 0 { "i64" } else { "i32" };
        let _ = write!(
            text,
            "func.func @f{n}(%x: i32, %y: i32) -> i32 {{\n  %c = arith.constant {n} : i32\n  %a = arith.addi %x, %c : i32\n  \
             %b = arith.addi %a, %c : i32\n  %d = arith.addi %c, %x : i32\n  %e = arith.muli %b, %d : i32\n  \
             return %e : {ty}\n}}\n"
        );
    }
    assert!(text.len() > 1 << 16);
    text
}

fn run(text: &str, threads: usize) -> Finished {
    let args = ["--pipeline=func.func(canonicalize,cse)", "--print-changed", "--stats"].map(String::from);
    let args: Vec<String> = args.into_iter().chain([format!("--threads={threads}")]).collect();
    run_on(TOOL, &args, "many.mlir", text).expect("the arguments are right")
}

#[test]
fn same_output_statistics_and_prints() {
    let text = program(0);
    let one = run(&text, 1);
    assert!(one.out.is_some() && one.messages.contains("rule add_add_const"));
    for threads in [2, 4, 7] {
        let many = run(&text, threads);
        assert!(many.out == one.out, "{threads} threads: another output");
        assert!(many.messages == one.messages, "{threads} threads: other messages");
    }
}

#[test]
fn same_errors_in_the_same_order() {
    let text = program(50);
    let one = run(&text, 1);
    assert!(one.failed && one.messages.matches("error").count() >= 8, "{}", one.messages);
    let four = run(&text, 4);
    assert_eq!(one.messages, four.messages);
}

/// A pass that fails on several functions says so of each, on one thread as on many
#[test]
fn a_failure_does_not_hide_the_next() {
    let function = |name: &str| {
        format!(
            "func.func @{name}(%A: tensor<8xf32>) -> tensor<8xf32> {{\n  \
             %B = mdh.compute \"{name}\" (i in 8) ins(%a = %A[i]) outs([i])\n       \
             attributes {{mdh.schedule = [\"1: ( 1 ) ( ^ ; ^ ) ( BLK.x )\"]}} {{\n    mdh.yield %a : f32\n  \
             }} : (tensor<8xf32>) -> tensor<8xf32>\n  return %B : tensor<8xf32>\n}}\n"
        )
    };
    let text = ["f", "g", "h"].map(function).concat();
    let run = |threads: usize| {
        let args = ["--pipeline=to-host".to_owned(), format!("--threads={threads}")];
        run_on(TOOL, &args, "blocks.mlir", &text).expect("the arguments are right")
    };
    let one = run(1);
    assert!(one.failed && one.messages.matches("error[E0671]").count() == 3, "{}", one.messages);
    for threads in [2, 3, 5] {
        assert_eq!(run(threads).messages, one.messages, "{threads} threads");
    }
}
