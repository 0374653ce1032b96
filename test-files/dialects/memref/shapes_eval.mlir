// test: opt --pipeline="func.func(canonicalize)"
// rule: memref_cast_into_user

func.func @views(%n: index) -> (i32, i32, i32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.constant dense<[0, 1, 2, 3, 4, 5]> : vector<6xi32>
  %m = memref.alloc() : memref<6xi32>
  vector.store %all, %m[%c0] : memref<6xi32>, vector<6xi32>
  %d = memref.cast %m : memref<6xi32> to memref<?xi32>
  %e = memref.expand_shape %d [[0, 1]] output_shape [%n, 3] : memref<?xi32> into memref<?x3xi32>
  %x = memref.load %e[%c1, %c1] : memref<?x3xi32>
  %t = memref.transpose %e (i, j) -> (j, i) : memref<?x3xi32> to memref<3x?xi32, strided<[1, 3]>>
  %y = memref.load %t[%c0, %c1] : memref<3x?xi32, strided<[1, 3]>>
  %f = memref.collapse_shape %e [[0, 1]] : memref<?x3xi32> into memref<?xi32>
  %c5 = arith.constant 5 : index
  %z = memref.load %f[%c5] : memref<?xi32>
  %r = memref.rank %e : memref<?x3xi32>
  return %x, %y, %z, %r : i32, i32, i32, index
}
// eval: @views(2) == 4, 3, 5, 2
// eval: @views(3) == trap E0308

func.func @reshape(%a: i32, %b: i32, %i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = arith.constant dense<[0, 1, 2, 3, 4, 5]> : vector<6xi32>
  %m = memref.alloc() : memref<6xi32>
  vector.store %all, %m[%c0] : memref<6xi32>, vector<6xi32>
  %shape = memref.alloc() : memref<2xi32>
  memref.store %a, %shape[%c0] : memref<2xi32>
  memref.store %b, %shape[%c1] : memref<2xi32>
  %r = memref.reshape %m(%shape) : (memref<6xi32>, memref<2xi32>) -> memref<?x?xi32>
  %x = memref.load %r[%i, %j] : memref<?x?xi32>
  return %x : i32
}
// eval: @reshape(2, 3, 1, 1) == 4
// eval: @reshape(3, 2, 1, 1) == 3
// eval: @reshape(3, 3, 1, 1) == trap E0308

func.func @realloc(%n: index, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[5, 6]> : vector<2xi32>
  %m = memref.alloc() : memref<2xi32>
  vector.store %all, %m[%c0] : memref<2xi32>, vector<2xi32>
  %r = memref.realloc %m(%n) : memref<2xi32> to memref<?xi32>
  %x = memref.load %r[%i] : memref<?xi32>
  return %x : i32
}
// eval: @realloc(4, 1) == 6
// eval: @realloc(4, 2) == trap E0309
// eval: @realloc(1, 1) == trap E0308

func.func @metadata(%i: index) -> (index, index, index) {
  %m = memref.alloc() : memref<4x8xi32>
  %s = memref.subview %m[%i, 2] [2, 3] [1, 2] : memref<4x8xi32> to memref<2x3xi32, strided<[8, 2], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %s : memref<2x3xi32, strided<[8, 2], offset: ?>> -> memref<i32>, index, index, index, index, index
  return %offset, %sizes#1, %strides#1 : index, index, index
}
// eval: @metadata(1) == 10, 3, 2

func.func @scope(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (i32) {
    %m = memref.alloca() : memref<1xi32>
    memref.store %x, %m[%c0] : memref<1xi32>
    %y = memref.load %m[%c0] : memref<1xi32>
    memref.alloca_scope.return %y : i32
  }
  return %r : i32
}
// eval: @scope(7) == 7

func.func @folds(%m: memref<8x16xf32>) -> (memref<8x16xf32>, memref<8x16xf32>, index) {
  %e = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  %c = memref.collapse_shape %e [[0, 1], [2]] : memref<2x4x16xf32> into memref<8x16xf32>
  %s = memref.memory_space_cast %m : memref<8x16xf32> to memref<8x16xf32, 3>
  %t = memref.memory_space_cast %s : memref<8x16xf32, 3> to memref<8x16xf32>
  %r = memref.rank %m : memref<8x16xf32>
  return %c, %t, %r : memref<8x16xf32>, memref<8x16xf32>, index
}
// check: func.func @folds
// next: %r = arith.constant 2 : index
// next: return %m, %m, %r
