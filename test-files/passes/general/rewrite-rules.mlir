// test: opt --pipeline="func.func(rewrite{rules=add_add_const,sub_sub_same})"

// These rules and no others.
func.func @some(%x: i32, %y: i32) -> (i32, i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.constant 2 : i32
  %0 = arith.addi %x, %a : i32
  %1 = arith.addi %0, %b : i32
  %2 = arith.muli %x, %b : i32
  %3 = arith.muli %2, %b : i32
  %4 = arith.subi %x, %y : i32
  %5 = arith.subi %4, %x : i32
  return %1, %3, %5 : i32, i32, i32
}
// check: func.func @some
// check: arith.addi %x
// next: arith.muli
// next: arith.muli
// next: arith.subi %{{.*}}, %y
// next: return
// eval: @some(5, 7) == (8, 20, -7)
