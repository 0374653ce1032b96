// test: opt --pipeline="scf-parallel-to-calls,convert-scf-to-cf"
// not: scf.

// Every lane counts with its own weight, so that no exchange of lanes stays unseen.
func.func private @weigh(%v: vector<8xi32>) -> i32 {
  %w = arith.constant dense<[1, 10, 100, 1000, 10000, 100000, 1000000, 10000000]> : vector<8xi32>
  %p = arith.muli %v, %w : vector<8xi32>
  %r = vector.reduction <add>, %p : vector<8xi32> into i32
  return %r : i32
}
func.func private @digits(%n: index) -> memref<?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n, %n) : memref<?x?xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %k = arith.addi %i, %j : index
      %x = arith.index_cast %k : index to i32
      memref.store %x, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return %a : memref<?x?xi32>
}

// Whole rows, and arithmetic lane by lane.
func.func @load(%i: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %a = func.call @digits(%c11) : (index) -> memref<?x?xi32>
  %v = vector.load %a[%i, %c1] : memref<?x?xi32>, vector<8xi32>
  vector.store %v, %a[%c1, %i] : memref<?x?xi32>, vector<8xi32>
  %w = vector.load %a[%c1, %i] : memref<?x?xi32>, vector<8xi32>
  %r = func.call @weigh(%w) : (vector<8xi32>) -> i32
  return %r : i32
}
// eval: @load(0) == 87654321
// eval: @load(1) == 98765432

// Two dimensions, positions known and unknown.
func.func @positions(%i: index, %j: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %c-5 = arith.constant -5 : i32
  %a = func.call @digits(%c11) : (index) -> memref<?x?xi32>
  %v = vector.load %a[%c0, %c0] : memref<?x?xi32>, vector<3x8xi32>
  %row = vector.extract %v[%i] : vector<8xi32> from vector<3x8xi32>
  %one = vector.extract %v[2, %j] : i32 from vector<3x8xi32>
  %w = vector.insert %c-5, %v [%i, %j] : i32 into vector<3x8xi32>
  %u = vector.insert %row, %w [0] : vector<8xi32> into vector<3x8xi32>
  %s = vector.extract %u[1] : vector<8xi32> from vector<3x8xi32>
  %r = func.call @weigh(%s) : (vector<8xi32>) -> i32
  return %r, %one : i32, i32
}
// eval: @positions(2, 3) == (87654321, 5)
// eval: @positions(1, 7) == (-42345679, 9)

// Under masks: nothing outside is touched.
func.func @masked(%n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %a = func.call @digits(%c11) : (index) -> memref<?x?xi32>
  %other = arith.constant dense<9> : vector<8xi32>
  %m = vector.create_mask %n : vector<8xi1>
  %v = vector.maskedload %a[%c0, %c1], %m, %other : memref<?x?xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  %fixed = vector.constant_mask [3] : vector<8xi1>
  vector.maskedstore %a[%c1, %c0], %fixed, %v : memref<?x?xi32>, vector<8xi1>, vector<8xi32>
  %w = vector.load %a[%c1, %c0] : memref<?x?xi32>, vector<8xi32>
  %r = func.call @weigh(%v) : (vector<8xi32>) -> i32
  %s = func.call @weigh(%w) : (vector<8xi32>) -> i32
  return %r, %s : i32, i32
}
// eval: @masked(0) == (99999999, 87654999)
// eval: @masked(3) == (99999321, 87654321)
// eval: @masked(100) == (87654321, 87654321)
// eval: @masked(-1) == (99999999, 87654999)

// Lanes that are off may lie in front of the buffer.
func.func @masked_before(%from: memref<5xi8>, %to: memref<5xi8>) {
  %before = arith.constant -1 : index
  %other = arith.constant dense<7> : vector<4xi8>
  %one = vector.constant_mask [1] : vector<4xi1>
  %all = arith.constant dense<true> : vector<4xi1>
  %m = arith.xori %one, %all : vector<4xi1>
  %v = vector.maskedload %from[%before], %m, %other : memref<5xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
  vector.maskedstore %to[%before], %m, %v : memref<5xi8>, vector<4xi1>, vector<4xi8>
  return
}
func.func @lanes_before() -> i8 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %five = arith.constant 5 : i8
  %a = memref.alloc() : memref<5xi8>
  %b = memref.alloc() : memref<5xi8>
  %three = arith.constant 3 : i8
  %c1 = arith.constant 1 : index
  memref.store %three, %a[%c0] : memref<5xi8>
  memref.store %three, %a[%c1] : memref<5xi8>
  memref.store %five, %a[%c2] : memref<5xi8>
  func.call @masked_before(%a, %b) : (memref<5xi8>, memref<5xi8>) -> ()
  %r = memref.load %b[%c2] : memref<5xi8>
  return %r : i8
}
// eval: @lanes_before() == 5

