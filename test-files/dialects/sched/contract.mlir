// test: round-trip
// Sums of products of panels.
// eval: @bytes(0, 0) == 32515
// eval: @bytes(1, 2) == 24
// eval: @floats(0, 1) == 28.5
// eval: @overwritten(0, 1) == 28.0
// eval: @signs(0, 0) == 32640
// eval: @signs(0, 1) == -32640
// eval: @in_front(1, 1) == 78

// A = [[-128, 127, 1, 2], [3, 4, 5, 6]] as one group of 4, B has the columns [-128, 127, 1, 0], [1, 2, 3, 4], [-2, -1, 3, 3].
func.func @bytes(%i: index, %j: index) -> i32 {
  %a = arith.constant dense<[[[-128, 127, 1, 2], [3, 4, 5, 6]]]> : vector<1x2x4xi8>
  %b = arith.constant dense<[[[-128, 127, 1, 0], [1, 2, 3, 4], [-2, -1, 3, 3]]]> : vector<1x3x4xi8>
  %one = arith.constant dense<1> : vector<2x3xi32>
  %z = arith.constant 0 : index
  %A = memref.alloc() : memref<1x2x4xi8>
  %B = memref.alloc() : memref<1x3x4xi8>
  %C = memref.alloc() : memref<2x3xi32>
  vector.store %a, %A[%z, %z, %z] : memref<1x2x4xi8>, vector<1x2x4xi8>
  vector.store %b, %B[%z, %z, %z] : memref<1x3x4xi8>, vector<1x3x4xi8>
  vector.store %one, %C[%z, %z] : memref<2x3xi32>, vector<2x3xi32>
  sched.contract %A[%z], %B[%z] into %C : memref<1x2x4xi8>, memref<1x3x4xi8> into memref<2x3xi32>
  %c = memref.load %C[%i, %j] : memref<2x3xi32>
  return %c : i32
}

// k runs over what both panels have: 3 of 4 here.
func.func @floats(%i: index, %j: index) -> f32 {
  %a = arith.constant dense<[[[1.0, 2.0, 3.0, 7.0]]]> : vector<1x1x4xbf16>
  %b = arith.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]> : vector<3x2x1xbf16>
  %half = arith.constant dense<0.5> : vector<1x2xf32>
  %z = arith.constant 0 : index
  %A = memref.alloc() : memref<1x1x4xbf16>
  %B = memref.alloc() : memref<3x2x1xbf16>
  %C = memref.alloc() : memref<1x2xf32>
  vector.store %a, %A[%z, %z, %z] : memref<1x1x4xbf16>, vector<1x1x4xbf16>
  vector.store %b, %B[%z, %z, %z] : memref<3x2x1xbf16>, vector<3x2x1xbf16>
  vector.store %half, %C[%z, %z] : memref<1x2xf32>, vector<1x2xf32>
  sched.contract %A[%z], %B[%z] into %C : memref<1x1x4xbf16>, memref<3x2x1xbf16> into memref<1x2xf32>
  %c = memref.load %C[%i, %j] : memref<1x2xf32>
  return %c : f32
}

// What the tile held is no part of the sums.
func.func @overwritten(%i: index, %j: index) -> f32 {
  %a = arith.constant dense<[[[1.0, 2.0, 3.0, 7.0]]]> : vector<1x1x4xbf16>
  %b = arith.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]> : vector<3x2x1xbf16>
  %half = arith.constant dense<0.5> : vector<1x2xf32>
  %z = arith.constant 0 : index
  %A = memref.alloc() : memref<1x1x4xbf16>
  %B = memref.alloc() : memref<3x2x1xbf16>
  %C = memref.alloc() : memref<1x2xf32>
  vector.store %a, %A[%z, %z, %z] : memref<1x1x4xbf16>, vector<1x1x4xbf16>
  vector.store %b, %B[%z, %z, %z] : memref<3x2x1xbf16>, vector<3x2x1xbf16>
  vector.store %half, %C[%z, %z] : memref<1x2xf32>, vector<1x2xf32>
  sched.contract %A[%z], %B[%z] into %C {overwrite} : memref<1x1x4xbf16>, memref<3x2x1xbf16> into memref<1x2xf32>
  %c = memref.load %C[%i, %j] : memref<1x2xf32>
  return %c : f32
}

// 255 without a sign is -1 with one: 255 * 128 on the left and on the right of a product with -128 or 128.
func.func @signs(%i: index, %j: index) -> i32 {
  %a = arith.constant dense<[[[-1, 0, 0, 0]]]> : vector<1x1x4xi8>
  %b = arith.constant dense<[[[-128, 0, 0, 0]]]> : vector<1x1x4xi8>
  %z = arith.constant 0 : index
  %A = memref.alloc() : memref<1x1x4xi8>
  %B = memref.alloc() : memref<1x1x4xi8>
  %C = memref.alloc() : memref<1x1xi32>
  %D = memref.alloc() : memref<1x1xi32>
  vector.store %a, %A[%z, %z, %z] : memref<1x1x4xi8>, vector<1x1x4xi8>
  vector.store %b, %B[%z, %z, %z] : memref<1x1x4xi8>, vector<1x1x4xi8>
  sched.contract %A[%z], %B[%z] into %C {lhs_unsigned, overwrite, rhs_unsigned} : memref<1x1x4xi8>, memref<1x1x4xi8> into memref<1x1xi32>
  sched.contract %A[%z], %B[%z] into %D {lhs_unsigned, overwrite} : memref<1x1x4xi8>, memref<1x1x4xi8> into memref<1x1xi32>
  %c = memref.load %C[%z, %z] : memref<1x1xi32>
  %d = memref.load %D[%z, %z] : memref<1x1xi32>
  %both = arith.cmpi eq, %j, %z : index
  %r = arith.select %both, %c, %d : i32
  return %r : i32
}

// The second of two panels in front, from its second row on: 3 * 5 + 7 * 9.
func.func @in_front(%n: index, %r: index) -> i32 {
  %a = arith.constant dense<[[[[0, 0], [0, 0]]], [[[1, 2], [3, 7]]]]> : vector<2x1x2x2xi8>
  %b = arith.constant dense<[[[5, 9]]]> : vector<1x1x2xi8>
  %z = arith.constant 0 : index
  %A = memref.alloc() : memref<2x1x2x2xi8>
  %B = memref.alloc() : memref<1x1x2xi8>
  %C = memref.alloc() : memref<1x1x1xi32>
  vector.store %a, %A[%z, %z, %z, %z] : memref<2x1x2x2xi8>, vector<2x1x2x2xi8>
  vector.store %b, %B[%z, %z, %z] : memref<1x1x2xi8>, vector<1x1x2xi8>
  sched.contract %A[%n, %r], %B[%z] into %C {overwrite} : memref<2x1x2x2xi8>, memref<1x1x2xi8> into memref<1x1x1xi32>
  %c = memref.load %C[%z, %z, %z] : memref<1x1x1xi32>
  return %c : i32
}
