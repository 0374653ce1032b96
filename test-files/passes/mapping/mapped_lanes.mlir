// test: opt --pipeline="func.func(array-map{mapping=A=W0,B=L0,C=V,E=L0},array-to-sched)"
// snapshot: after=array-map,array-to-sched
// M6, the best mapping of Table 1: lanes are asked for by name, and nobody waits.

// check: sched.kernel @two_nests grid [8, 1, 1] block [4, 1, 1] {
// next: sched.for (%i in 8 by 1 dim 0 : block.x) {
// next: %buffer = sched.alloc : memref<4x6xi32, #gpu.address_space<workgroup>>
// next: sched.for (%j in 4 by 1 dim 1 : thread.x, %k in 6 by 1 dim 2 : vector) {
// check: sched.for (%j in 6 by 1 dim 2, %k in 4 by 1 dim 1 : thread.x) {
func.func @two_nests(%in: !array.of<8 x 4 x 6 x i32>, %two: i32) -> !array.of<8 x 4 x 6 x i32> {
  %o = array.map "A" %in as %a {
    %b = array.map "B" %a as %r {
      %c = array.map "C" %r as %x {
        %0 = arith.addi %x, %two : i32
        array.yield %0
      }
      array.yield %c
    }
    %buffer = array.toLocal %b
    %t = array.transpose %buffer
    %d = array.map "D" %t as %col {
      %e = array.map "E" %col as %x {
        %0 = arith.muli %x, %two : i32
        array.yield %0
      }
      array.yield %e
    }
    %u = array.transpose %d
    array.yield %u
  }
  return %o : !array.of<8 x 4 x 6 x i32>
}
