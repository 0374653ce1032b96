// test: opt --pipeline='func.func(array-rewrite{rules=mapFusion})' --explain-miss=mapFusion --verify-diagnostics

// Rules alone say what they miss with its values too.
func.func @f(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  // expected-remark @+1 {{an operand comes from elsewhere: an argument instead of array.map}}
  %t = array.map %x : seq as %a {
    %b = arith.muli %a, %a : i32
    array.yield %b
  }
  // expected-remark @+1 {{rule `mapFusion` does not apply to 'array.map': same_level: "thread.x" and "seq"}}
  %u = array.map %t : thread.x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  return %u : !array.of<@n x i32>
}