// A mask of two dimensions: rows beyond the bound are empty.
func.func @mask2(%n: index, %m: index) -> i32 {
  %mask = vector.create_mask %n, %m : vector<3x8xi1>
  %row = vector.extract %mask[1] : vector<8xi1> from vector<3x8xi1>
  %v = arith.extui %row : vector<8xi1> to vector<8xi32>
  %r = func.call @weigh(%v) : (vector<8xi32>) -> i32
  return %r : i32
}
// eval: @mask2(1, 8) == 0
// eval: @mask2(2, 5) == 11111

// Order and shape.
func.func @shapes() -> (i32, i32, i32, i32) {
  %v = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi32>
  %u = arith.constant dense<[8, 9]> : vector<2xi32>
  %a = vector.shuffle %v, %u [9, 0, 8, 1, 7, 2, 6, 3] : vector<8xi32>, vector<2xi32>
  %m = vector.shape_cast %v : vector<8xi32> to vector<2x4xi32>
  %t = vector.transpose %m, [1, 0] : vector<2x4xi32> to vector<4x2xi32>
  %b = vector.shape_cast %t : vector<4x2xi32> to vector<8xi32>
  %six = vector.shuffle %v, %u [0, 1, 2, 3, 4, 5] : vector<8xi32>, vector<2xi32>
  %n = vector.shape_cast %six : vector<6xi32> to vector<2x3xi32>
  %s = vector.transpose %n, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %f = vector.shape_cast %s : vector<3x2xi32> to vector<6xi32>
  %c = vector.shuffle %f, %u [0, 1, 2, 3, 4, 5, 6, 7] : vector<6xi32>, vector<2xi32>
  %steps = vector.step : vector<8xindex>
  %d = arith.index_cast %steps : vector<8xindex> to vector<8xi32>
  %w = func.call @weigh(%a) : (vector<8xi32>) -> i32
  %x = func.call @weigh(%b) : (vector<8xi32>) -> i32
  %y = func.call @weigh(%c) : (vector<8xi32>) -> i32
  %z = func.call @weigh(%d) : (vector<8xi32>) -> i32
  return %w, %x, %y, %z : i32, i32, i32, i32
}
// eval: @shapes() == (36271809, 73625140, 98524130, 76543210)

// The larger square as a network of shuffles, and dimensions in other orders.
func.func @transposes(%i: index, %j: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloca() : memref<16x8xi32>
  %c8 = arith.constant 8 : index
  scf.for %p = %c0 to %c16 step %c1 {
    scf.for %q = %c0 to %c8 step %c1 {
      %s = arith.muli %p, %c8 : index
      %t = arith.addi %s, %q : index
      %x = arith.index_cast %t : index to i32
      memref.store %x, %a[%p, %q] : memref<16x8xi32>
    }
  }
  %v = vector.load %a[%c0, %c0] : memref<16x8xi32>, vector<16x8xi32>
  %t = vector.transpose %v, [1, 0] : vector<16x8xi32> to vector<8x16xi32>
  %x = vector.extract %t[%i, %j] : i32 from vector<8x16xi32>
  %three = vector.shape_cast %v : vector<16x8xi32> to vector<8x2x8xi32>
  %u = vector.transpose %three, [1, 2, 0] : vector<8x2x8xi32> to vector<2x8x8xi32>
  %y = vector.extract %u[1, %i, 5] : i32 from vector<2x8x8xi32>
  %w = vector.transpose %three, [1, 0, 2] : vector<8x2x8xi32> to vector<2x8x8xi32>
  %z = vector.extract %w[1, %i, 5] : i32 from vector<2x8x8xi32>
  return %x, %y, %z : i32, i32, i32
}
// eval: @transposes(0, 0) == (0, 88, 13)
// eval: @transposes(7, 15) == (127, 95, 125)
// eval: @transposes(3, 9) == (75, 91, 61)

