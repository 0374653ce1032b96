//! Functions that prepare arguments once for all calls: which of them run, and what outputs are called.

use crate::common;

use common::backends::{agree, here};
use common::{run, stdout};

/// A file that is lowered so far already: its caller gives what was prepared
const DONE: &str = "\
func.func @f(%x: tensor<4xf32>, %w_prepared: tensor<4xf32> {terrace.constant}) -> tensor<4xf32> attributes {terrace.prepared_by = [@f_prepare]} {
  %y = mdh.compute (i in 4) ins(%a = %x[i], %b = %w_prepared[i]) outs([i]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @f_prepare(%w: tensor<4xf32>) -> tensor<4xf32> attributes {terrace.takes = array<i64: 1>, terrace.gives = array<i64: 0, -1>} {
  %c = mdh.compute (i in 4) ins(%a = %w[i]) outs([i]) {
    %p = arith.addf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
";

/// Arguments without names, the first of which is prepared
const NAMES: &str = "\
func.func @f(%0: tensor<4xf32> {terrace.constant}, %1: tensor<4xf32>, %2: memref<4xf32>) -> tensor<4xf32> {
  %c = mdh.compute (i in 4) ins(%a = %0[i]) outs([i]) {
    %p = arith.addf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  %y = mdh.compute (i in 4) ins(%a = %1[i], %b = %c[i]) outs([i]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %zero = arith.constant 0 : index
  %seven = arith.constant 7.0 : f32
  memref.store %seven, %2[%zero] : memref<4xf32>
  return %y : tensor<4xf32>
}
";

#[test]
fn what_a_file_has_prepared_is_not_prepared_again() {
    agree("prepared-done", DONE, &["--entry=@f", "--in=x=iota", "--in=w_prepared=iota"], "y");
}

#[test]
fn outputs_are_called_as_in_the_source() {
    for on in here("prepared").split(',') {
        let on = format!("--on={on}");
        let shown = stdout(&run("names", NAMES, &["--in=0=iota", "--in=1=iota", "--in=2=iota", &on]));
        assert_eq!(shown, "y : 4xf32 = 0, 2, 8, 18\n2 : 4xf32 = 7, 1, 2, 3\n", "{on}");
    }
}
