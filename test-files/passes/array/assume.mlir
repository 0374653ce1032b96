// test: opt --pipeline='func.func(array-rewrite{strategy="at(y) splitJoin(@m)" assume=true},array-obligations)' --verify-diagnostics

// A condition that nobody knows is taken to hold, and stays to be met.
func.func @parts(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  // expected-remark @+2 {{array.split: size of parts: 1 <= @m is open}}
  // expected-remark @+1 {{array.split: size of parts: @m divides @n is open}}
  %y = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %y : !array.of<@n x i32>
}
