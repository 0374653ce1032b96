// test: opt --pipeline='func.func(array-rewrite{strategy="(at(y) splitJoin(@m))?; (at(w) slideTiling(8, 5))?; (at(z) mapFusion)?"})' --explain-miss=splitJoin --verify-diagnostics

// What a condition misses comes with the sizes it is about.
func.func @parts(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  // expected-remark @+1 {{rule `splitJoin` does not apply to 'array.map': parts divide the size: 1 <= @m is not known; `assume` takes it to hold}}
  %y = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %y : !array.of<@n x i32>
}
