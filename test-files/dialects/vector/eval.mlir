// test: opt --pipeline="func.func(canonicalize, cse)"

// Element-wise arithmetic, a vector in and out of memory, and a sum of products.
func.func @dot(%a: vector<4xf32>, %b: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2x4xf32>
  vector.store %a, %m[%c1, %c0] : memref<2x4xf32>, vector<4xf32>
  %v = vector.load %m[%c1, %c0] : memref<2x4xf32>, vector<4xf32>
  %p = arith.mulf %v, %b : vector<4xf32>
  %r = vector.reduction <add>, %p : vector<4xf32> into f32
  return %r : f32
}
// eval: @dot([1.0, 2.0, 3.0, 4.0], [1.0, 10.0, 100.0, 1000.0]) == 4321.0

// A slice of two dimensions; reads and writes are checked element by element.
func.func @slice(%i: index, %j: index) -> vector<2x2xi32> {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : vector<3x3xi32>
  %m = memref.alloc() : memref<3x3xi32>
  vector.store %all, %m[%c0, %c0] : memref<3x3xi32>, vector<3x3xi32>
  %r = vector.load %m[%i, %j] : memref<3x3xi32>, vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @slice(0, 0) == [1, 2, 4, 5]
// eval: @slice(1, 1) == [5, 6, 8, 9]
// eval: @slice(0, 2) == trap E0308

// Memory whose elements are vectors.
func.func @of_vectors(%x: f32, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xvector<16xf32>>
  %b = vector.broadcast %x : f32 to vector<16xf32>
  vector.store %b, %m[%c1] : memref<4xvector<16xf32>>, vector<16xf32>
  %v = vector.load %m[%i] : memref<4xvector<16xf32>>, vector<16xf32>
  %w = memref.load %m[%i] : memref<4xvector<16xf32>>
  memref.store %w, %m[%c1] : memref<4xvector<16xf32>>
  %s = arith.addf %v, %w : vector<16xf32>
  %r = vector.reduction <add>, %s, %x : vector<16xf32> into f32
  return %r : f32
}
// eval: @of_vectors(0.5, 1) == 16.5
// eval: @of_vectors(0.5, 2) == trap E0309
// eval: @of_vectors(0.5, 4) == trap E0308

// Dimensions of size one are repeated.
func.func @broadcast(%v: vector<2x1xi32>) -> vector<2x2x3xi32> {
  %r = vector.broadcast %v : vector<2x1xi32> to vector<2x2x3xi32>
  return %r : vector<2x2x3xi32>
}
// eval: @broadcast([7, 8]) == [7, 7, 7, 8, 8, 8, 7, 7, 7, 8, 8, 8]

// Positions outside give poison.
func.func @positions(%v: vector<2x3xi32>, %x: i32, %i: index, %j: index) -> (vector<3xi32>, i32, vector<2x3xi32>) {
  %a = vector.extract %v[%i] : vector<3xi32> from vector<2x3xi32>
  %b = vector.extract %v[%i, %j] : i32 from vector<2x3xi32>
  %c = vector.insert %x, %v [1, %j] : i32 into vector<2x3xi32>
  return %a, %b, %c : vector<3xi32>, i32, vector<2x3xi32>
}
// eval: @positions([1, 2, 3, 4, 5, 6], 9, 1, 2) == ([4, 5, 6], 6, [1, 2, 3, 4, 5, 9])
// eval: @positions([1, 2, 3, 4, 5, 6], 9, 0, 3) == ([1, 2, 3], poison, poison)

// One rounding: the product alone would lose the small part.
func.func @fma(%a: vector<2xf32>, %b: vector<2xf32>, %c: vector<2xf32>) -> vector<2xf32> {
  %r = vector.fma %a, %b, %c : vector<2xf32>
  return %r : vector<2xf32>
}
// eval: @fma([2.0, 1.00000011920928955078125], [3.0, 1.00000011920928955078125], [4.0, -1.0000002384185791015625]) == [10.0, 1.42108547152020037174224853515625e-14]

func.func @kinds(%v: vector<3xi8>, %f: vector<3xf32>) -> (i8, i8, i8, i8, i8, i8, i8, i8, i8, f32, f32, f32, f32) {
  %a = vector.reduction <add>, %v : vector<3xi8> into i8
  %b = vector.reduction <mul>, %v : vector<3xi8> into i8
  %c = vector.reduction <minui>, %v : vector<3xi8> into i8
  %d = vector.reduction <minsi>, %v : vector<3xi8> into i8
  %e = vector.reduction <maxui>, %v : vector<3xi8> into i8
  %g = vector.reduction <maxsi>, %v : vector<3xi8> into i8
  %h = vector.reduction <and>, %v : vector<3xi8> into i8
  %i = vector.reduction <or>, %v : vector<3xi8> into i8
  %j = vector.reduction <xor>, %v : vector<3xi8> into i8
  %k = vector.reduction <minnumf>, %f : vector<3xf32> into f32
  %l = vector.reduction <maxnumf>, %f : vector<3xf32> into f32
  %m = vector.reduction <minimumf>, %f : vector<3xf32> into f32
  %n = vector.reduction <maximumf>, %f : vector<3xf32> into f32
  return %a, %b, %c, %d, %e, %g, %h, %i, %j, %k, %l, %m, %n : i8, i8, i8, i8, i8, i8, i8, i8, i8, f32, f32, f32, f32
}
// eval: @kinds([-1, 2, 5], [1.0, -2.0, 0x7FC00000]) == (6, -10, 2, -1, -1, 5, 0, -1, -8, -2.0, 1.0, 0x7FC00000, 0x7FC00000)
// eval: @kinds([poison, 2, 5], [1.0, -2.0, 0.5]) == (poison, poison, poison, poison, poison, poison, poison, poison, poison, -2.0, 1.0, -2.0, 1.0)
