// test: opt --pipeline="func.func(affine-loop-unroll)"

// Ten iterations by four: two loops, one after the other. What is carried goes from copy to copy.
func.func @sum(%x: i32) -> i32 {
  %r = affine.for %i = 0 to 30 step 3 iter_args(%a = %x) -> i32 {
    %v = arith.index_cast %i : index to i32
    %s = arith.addi %a, %v : i32
    affine.yield %s : i32
  }
  return %r : i32
}
// check: func.func @sum
// check: affine.for %i = 0 to 24 step 12 iter_args
// check: affine.for %{{.*}} = 24 to 30 step 3 iter_args
// eval: @sum(1) == 136

// Values that change places; nine iterations leave one, which is no loop.
func.func @swap(%x: i32, %y: i32) -> (i32, i32) {
  %r:2 = affine.for %i = 0 to 9 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    %s = arith.addi %a, %b : i32
    affine.yield %b, %s : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// check: func.func @swap
// check: affine.for %i = 0 to 8 step 4
// not: affine.for
// check: return
// eval: @swap(0, 1) == (34, 55)

// Exactly four: no loop is left. Fewer: the loop stays, and so does one of unknown bounds.
func.func @few(%n: index, %x: i32) -> (i32, i32, i32) {
  %four = affine.for %i = 0 to 4 iter_args(%a = %x) -> i32 {
    %s = arith.addi %a, %a : i32
    affine.yield %s : i32
  }
  %three = affine.for %i = 0 to 3 iter_args(%a = %x) -> i32 {
    %s = arith.addi %a, %a : i32
    affine.yield %s : i32
  }
  %some = affine.for %i = 0 to %n iter_args(%a = %x) -> i32 {
    %s = arith.addi %a, %a : i32
    affine.yield %s : i32
  }
  return %four, %three, %some : i32, i32, i32
}
// check: func.func @few
// next: arith.addi
// next: arith.addi
// next: arith.addi
// next: arith.addi
// next: affine.for %i = 0 to 3
// check: affine.for %i = 0 to %n
// eval: @few(2, 1) == (16, 8, 4)
