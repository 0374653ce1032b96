// test: round-trip
module {
  func.func @gen_histogram(%v: tensor<23xi32>) -> (tensor<5xi32> {terrace.name = "h"}) {
    %h = mdh.compute "gen_histogram" (e in 23 pw @join, b in 5) ins(%v.e = %v[e]) outs([b]) {
      %c8_i32 = arith.constant 8 : i32
      %0 = arith.remsi %v.e, %c8_i32 : i32
      %c8_i32_0 = arith.constant 8 : i32
      %1 = arith.addi %0, %c8_i32_0 : i32
      %c8_i32_1 = arith.constant 8 : i32
      %2 = arith.remsi %1, %c8_i32_1 : i32
      %3 = mdh.index 1
      %4 = arith.index_cast %3 : index to i32
      %5 = arith.cmpi eq, %2, %4 : i32
      %c1_i32 = arith.constant 1 : i32
      %c0_i32 = arith.constant 0 : i32
      %6 = arith.select %5, %c1_i32, %c0_i32 : i32
      mdh.yield %6 : i32
    } : (tensor<23xi32>) -> tensor<5xi32>
    return %h : tensor<5xi32>
  }
  func.func private @join(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, commutative, exact, identity = [0 : i32]}} {
    %0 = arith.muli %a, %b : i32
    %1 = arith.addi %0, %a : i32
    %2 = arith.addi %1, %b : i32
    return %2 : i32
  }
}
