// test: opt --pipeline='func.func(rewrite{strategy="topdown(add_add_const)?"})' --explain-miss=add_add_const --verify-diagnostics

func.func @sums(%x: i32, %y: i32) -> i32 {
  %c = arith.constant 1 : i32
  // expected-remark @+1 {{rule `add_add_const` does not apply to 'arith.addi': operand is another op's result}}
  %a = arith.addi %x, %c : i32
  // expected-remark @+1 {{rule `add_add_const` does not apply to 'arith.addi': operand is not a constant}}
  %b = arith.addi %a, %y : i32
  return %b : i32
}
