// test: opt --pipeline="func.func(canonicalize)"
// rule: transfer_read_full_mask

func.func @promises(%m: memref<8x?xf32>, %x: f32, %i: index, %v: vector<1x4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4x2xf32>) {
  %c0 = arith.constant 0 : index
  %mask = vector.constant_mask [4] : vector<4xi1>
  %a = vector.transfer_read %m[%c0, %i], %x, %mask : memref<8x?xf32>, vector<4xf32>
  %b = vector.transfer_read %m[%c0, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x?xf32>, vector<4xf32>
  %c = vector.transfer_read %m[%c0, %i], %x {permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<8x?xf32>, vector<4x2xf32>
  vector.transfer_write %v, %m[%c0, %i] : vector<1x4xf32>, memref<8x?xf32>
  return %a, %b, %c : vector<4xf32>, vector<4xf32>, vector<4x2xf32>
}
// check: func.func @promises
// check: %a = vector.transfer_read %m[%c0, %i], %x : memref<8x?xf32>, vector<4xf32>
// check: %b = vector.transfer_read %m[%c0, %i], %x {in_bounds = [true], permutation_map =
// check: %c = vector.transfer_read %m[%c0, %i], %x {in_bounds = [true, true], permutation_map =
// check: vector.transfer_write %v, %m[%c0, %i] {in_bounds = [true, false]} : vector<1x4xf32>, memref<8x?xf32>

// Rows of a matrix that ends before the vector does.
func.func @read(%i: index, %j: index) -> vector<2x2xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1 : i32
  %all = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %m = memref.alloc() : memref<2x3xi32>
  vector.store %all, %m[%c0, %c0] : memref<2x3xi32>, vector<2x3xi32>
  %r = vector.transfer_read %m[%i, %j], %pad : memref<2x3xi32>, vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @read(0, 1) == [2, 3, 5, 6]
// eval: @read(1, 2) == [6, -1, -1, -1]

func.func @transposed(%j: index) -> vector<2x2xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1 : i32
  %all = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %m = memref.alloc() : memref<2x3xi32>
  vector.store %all, %m[%c0, %c0] : memref<2x3xi32>, vector<2x3xi32>
  %r = vector.transfer_read %m[%c0, %j], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<2x3xi32>, vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @transposed(1) == [2, 5, 3, 6]
// eval: @transposed(2) == [3, 6, -1, -1]

func.func @repeated(%i: index) -> vector<2x2xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1 : i32
  %all = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %m = memref.alloc() : memref<3xi32>
  vector.store %all, %m[%c0] : memref<3xi32>, vector<3xi32>
  %r = vector.transfer_read %m[%i], %pad {permutation_map = affine_map<(d0) -> (0, d0)>} : memref<3xi32>, vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @repeated(1) == [2, 3, 2, 3]
// eval: @repeated(2) == [3, -1, 3, -1]

func.func @promised(%i: index) -> vector<2xi32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1 : i32
  %all = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %m = memref.alloc() : memref<3xi32>
  vector.store %all, %m[%c0] : memref<3xi32>, vector<3xi32>
  %r = vector.transfer_read %m[%i], %pad {in_bounds = [true]} : memref<3xi32>, vector<2xi32>
  return %r : vector<2xi32>
}
// eval: @promised(1) == [2, 3]
// eval: @promised(2) == trap E0308

func.func @write(%i: index, %n: index, %v: vector<2xi32>) -> vector<3xi32> {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %m = memref.alloc() : memref<3xi32>
  vector.store %all, %m[%c0] : memref<3xi32>, vector<3xi32>
  %mask = vector.create_mask %n : vector<2xi1>
  vector.transfer_write %v, %m[%i], %mask : vector<2xi32>, memref<3xi32>
  %r = vector.load %m[%c0] : memref<3xi32>, vector<3xi32>
  return %r : vector<3xi32>
}
// eval: @write(1, 2, [8, 9]) == [1, 8, 9]
// eval: @write(2, 2, [8, 9]) == [1, 2, 8]
// eval: @write(0, 1, [8, 9]) == [8, 2, 3]
