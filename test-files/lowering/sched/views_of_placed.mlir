// Buffers in spaces that only name caches and registers: what stands for them has no space, nor have views of it, in nests and outside.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf)"
// eval: @outside() == 30
// eval: @inside() == 56
// eval: @rotated() == 27

// A buffer of the function, seen as one row, as parts of it, and by a single load.
func.func @outside() -> i32 {
  %c3 = arith.constant 3 : i32
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %t = sched.alloc : memref<3x5xi32, "l2">
  %row = memref.collapse_shape %t [[0, 1]] : memref<3x5xi32, "l2"> into memref<15xi32, "l2">
  %part = memref.subview %row[5] [8] [1] : memref<15xi32, "l2"> to memref<8xi32, strided<[1], offset: 5>, "l2">
  sched.for (%i in 15 by 1 dim 0) {
    sched.write %c3, %row[%i] : memref<15xi32, "l2">
  }
  sched.for (%i in 8 by 1 dim 0 : vector) {
    %a = sched.read %part[%i] : memref<8xi32, strided<[1], offset: 5>, "l2">
    %b = arith.addi %a, %a : i32
    sched.write %b, %part[%i] : memref<8xi32, strided<[1], offset: 5>, "l2">
  }
  %one = memref.load %row[%c7] : memref<15xi32, "l2">
  %sum = sched.for (%i in 15 by 1 dim 0 pw add init (%one)) -> i32 {
    %a = sched.read %t[%i floordiv 5, %i mod 5] : memref<3x5xi32, "l2">
    %keep = arith.subi %a, %c3 : i32
    sched.yield %keep : i32
  }
  return %sum : i32
}
// check: @outside
// check: memref.alloc() {alignment = 64 : i64} : memref<3x5xi32>
// check: memref.collapse_shape %{{.*}} : memref<3x5xi32> into memref<15xi32>
// check: memref.subview %{{.*}} : memref<15xi32> to memref<8xi32, strided<[1], offset: 5>>

// A buffer of an iteration, and views of it there.
func.func @inside() -> i32 {
  %c1 = arith.constant 1 : i32
  %A = memref.alloc() : memref<7x8xi32>
  sched.for (%i in 7 by 1 dim 0 : task) {
    %t = sched.alloc : memref<2x2x2xi32, "reg">
    %row = memref.collapse_shape %t [[0, 1, 2]] : memref<2x2x2xi32, "reg"> into memref<8xi32, "reg">
    %plane = memref.expand_shape %row [[0, 1]] output_shape [4, 2] : memref<8xi32, "reg"> into memref<4x2xi32, "reg">
    sched.for (%j in 4 by 1 dim 1, %k in 2 by 1 dim 2) {
      sched.write %c1, %plane[%j, %k] : memref<4x2xi32, "reg">
    }
    sched.for (%j in 8 by 1 dim 1) {
      %a = sched.read %row[%j] : memref<8xi32, "reg">
      sched.write %a, %A[%i, %j] : memref<7x8xi32>
    }
  }
  %sum = sched.for (%i in 56 by 1 dim 0 pw add) -> i32 {
    %a = sched.read %A[%i floordiv 8, %i mod 8] : memref<7x8xi32>
    sched.yield %a : i32
  }
  memref.dealloc %A : memref<7x8xi32>
  return %sum : i32
}
// check: @inside
// check: memref.collapse_shape %{{.*}} : memref<2x2x2xi32> into memref<8xi32>
// check: memref.expand_shape %{{.*}} : memref<8xi32> into memref<4x2xi32>

// Rows and columns exchanged.
func.func @rotated() -> i32 {
  %c9 = arith.constant 9 : i32
  %t = sched.alloc : memref<1x3xi32, "l1">
  %u = memref.transpose %t (i, j) -> (j, i) : memref<1x3xi32, "l1"> to memref<3x1xi32, strided<[1, 3]>, "l1">
  sched.for (%i in 3 by 1 dim 0) {
    sched.write %c9, %u[%i, 0] : memref<3x1xi32, strided<[1, 3]>, "l1">
  }
  %sum = sched.for (%i in 3 by 1 dim 0 pw add) -> i32 {
    %a = sched.read %t[0, %i] : memref<1x3xi32, "l1">
    sched.yield %a : i32
  }
  return %sum : i32
}