// Combined along dimensions; floats from left to right.
func.func @combined(%x: f32) -> (f32, f32, i32, i32) {
  %big = arith.constant 1.0e8 : f32
  %m = arith.constant -1.0e8 : f32
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %a = vector.insert %x, %zero [0] : f32 into vector<4xf32>
  %b = vector.insert %big, %a [1] : f32 into vector<4xf32>
  %c = vector.insert %m, %b [2] : f32 into vector<4xf32>
  %r = vector.reduction <add>, %c : vector<4xf32> into f32
  %s = vector.reduction <maximumf>, %c, %x : vector<4xf32> into f32
  %v = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %acc = arith.constant dense<[100, 200, 300]> : vector<3xi32>
  %p = vector.multi_reduction <add>, %v, %acc [0] : vector<2x3xi32> to vector<3xi32>
  %p1 = vector.extract %p[1] : i32 from vector<3xi32>
  %start = arith.constant dense<[10, 20]> : vector<2xi32>
  %q = vector.multi_reduction <mul>, %v, %start [1] : vector<2x3xi32> to vector<2xi32>
  %q1 = vector.extract %q[1] : i32 from vector<2xi32>
  return %r, %s, %p1, %q1 : f32, f32, i32, i32
}
// eval: @combined(1.0) == (0.000000e+00, 1.000000e+08, 207, 2400)

// Products of all pairs, one rounding with the accumulator.
func.func @outer() -> (f32, i32) {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %b = arith.constant dense<[3.0, 4.0, 5.0]> : vector<3xf32>
  %acc = arith.constant dense<0.5> : vector<2x3xf32>
  %r = vector.outerproduct %a, %b, %acc : vector<2xf32>, vector<3xf32>
  %x = vector.extract %r[1, 2] : f32 from vector<2x3xf32>
  %c = arith.constant dense<[1, 7]> : vector<2xi32>
  %d = arith.constant 6 : i32
  %s = vector.outerproduct %c, %d : vector<2xi32>, i32
  %y = vector.extract %s[1] : i32 from vector<2xi32>
  return %x, %y : f32, i32
}
// eval: @outer() == (1.050000e+01, 42)

// Transfers: outside is padding, and is left out of writes.
func.func @transfer(%n: index, %i: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 9 : i32
  %a = func.call @digits(%n) : (index) -> memref<?x?xi32>
  %v = vector.transfer_read %a[%c0, %i], %pad : memref<?x?xi32>, vector<8xi32>
  %column = vector.transfer_read %a[%i, %c1], %pad {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xi32>, vector<8xi32>
  vector.transfer_write %column, %a[%c0, %i] : vector<8xi32>, memref<?x?xi32>
  %w = vector.transfer_read %a[%c0, %c0], %pad : memref<?x?xi32>, vector<8xi32>
  %x = func.call @weigh(%v) : (vector<8xi32>) -> i32
  %y = func.call @weigh(%column) : (vector<8xi32>) -> i32
  %z = func.call @weigh(%w) : (vector<8xi32>) -> i32
  return %x, %y, %z : i32, i32, i32
}
// eval: @transfer(8, 0) == (76543210, 87654321, 87654321)
// eval: @transfer(5, 2) == (99999432, 99999543, 99954310)
// eval: @transfer(2, 7) == (99999999, 99999999, 99999910)
// eval: @transfer(5, -1) == (99432109, 99543219, 99954321)

// Rows in another order, repeated, and masked.
func.func @permuted(%n: index, %k: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 9 : i32
  %a = func.call @digits(%n) : (index) -> memref<?x?xi32>
  %m = vector.create_mask %k, %k : vector<8x2xi1>
  %t = vector.transfer_read %a[%c1, %c0], %pad, %m {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xi32>, vector<2x8xi32>
  %r = vector.transfer_read %a[%c1, %c1], %pad {permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<?x?xi32>, vector<2x8xi32>
  %x = vector.extract %t[1] : vector<8xi32> from vector<2x8xi32>
  %y = vector.extract %r[1] : vector<8xi32> from vector<2x8xi32>
  %p = func.call @weigh(%x) : (vector<8xi32>) -> i32
  %q = func.call @weigh(%y) : (vector<8xi32>) -> i32
  return %p, %q : i32, i32
}
// eval: @permuted(5, 2) == (99999932, 33333333)
// eval: @permuted(9, 8) == (98765432, 33333333)
// eval: @permuted(2, 8) == (99999992, 99999999)
