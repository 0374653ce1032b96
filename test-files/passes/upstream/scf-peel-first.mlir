// test: opt --pipeline="func.func(scf-peel-first)"

// Eight sums of products: the first step is a product.
func.func @tile(%a: memref<4xf32>, %b: memref<4x2xf32>, %r: memref<8x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant dense<-0.0> : vector<2xf32>
  %s:8 = scf.for %k = %c0 to %c4 step %c1 iter_args(%p0 = %none, %p1 = %none, %p2 = %none, %p3 = %none, %p4 = %none, %p5 = %none, %p6 = %none, %p7 = %none)
      -> (vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>) {
    %x = memref.load %a[%k] : memref<4xf32>
    %y = vector.load %b[%k, %c0] : memref<4x2xf32>, vector<2xf32>
    %z = vector.broadcast %x : f32 to vector<2xf32>
    %q0 = vector.fma %z, %y, %p0 : vector<2xf32>
    %q1 = vector.fma %z, %z, %p1 : vector<2xf32>
    %q2 = vector.fma %y, %y, %p2 : vector<2xf32>
    %q3 = arith.addf %p3, %y : vector<2xf32>
    %q4 = arith.addf %z, %p4 : vector<2xf32>
    %q5 = vector.fma %z, %y, %p5 : vector<2xf32>
    %q6 = vector.fma %z, %y, %p6 : vector<2xf32>
    %q7 = vector.fma %z, %y, %p7 : vector<2xf32>
    scf.yield %q0, %q1, %q2, %q3, %q4, %q5, %q6, %q7 : vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>
  }
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  vector.store %s#0, %r[%c0, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#1, %r[%c1, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#2, %r[%c2, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#3, %r[%c3, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#4, %r[%c4, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#5, %r[%c5, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#6, %r[%c6, %c0] : memref<8x2xf32>, vector<2xf32>
  vector.store %s#7, %r[%c7, %c0] : memref<8x2xf32>, vector<2xf32>
  return
}
// check: func.func @tile
// check: arith.mulf
// not: vector.fma {{.*}}%none
// check: %c1_0 = arith.constant 1 : index
// check: scf.for %k = %c1_0 to %c4 step %c1

func.func @sums(%i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4x2xf32>
  %r = memref.alloc() : memref<8x2xf32>
  scf.for %k = %c0 to %c4 step %c1 {
    %n = arith.index_cast %k : index to i32
    %x = arith.sitofp %n : i32 to f32
    memref.store %x, %a[%k] : memref<4xf32>
    scf.for %l = %c0 to %c2 step %c1 {
      %m = arith.addi %k, %l : index
      %o = arith.index_cast %m : index to i32
      %y = arith.sitofp %o : i32 to f32
      memref.store %y, %b[%k, %l] : memref<4x2xf32>
    }
  }
  func.call @tile(%a, %b, %r) : (memref<4xf32>, memref<4x2xf32>, memref<8x2xf32>) -> ()
  %v = memref.load %r[%i, %j] : memref<8x2xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4x2xf32>
  memref.dealloc %r : memref<8x2xf32>
  return %v : f32
}
// eval: @sums(0, 0) == 14.0
// eval: @sums(0, 1) == 20.0
// eval: @sums(2, 1) == 30.0
// eval: @sums(3, 0) == 6.0
// eval: @sums(4, 1) == 6.0

// What starts elsewhere, may not run or is few stays.
func.func @stays(%n: index, %x: vector<2xf32>) -> vector<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant dense<-0.0> : vector<2xf32>
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%p = %none) -> (vector<2xf32>) {
    %q = vector.fma %x, %x, %p : vector<2xf32>
    scf.yield %q : vector<2xf32>
  }
  return %s : vector<2xf32>
}
// check: func.func @stays
// not: arith.mulf
