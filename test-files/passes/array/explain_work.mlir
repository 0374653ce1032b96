// test: opt --pipeline='func.func(array-rewrite{strategy="topdown(mapFusion)?"})' --explain-miss=mapFusion --verify-diagnostics

// What is made once is not made for each element.
func.func @once(%x: !array.of<@n x i32>, %y: !array.of<@m x i32>) -> !array.of<@m x @n x i32> {
  // expected-remark @+1 {{rule `mapFusion` does not apply to 'array.map': an operand comes from elsewhere: an argument instead of array.map}}
  %t = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  // expected-remark @+1 {{rule `mapFusion` does not apply to 'array.map': an operand comes from elsewhere: an argument instead of array.map}}
  %z = array.map %y as %b {
    // expected-remark @+1 {{rule `mapFusion` does not apply to 'array.map': one_use: t is made once, outside of the map around}}
    %u = array.map %t as %a {
      %c = arith.addi %a, %b : i32
      array.yield %c
    }
    array.yield %u
  }
  return %z : !array.of<@m x @n x i32>
}
