// Elements through views: steps, offsets, dimensions of one, none at all.
// test: opt --pipeline="func.func(canonicalize,cse)"

// Fill 4×6 with 10·i + j, and take what a view has at (i, j).
func.func private @filled(%m: memref<4x6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %p = arith.muli %i, %c10 : index
      %q = arith.addi %p, %j : index
      %v = arith.index_cast %q : index to i32
      memref.store %v, %m[%i, %j] : memref<4x6xi32>
    }
  }
  return
}

// Every other column of two rows.
func.func @steps(%i: index, %j: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %s = memref.subview %m[1, 1] [2, 3] [2, 2] : memref<4x6xi32> to memref<2x3xi32, strided<[12, 2], offset: 7>>
  %r = memref.load %s[%i, %j] : memref<2x3xi32, strided<[12, 2], offset: 7>>
  return %r : i32
}
// eval: @steps(0, 0) == 11
// eval: @steps(0, 2) == 15
// eval: @steps(1, 0) == 31
// eval: @steps(1, 2) == 35
// eval: @steps(2, 0) == trap E0308
// eval: @steps(0, 3) == trap E0308
// eval: @steps(-1, 0) == trap E0308

// One column: the dimension of one is gone.
func.func @column(%j: index, %i: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %s = memref.subview %m[0, %j] [4, 1] [1, 1] : memref<4x6xi32> to memref<4xi32, strided<[6], offset: ?>>
  %r = memref.load %s[%i] : memref<4xi32, strided<[6], offset: ?>>
  return %r : i32
}
// eval: @column(0, 0) == 0
// eval: @column(5, 3) == 35
// eval: @column(2, 1) == 12

// One element: no dimension is left.
func.func @element(%i: index, %j: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %s = memref.subview %m[%i, %j] [1, 1] [1, 1] : memref<4x6xi32> to memref<i32, strided<[], offset: ?>>
  %r = memref.load %s[] : memref<i32, strided<[], offset: ?>>
  return %r : i32
}
// eval: @element(0, 0) == 0
// eval: @element(3, 5) == 35

// A part of a part: offsets add up, steps multiply.
func.func @part_of_part(%i: index, %j: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %s = memref.subview %m[0, 1] [4, 3] [1, 2] : memref<4x6xi32> to memref<4x3xi32, strided<[6, 2], offset: 1>>
  %t = memref.subview %s[1, 0] [2, 2] [2, 2] : memref<4x3xi32, strided<[6, 2], offset: 1>> to memref<2x2xi32, strided<[12, 4], offset: 7>>
  %r = memref.load %t[%i, %j] : memref<2x2xi32, strided<[12, 4], offset: 7>>
  return %r : i32
}
// eval: @part_of_part(0, 0) == 11
// eval: @part_of_part(0, 1) == 15
// eval: @part_of_part(1, 0) == 31
// eval: @part_of_part(1, 1) == 35

func.func @transposed(%i: index, %j: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xi32> to memref<6x4xi32, strided<[1, 6]>>
  %r = memref.load %t[%i, %j] : memref<6x4xi32, strided<[1, 6]>>
  return %r : i32
}
// eval: @transposed(5, 0) == 5
// eval: @transposed(0, 3) == 30
// eval: @transposed(5, 3) == 35
// eval: @transposed(3, 5) == trap E0308

// What is written through a transposed part of it is in the buffer.
func.func @written(%x: i32, %i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %s = memref.subview %m[1, 2] [3, 2] [1, 1] : memref<4x6xi32> to memref<3x2xi32, strided<[6, 1], offset: 8>>
  %t = memref.transpose %s (i, j) -> (j, i) : memref<3x2xi32, strided<[6, 1], offset: 8>> to memref<2x3xi32, strided<[1, 6], offset: 8>>
  memref.store %x, %t[%c1, %c0] : memref<2x3xi32, strided<[1, 6], offset: 8>>
  %r = memref.load %m[%i, %j] : memref<4x6xi32>
  return %r : i32
}
// eval: @written(-1, 1, 3) == -1
// eval: @written(-1, 1, 2) == 12
// eval: @written(-1, 3, 1) == 31

// The diagonal: one dimension whose step is a row and an element.
func.func @diagonal(%i: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %d = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [7] : memref<4x6xi32> to memref<4xi32, strided<[7]>>
  %r = memref.load %d[%i] : memref<4xi32, strided<[7]>>
  return %r : i32
}
// eval: @diagonal(0) == 0
// eval: @diagonal(3) == 33
// eval: @diagonal(4) == trap E0308

// A step of zero: every element is the same one.
func.func @repeated(%i: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %d = memref.reinterpret_cast %m to offset: [8], sizes: [100], strides: [0] : memref<4x6xi32> to memref<100xi32, strided<[0], offset: 8>>
  %r = memref.load %d[%i] : memref<100xi32, strided<[0], offset: 8>>
  return %r : i32
}
// eval: @repeated(0) == 12
// eval: @repeated(99) == 12

// Backward: a step below zero.
func.func @reversed(%i: index) -> i32 {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %d = memref.reinterpret_cast %m to offset: [5], sizes: [6], strides: [-1] : memref<4x6xi32> to memref<6xi32, strided<[-1], offset: 5>>
  %r = memref.load %d[%i] : memref<6xi32, strided<[-1], offset: 5>>
  return %r : i32
}
// eval: @reversed(0) == 5
// eval: @reversed(5) == 0
// eval: @reversed(6) == trap E0308

func.func @reshaped(%i: index, %j: index, %k: index) -> (i32, i32) {
  %m = memref.alloca() : memref<4x6xi32>
  func.call @filled(%m) : (memref<4x6xi32>) -> ()
  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [4, 2, 3] : memref<4x6xi32> into memref<4x2x3xi32>
  %x = memref.load %e[%i, %j, %k] : memref<4x2x3xi32>
  %c = memref.collapse_shape %e [[0, 1], [2]] : memref<4x2x3xi32> into memref<8x3xi32>
  %l = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
  %y = memref.load %c[%l, %k] : memref<8x3xi32>
  return %x, %y : i32, i32
}
// eval: @reshaped(0, 0, 0) == (0, 0)
// eval: @reshaped(3, 1, 2) == (35, 35)
// eval: @reshaped(2, 1, 0) == (23, 23)
