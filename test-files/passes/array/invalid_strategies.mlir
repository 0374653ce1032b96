// test: opt --pipeline='func.func(array-rewrite{strategy="at(y) splitJoin(5)"})' --verify-diagnostics

// expected-error @+1 {{strategy `at(y) splitJoin(5)` does not apply: parts divide the size: 5 does not divide 12, which leaves 2}}
func.func @parts(%x: !array.of<12 x i32>) -> !array.of<12 x i32> {
  %y = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %y : !array.of<12 x i32>
}
