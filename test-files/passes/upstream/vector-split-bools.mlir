// test: opt --pipeline="func.func(vector-split-bools)"

// Reads and writes of vectors of booleans, with and without a mask.
func.func @copies(%n: index, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<7xi1>
  %to = memref.alloc() : memref<7xi1>
  %yes = arith.constant dense<true> : vector<7xi1>
  %some = arith.constant dense<[true, false, true]> : vector<3xi1>
  vector.store %yes, %to[%c0] : memref<7xi1>, vector<7xi1>
  vector.store %yes, %m[%c0] : memref<7xi1>, vector<7xi1>
  vector.store %some, %m[%c1] : memref<7xi1>, vector<3xi1>
  %v = vector.load %m[%c1] : memref<7xi1>, vector<4xi1>
  %mask = vector.create_mask %n : vector<4xi1>
  %others = arith.constant dense<false> : vector<4xi1>
  %w = vector.maskedload %m[%c1], %mask, %others : memref<7xi1>, vector<4xi1>, vector<4xi1> into vector<4xi1>
  %both = arith.andi %v, %w : vector<4xi1>
  vector.maskedstore %to[%c1], %mask, %both : memref<7xi1>, vector<4xi1>, vector<4xi1>
  %x = memref.load %to[%i] : memref<7xi1>
  memref.dealloc %m : memref<7xi1>
  memref.dealloc %to : memref<7xi1>
  %r = arith.extui %x : i1 to i32
  return %r : i32
}
// check: func.func @copies
// not: vector.load
// not: vector.store
// not: vector.masked
// eval: @copies(4, 0) == 1
// eval: @copies(4, 1) == 1
// eval: @copies(4, 2) == 0
// eval: @copies(2, 2) == 0
// eval: @copies(1, 2) == 1
// eval: @copies(4, 3) == 1
// eval: @copies(4, 4) == 1
// eval: @copies(0, 1) == 1

// Other elements stay.
func.func @stays(%m: memref<8xi8>, %i: index) -> vector<4xi8> {
  %v = vector.load %m[%i] : memref<8xi8>, vector<4xi8>
  return %v : vector<4xi8>
}
// check: func.func @stays
// check: vector.load
