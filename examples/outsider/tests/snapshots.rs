//! Whole dumps: what a pipeline of `money-opt` makes of a text, and that every snapshot has its test.

use outsider::tool;
use terrace_filetest::{assert_ir_snapshot, check_snapshots};

const TOTAL: &str = r#"
func.func @total(%a: i64, %b: i64) -> i64 {
  %x = money.of %a : !money.amount<"EUR">
  %y = money.of %b : !money.amount<"EUR">
  %sum = money.add %x, %y : !money.amount<"EUR">
  %cents = money.cents %sum : !money.amount<"EUR">
  return %cents : i64
}
"#;

#[test]
fn amounts_disappear() {
    assert_ir_snapshot!(tool(), "func.func(money-to-arith)", TOTAL);
}

#[test]
fn a_short_one_stands_in_the_source() {
    assert_ir_snapshot!(tool(), "func.func(money-to-arith)", TOTAL, @"
    module {
      func.func @total(%a: i64, %b: i64) -> i64 {
        %cents = arith.addi %a, %b : i64
        return %cents : i64
      }
    }
    ");
}

#[test]
fn every_snapshot_has_a_test() {
    check_snapshots(env!("CARGO_MANIFEST_DIR").as_ref()).unwrap_or_else(|why| panic!("{why}"));
}
