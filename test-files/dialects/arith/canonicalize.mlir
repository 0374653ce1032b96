// test: opt --pipeline="func.func(canonicalize)"
// rule: add_add_const, add_sub_const_right, add_sub_const_left, sub_add_const, sub_from_add_const
// rule: sub_sub_const_right, sub_sub_const_left, sub_from_sub_const_right, sub_from_sub_const_left, mul_mul_const

// The flag goes, because the regrouped sum may overflow where the old one did not.
func.func @regroup(%x: i32) -> i32 {
  %a = arith.constant 100 : i32
  %b = arith.constant 23 : i32
  %s = arith.addi %x, %a overflow<nsw> : i32
  %t = arith.addi %s, %b overflow<nsw> : i32
  return %t : i32
}
// eval: @regroup(0) == 123
// eval: @regroup(-130) == -7
// eval: @regroup(2147483600) == poison
// check: arith.constant 123 : i32
// not: overflow
// next: %t = arith.addi %x, %{{.*}} : i32
// next: return %t

func.func @differences(%x: i32) -> (i32, i32, i32, i32) {
  %a = arith.constant 10 : i32
  %b = arith.constant 3 : i32
  %0 = arith.subi %x, %a : i32
  %r0 = arith.addi %0, %b : i32
  %1 = arith.subi %a, %x : i32
  %r1 = arith.addi %1, %b : i32
  %2 = arith.addi %x, %a : i32
  %r2 = arith.subi %2, %b : i32
  %3 = arith.addi %x, %b : i32
  %r3 = arith.subi %a, %3 : i32
  return %r0, %r1, %r2, %r3 : i32, i32, i32, i32
}
// eval: @differences(5) == (-2, 8, 12, 2)
// eval: @differences(-2147483648) == (2147483641, -2147483635, -2147483641, -2147483641)
// check: func.func @differences
// check: %r0 = arith.addi %x, %{{.*}}
// check: %r1 = arith.subi %{{.*}}, %x
// check: %r2 = arith.addi %x
// check: %r3 = arith.subi %{{.*}}, %x

func.func @twice(%x: i32) -> (i32, i32, i32, i32, i32) {
  %a = arith.constant 10 : i32
  %b = arith.constant 3 : i32
  %0 = arith.subi %x, %a : i32
  %r0 = arith.subi %0, %b : i32
  %1 = arith.subi %a, %x : i32
  %r1 = arith.subi %1, %b : i32
  %r2 = arith.subi %b, %0 : i32
  %r3 = arith.subi %b, %1 : i32
  %4 = arith.muli %x, %a : i32
  %r4 = arith.muli %4, %b : i32
  return %r0, %r1, %r2, %r3, %r4 : i32, i32, i32, i32, i32
}
// eval: @twice(4) == (-9, 3, 9, -3, 120)
// eval: @twice(1000000000) == (999999987, -999999993, -999999987, 999999993, -64771072)
// check: func.func @twice
// check: %r0 = arith.subi %x
// next: %r1 = arith.subi %{{.*}}, %x
// next: %r2 = arith.subi %{{.*}}, %x
// next: %r3 = arith.addi %x
// next: %r4 = arith.muli %x
// next: return
