// test: opt --pipeline="func.func(array-to-sched)"
// Levels that are not decided yet stay on the loops; no kernel is made for them.

func.func @open(%in: !array.of<6 x 8 x 4 x i32>, %two: i32) -> !array.of<6 x 8 x 4 x i32> {
  %out = array.map "A" %in : @a as %x {
    %b = array.map "B" %x : @b as %r {
      %c = array.map "C" %r : @c as %e {
        %f = arith.addi %e, %two : i32
        array.yield %f
      }
      array.yield %c
    }
    array.yield %b
  }
  return %out : !array.of<6 x 8 x 4 x i32>
}
// check: func.func @open(%in: memref<6x8x4xi32>, %two: i32, %out: memref<6x8x4xi32> {llvm.noalias}) {
// next: sched.for (%i in 6 by 1 dim 0 : @a, %j in 8 by 1 dim 1 : @b, %k in 4 by 1 dim 2 : @c) {
// next: %0 = sched.read %in[%i, %j, %k] : memref<6x8x4xi32>
// next: %f = arith.addi %0, %two : i32
// next: sched.write %f, %out[%i, %j, %k] : memref<6x8x4xi32>
// next: }
// next: return
