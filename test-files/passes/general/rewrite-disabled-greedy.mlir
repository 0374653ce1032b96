// test: opt --pipeline='func.func(rewrite{rules=add_add_const,mul_mul_const})' --disable-rule=mul_mul_const

func.func @half(%x: i32) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %0 = arith.addi %x, %a : i32
  %1 = arith.addi %0, %b : i32
  %2 = arith.muli %x, %b : i32
  %3 = arith.muli %2, %b : i32
  return %1, %3 : i32, i32
}
// check: func.func @half
// check: %{{.*}} = arith.addi %x, %c3
// check: arith.muli %x, %b
// next: arith.muli
// eval: @half(5) == (8, 20)
