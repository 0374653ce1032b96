// What is known of buffers folds; what a view changes does not.
// test: opt --pipeline="func.func(canonicalize)"
// rule: alloc_const_sizes, dead_alloc, subview_const, subview_of_all, memref_cast_into_user, copy_nothing

// A size that is a constant goes into the type.
func.func @known_size(%x: i32) -> (i32, index) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %m = memref.alloc(%c5) : memref<?xi32>
  memref.store %x, %m[%c0] : memref<?xi32>
  %r = memref.load %m[%c0] : memref<?xi32>
  %n = memref.dim %m, %c0 : memref<?xi32>
  memref.dealloc %m : memref<?xi32>
  return %r, %n : i32, index
}
// check: func.func @known_size
// check: memref.alloc() : memref<5xi32>
// not: memref.dim
// check: return
// eval: @known_size(3) == (3, 5)

// A buffer that is only given back is not needed.
func.func @never_read(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  memref.dealloc %m : memref<4xi32>
  return %x : i32
}
// check: func.func @never_read(%x: i32)
// next: return %x
// eval: @never_read(1) == 1

// The size of one dimension is known, of the other it is an operand.
func.func @sizes(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?x7xi32>
  %a = memref.dim %m, %c0 : memref<?x7xi32>
  %b = memref.dim %m, %c1 : memref<?x7xi32>
  memref.dealloc %m : memref<?x7xi32>
  return %a, %b : index, index
}
// check: func.func @sizes
// not: memref.dim
// check: %b = arith.constant 7 : index
// next: return %n, %b
// eval: @sizes(0) == (0, 7)
// eval: @sizes(11) == (11, 7)

// The whole buffer as a part of itself.
func.func @all(%x: i32, %i: index) -> i32 {
  %m = memref.alloca() : memref<4xi32>
  %s = memref.subview %m[0] [4] [1] : memref<4xi32> to memref<4xi32, strided<[1]>>
  memref.store %x, %s[%i] : memref<4xi32, strided<[1]>>
  %r = memref.load %m[%i] : memref<4xi32>
  return %r : i32
}
// check: func.func @all
// not: memref.subview
// check: return
// eval: @all(5, 3) == 5
// eval: @all(5, 4) == trap E0308

// Operands that are constants become numbers of the op.
func.func @part(%x: i32, %k: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zeros = arith.constant dense<0> : vector<8xi32>
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi32>
  vector.store %zeros, %m[%c0] : memref<8xi32>, vector<8xi32>
  %s = memref.subview %m[%c1] [%c3] [%c2] : memref<8xi32> to memref<?xi32, strided<[?], offset: ?>>
  memref.store %x, %s[%c2] : memref<?xi32, strided<[?], offset: ?>>
  %r = memref.load %m[%k] : memref<8xi32>
  return %r : i32
}
// check: func.func @part
// check: memref.subview %m[1] [3] [2]
// eval: @part(9, 5) == 9
// eval: @part(9, 2) == 0

// A cast in front of an access is looked through.
func.func @cast(%x: i32, %i: index) -> i32 {
  %m = memref.alloca() : memref<4xi32>
  %d = memref.cast %m : memref<4xi32> to memref<?xi32>
  memref.store %x, %d[%i] : memref<?xi32>
  %r = memref.load %d[%i] : memref<?xi32>
  return %r : i32
}
// check: func.func @cast
// not: memref.cast
// check: return
// eval: @cast(2, 0) == 2
// eval: @cast(2, 4) == trap E0308

func.func @copy_of_nothing(%x: i32) -> i32 {
  %a = memref.alloca() : memref<0x4xi32>
  %b = memref.alloca() : memref<0x4xi32>
  memref.copy %a, %b : memref<0x4xi32> to memref<0x4xi32>
  return %x : i32
}
// check: func.func @copy_of_nothing
// not: memref.copy
// check: return
// eval: @copy_of_nothing(1) == 1
