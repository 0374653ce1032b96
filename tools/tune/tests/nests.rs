//! Nests of `sched` whose levels, orders and buffers are open, on the interpreter.

use crate::search::{fresh, scratch, text, tune};

const PRODUCT: &str = "\
func.func @product(%A: memref<4x6xi32>, %B: memref<6x10xi32>, %C: memref<4x10xi32>) {
  %z = arith.constant 0 : i32
  sched.copy (%i, %j) in (4, 10) %z to %C[%i, %j] : i32 to memref<4x10xi32>
  sched.for (%j1 in 10 by 5 dim 1 : @m) {
    %t = sched.alloc when @b : memref<5x6xi32, \"l1\">
    sched.copy (%k, %j) in (6, 5) %B[%k, %j1 + %j] to %t[%j, %k] when @b : memref<6x10xi32> to memref<5x6xi32, \"l1\">
    sched.for (%i in 4 by 1 dim 0 perm @p, %j in 5 by 1 dim 1, %k in 6 by 1 dim 2 pw add) {
      %a = sched.read %A[%i, %k] : memref<4x6xi32>
      %b = sched.read %t[%j, %k] : memref<5x6xi32, \"l1\">
      %q = arith.muli %a, %b : i32
      sched.write %q, %C[%i, %j1 + %j] combine add : memref<4x10xi32>
    }
  }
  return
}
";

/// Three levels (lanes may not stand around loops), six orders, with the buffer and without: all give the same
#[test]
fn every_decision_gives_the_same_values() {
    let (program, log, best) = (scratch("nest.mlir", PRODUCT), fresh("nest.jsonl"), fresh("nest-best.mlir"));
    let log_arg = format!("--log={log}");
    let output =
        tune(&[&program, "--technique=exhaustive", "--budget=100", "--bench=1", &log_arg, "-o", &best]);
    let (out, err) = text(&output);
    assert!(output.status.success(), "{err}");
    assert!(out.starts_with("36 points: 36 ran; refused: VEC 13\n"), "{out}");
    let log = std::fs::read_to_string(log).expect("the log is there");
    let first = log.lines().next().expect("a first line");
    assert!(first.contains(r#""names":["p","b","m"]"#), "{first}");
    let best = std::fs::read_to_string(best).expect("the program is there");
    assert!(best.contains("sched.for"), "{best}");
    assert!(!best.contains("perm @") && !best.contains("when @") && !best.contains(": @"), "{best}");
}

/// A level that no level inside can make right is refused once, not with each of them: 71 whole nests were refused here before
#[test]
fn a_level_is_refused_before_those_inside() {
    let inside = "%i in 4 by 1 dim 0 : @n, %j in 5 by 1 dim 1 : @o,";
    let nest = PRODUCT.replace("%i in 4 by 1 dim 0 perm @p, %j in 5 by 1 dim 1,", inside);
    let program = scratch("levels.mlir", &nest);
    let (out, err) = text(&tune(&[&program, "--technique=exhaustive", "--budget=200", "--bench=1"]));
    assert!(out.starts_with("59 points: 59 ran; refused: NEST 5, VEC 20\n"), "{out}{err}");
}

#[test]
fn what_is_open_is_listed() {
    let program = scratch("listed.mlir", PRODUCT);
    let (out, _) = text(&tune(&[&program, "--dry-run", "--budget=2"]));
    let wanted = "@m is one of seq unroll vector task\n@b is one of 1 0\n@p is one of 0.1.2 0.2.1 1.0.2 1.2.0 2.0.1 2.1.0\n";
    assert!(out.starts_with(wanted), "{out}");
}

#[test]
fn mistakes_are_named() {
    let clash = scratch("clash.mlir", &PRODUCT.replace(": @m", ": @p"));
    let program = scratch("named.mlir", PRODUCT);
    let twice = scratch("twice.mlir", &format!("{PRODUCT}{}", PRODUCT.replace("@product", "@other")));
    for (args, message) in [
        (vec![clash.as_str()], "takes '@p' for the order of 3 loops, which is a level"),
        (vec![&program, "--free=size"], "the file holds a nest of `sched`"),
        (vec![&program, "--forms"], "the file holds a nest of `sched`"),
        (vec![&twice], "which function? Say --entry=@NAME; there are @product, @other"),
    ] {
        let output = tune(&[&args[..], &["--budget=1"]].concat());
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(text(&output).1.contains(message), "{message}: {}", text(&output).1);
    }
    let (out, err) = text(&tune(&[&twice, "--entry=@other", "--dry-run", "--budget=1"]));
    assert!(out.contains("@m is one of"), "{err}");
}
