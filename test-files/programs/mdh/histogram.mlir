// test: round-trip
module {
  func.func @histogram(%v: tensor<29xi32>) -> (tensor<4xi32> {terrace.name = "h"}) {
    %h = mdh.compute "histogram" (e in 29 pw add, b in 4) ins(%v.e = %v[e]) outs([b]) {
      %0 = mdh.index 1
      %1 = arith.index_cast %0 : index to i32
      %2 = arith.cmpi eq, %v.e, %1 : i32
      %c1_i32 = arith.constant 1 : i32
      %c0_i32 = arith.constant 0 : i32
      %3 = arith.select %2, %c1_i32, %c0_i32 : i32
      mdh.yield %3 : i32
    } : (tensor<29xi32>) -> tensor<4xi32>
    return %h : tensor<4xi32>
  }
}
