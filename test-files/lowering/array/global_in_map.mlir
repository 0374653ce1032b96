// test: opt --pipeline="func.func(array-to-sched)"
// Device memory in a map is made before the kernel, a part for each iteration: kernels make none.

// check: func.func @l1
// next: %buf = sched.alloc : memref<4x6x8xi32>
// next: sched.kernel @l1 grid [4, 1, 1] block [6, 1, 1] {
// next: sched.for (%i in 4 by 1 dim 0 : block.x) {
// check: sched.write %v, %buf[%i, %j, %k] : memref<4x6x8xi32>
// check: sched.read %buf[%i, %k, %j] : memref<4x6x8xi32>
func.func @l1(%in: !array.of<4 x 6 x 8 x i32>, %c: i32) -> !array.of<4 x 6 x 8 x i32> {
  %o = array.map "A" %in : block.x as %plane {
    %b = array.map "B" %plane : thread.x as %row {
      %r = array.map "C" %row : seq as %x {
        %v = arith.addi %x, %c : i32
        array.yield %v
      }
      array.yield %r
    }
    %buf = array.toGlobal %b
    %t = array.transpose %buf
    %d = array.map "D" %t : seq as %col {
      %r = array.map "E" %col : thread.x as %x {
        %v = arith.muli %x, %c : i32
        array.yield %v
      }
      array.yield %r
    }
    %dt = array.transpose %d
    array.yield %dt
  }
  return %o : !array.of<4 x 6 x 8 x i32>
}

// A host gives the memory back in each iteration.
// check: func.func @host
// next: sched.for (%i in 4 by 1 dim 0) {
// next: %buf = sched.alloc : memref<8xi32>
func.func @host(%in: !array.of<4 x 8 x i32>, %c: i32) -> !array.of<4 x 8 x i32> {
  %o = array.map %in as %row {
    %r = array.map %row as %x {
      %v = arith.addi %x, %c : i32
      array.yield %v
    }
    %buf = array.toGlobal %r
    %d = array.map (array.reorder by 7 - $i inverse 7 - $i %buf) as %x {
      %v = arith.muli %x, %c : i32
      array.yield %v
    }
    array.yield %d
  }
  return %o : !array.of<4 x 8 x i32>
}
