// Vectors from memory and into it: at the border, under masks, along strides, upside down.
// test: opt --pipeline="func.func(canonicalize)"

func.func private @counted(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[10, 11, 12, 13, 14, 15, 16, 17]> : vector<8xi32>
  vector.store %all, %m[%c0] : memref<8xi32>, vector<8xi32>
  return
}

func.func @load(%i: index) -> vector<3xi32> {
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  %r = vector.load %m[%i] : memref<8xi32>, vector<3xi32>
  return %r : vector<3xi32>
}
// eval: @load(0) == [10, 11, 12]
// eval: @load(5) == [15, 16, 17]
// eval: @load(6) == trap E0308
// eval: @load(-1) == trap E0308

// What is outside is the padding.
func.func @padded(%i: index, %x: i32) -> vector<4xi32> {
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  %r = vector.transfer_read %m[%i], %x : memref<8xi32>, vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @padded(0, -1) == [10, 11, 12, 13]
// eval: @padded(6, -1) == [16, 17, -1, -1]
// eval: @padded(8, -1) == [-1, -1, -1, -1]

// A write that reaches outside writes what is inside.
func.func @clipped(%i: index, %v: vector<4xi32>, %k: index) -> i32 {
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  vector.transfer_write %v, %m[%i] : vector<4xi32>, memref<8xi32>
  %r = memref.load %m[%k] : memref<8xi32>
  return %r : i32
}
// eval: @clipped(6, [1, 2, 3, 4], 7) == 2
// eval: @clipped(6, [1, 2, 3, 4], 5) == 15
// eval: @clipped(0, [1, 2, 3, 4], 3) == 4

// Under a mask: what is not set is not read, so that it may lie outside.
func.func @masked(%i: index, %mask: vector<4xi1>, %x: vector<4xi32>) -> vector<4xi32> {
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  %r = vector.maskedload %m[%i], %mask, %x : memref<8xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @masked(0, [true, false, true, false], [1, 2, 3, 4]) == [10, 2, 12, 4]
// eval: @masked(6, [true, true, false, false], [1, 2, 3, 4]) == [16, 17, 3, 4]
// eval: @masked(0, [false, false, false, false], [1, 2, 3, 4]) == [1, 2, 3, 4]

func.func @masked_store(%mask: vector<4xi1>, %v: vector<4xi32>) -> vector<4xi32> {
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  vector.maskedstore %m[%c2], %mask, %v : memref<8xi32>, vector<4xi1>, vector<4xi32>
  %r = vector.load %m[%c2] : memref<8xi32>, vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @masked_store([true, true, true, true], [1, 2, 3, 4]) == [1, 2, 3, 4]
// eval: @masked_store([false, true, true, false], [1, 2, 3, 4]) == [12, 2, 3, 15]

func.func @gathered(%at: vector<4xi32>, %mask: vector<4xi1>, %x: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  %r = vector.gather %m[%c0] [%at], %mask, %x : memref<8xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @gathered([7, 0, 0, 3], [true, true, true, true], [0, 0, 0, 0]) == [17, 10, 10, 13]
// eval: @gathered([7, 99, 0, -5], [true, false, true, false], [1, 2, 3, 4]) == [17, 2, 10, 4]

// Later elements win where two go to one place.
func.func @scattered(%at: vector<3xi32>, %mask: vector<3xi1>, %v: vector<3xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  vector.scatter %m[%c0] [%at], %mask, %v : memref<8xi32>, vector<3xi32>, vector<3xi1>, vector<3xi32>
  %r = vector.load %m[%c0] : memref<8xi32>, vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @scattered([3, 0, 1], [true, true, true], [1, 2, 3]) == [2, 3, 12, 1]
// eval: @scattered([0, 0, 0], [true, true, true], [1, 2, 3]) == [3, 11, 12, 13]
// eval: @scattered([0, 0, 0], [true, true, false], [1, 2, 3]) == [2, 11, 12, 13]

// Pressed together, and spread again.
func.func @pressed(%mask: vector<4xi1>, %v: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  vector.compressstore %m[%c0], %mask, %v : memref<8xi32>, vector<4xi1>, vector<4xi32>
  %r = vector.load %m[%c0] : memref<8xi32>, vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @pressed([false, true, false, true], [1, 2, 3, 4]) == [2, 4, 12, 13]
// eval: @pressed([false, false, false, false], [1, 2, 3, 4]) == [10, 11, 12, 13]
// eval: @pressed([true, true, true, true], [1, 2, 3, 4]) == [1, 2, 3, 4]

func.func @spread(%mask: vector<4xi1>, %x: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<8xi32>
  func.call @counted(%m) : (memref<8xi32>) -> ()
  %r = vector.expandload %m[%c0], %mask, %x : memref<8xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @spread([false, true, false, true], [1, 2, 3, 4]) == [1, 10, 3, 11]
// eval: @spread([true, true, true, true], [1, 2, 3, 4]) == [10, 11, 12, 13]

// A column by way of a transposed map, and the same element everywhere by way of a constant one.
func.func @maps(%i: index, %j: index) -> (vector<2xi32>, vector<3xi32>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant -1 : i32
  %all = arith.constant dense<[[0, 1, 2], [10, 11, 12]]> : vector<2x3xi32>
  %m = memref.alloca() : memref<2x3xi32>
  vector.transfer_write %all, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi32>, memref<2x3xi32>
  %r = vector.transfer_read %m[%i, %j], %x {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<2x3xi32>, vector<2xi32>
  %s = vector.transfer_read %m[%i, %j], %x {permutation_map = affine_map<(d0, d1) -> (0)>, in_bounds = [true]} : memref<2x3xi32>, vector<3xi32>
  return %r, %s : vector<2xi32>, vector<3xi32>
}
// eval: @maps(0, 0) == ([0, 10], [0, 0, 0])
// eval: @maps(0, 2) == ([2, 12], [2, 2, 2])
// eval: @maps(1, 1) == ([11, -1], [11, 11, 11])

func.func @masks(%n: index) -> (vector<4xi1>, vector<3xi1>) {
  %r = vector.create_mask %n : vector<4xi1>
  %s = vector.constant_mask [2] : vector<3xi1>
  return %r, %s : vector<4xi1>, vector<3xi1>
}
// eval: @masks(0) == ([false, false, false, false], [true, true, false])
// eval: @masks(3) == ([true, true, true, false], [true, true, false])
// eval: @masks(4) == ([true, true, true, true], [true, true, false])
// eval: @masks(100) == ([true, true, true, true], [true, true, false])
// eval: @masks(-7) == ([false, false, false, false], [true, true, false])
