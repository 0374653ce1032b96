// test: opt --pipeline="func.func(canonicalize)"
// rule: create_mask_const, maskedload_known_mask, maskedstore_known_mask

func.func @known(%m: memref<8xf32>, %i: index, %p: vector<4xf32>) -> (vector<4xi1>, vector<4xi1>, vector<4xf32>, vector<4xf32>) {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %below = arith.constant -1 : index
  %a = vector.create_mask %c3 : vector<4xi1>
  %b = vector.create_mask %c5 : vector<4xi1>
  %c = vector.create_mask %below : vector<4xi1>
  %d = vector.maskedload %m[%i], %b, %p : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %e = vector.maskedload %m[%i], %c, %p : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %b, %p : memref<8xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%i], %c, %p : memref<8xf32>, vector<4xi1>, vector<4xf32>
  return %a, %b, %d, %e : vector<4xi1>, vector<4xi1>, vector<4xf32>, vector<4xf32>
}
// check: func.func @known
// check: arith.constant dense<true> : vector<4xi1>
// check: vector.constant_mask [3] : vector<4xi1>
// check: %d = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
// not: maskedload
// check: vector.store %p, %m[%i] : memref<8xf32>, vector<4xf32>
// not: store
// check: %d, %p

// One empty dimension makes the whole mask empty.
func.func @empty(%x: vector<2x2xf32>, %y: vector<2x2xf32>) -> vector<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %mask = vector.create_mask %c2, %c0 : vector<2x2xi1>
  %r = arith.select %mask, %x, %y : vector<2x2xi1>, vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// check: func.func @empty
// next: return %y

func.func @tail(%n: index) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %all = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %m = memref.alloc() : memref<3xi32>
  %mask = vector.create_mask %n : vector<4xi1>
  vector.maskedstore %m[%c0], %mask, %all : memref<3xi32>, vector<4xi1>, vector<4xi32>
  %r = vector.maskedload %m[%c0], %mask, %zero : memref<3xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @tail(3) == [1, 2, 3, 0]
// eval: @tail(-1) == [0, 0, 0, 0]
// eval: @tail(9) == trap E0308

func.func @step(%n: index) -> vector<4xindex> {
  %mask = vector.create_mask %n : vector<4xi1>
  %step = vector.step : vector<4xindex>
  %zero = arith.constant dense<7> : vector<4xindex>
  %r = arith.select %mask, %step, %zero : vector<4xi1>, vector<4xindex>
  return %r : vector<4xindex>
}
// eval: @step(3) == [0, 1, 2, 7]
