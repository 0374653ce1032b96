// test: opt --pipeline="func.func(canonicalize)"

func.func @broadcast(%v: vector<4xf32>) -> (vector<4xf32>, vector<2x4xi32>, vector<2xf32>) {
  %a = vector.broadcast %v : vector<4xf32> to vector<4xf32>
  %c = arith.constant 7 : i32
  %b = vector.broadcast %c : i32 to vector<2x4xi32>
  %d = arith.constant dense<1.0> : vector<1xf32>
  %e = vector.broadcast %d : vector<1xf32> to vector<2xf32>
  return %a, %b, %e : vector<4xf32>, vector<2x4xi32>, vector<2xf32>
}
// check: func.func @broadcast
// check: arith.constant dense<7> : vector<2x4xi32>
// check: arith.constant dense<1.000000e+00> : vector<2xf32>
// not: vector.broadcast
// check: return %v

func.func @extract_constant() -> (i32, vector<2xi32>, f32) {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %a = vector.extract %c[1, 0] : i32 from vector<2x2xi32>
  %b = vector.extract %c[0] : vector<2xi32> from vector<2x2xi32>
  %d = arith.constant dense<2.5> : vector<4xf32>
  %e = vector.extract %d[3] : f32 from vector<4xf32>
  return %a, %b, %e : i32, vector<2xi32>, f32
}
// check: func.func @extract_constant
// check: arith.constant 3 : i32
// check: arith.constant dense<[1, 2]> : vector<2xi32>
// check: arith.constant 2.500000e+00 : f32
// not: vector.extract

func.func @extract_of(%x: f32, %v: vector<4xf32>, %w: vector<4x8xf32>, %i: index) -> (f32, vector<4xf32>, f32, vector<8xf32>, vector<4x8xf32>) {
  %a = vector.insert %x, %v [%i] : f32 into vector<4xf32>
  %b = vector.extract %a[%i] : f32 from vector<4xf32>
  %c = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>
  %d = vector.extract %c[%i] : vector<4xf32> from vector<2x4xf32>
  %e = vector.broadcast %x : f32 to vector<4xf32>
  %f = vector.extract %e[2] : f32 from vector<4xf32>
  %g = vector.extract %w[-1] : vector<8xf32> from vector<4x8xf32>
  %h = vector.extract %w[] : vector<4x8xf32> from vector<4x8xf32>
  return %b, %d, %f, %g, %h : f32, vector<4xf32>, f32, vector<8xf32>, vector<4x8xf32>
}
// check: func.func @extract_of
// next: %g = ub.poison : vector<8xf32>
// next: return %x, %v, %x, %g, %w

func.func @insert(%v: vector<2xi32>) -> (vector<2x2xi32>, vector<2xi32>) {
  %c = arith.constant dense<0> : vector<2x2xi32>
  %one = arith.constant dense<1> : vector<2xi32>
  %two = arith.constant 2 : i32
  %a = vector.insert %one, %c [1] : vector<2xi32> into vector<2x2xi32>
  %b = vector.insert %two, %a [0, 1] : i32 into vector<2x2xi32>
  %d = vector.insert %v, %one [] : vector<2xi32> into vector<2xi32>
  return %b, %d : vector<2x2xi32>, vector<2xi32>
}
// check: func.func @insert
// next: %b = arith.constant dense<[[0, 2], [1, 1]]> : vector<2x2xi32>
// next: return %b, %v

// A cast that forgets a size is not needed to read or write.
func.func @through_casts(%i: index) -> vector<4xf32> {
  %m = memref.alloc() : memref<8xf32>
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %n = memref.cast %m : memref<8xf32> to memref<?xf32>
  vector.store %c, %n[%i] : memref<?xf32>, vector<4xf32>
  %v = vector.load %n[%i] : memref<?xf32>, vector<4xf32>
  memref.dealloc %m : memref<8xf32>
  return %v : vector<4xf32>
}
// eval: @through_casts(3) == [1.0, 2.0, 3.0, 4.0]
// check: func.func @through_casts
// not: memref.cast
// check: vector.store %c, %m[%i] : memref<8xf32>
// check: vector.load %m[%i] : memref<8xf32>
