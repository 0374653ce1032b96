// `scf.forall` on buffers as loops, one in the other or parallel: offsets, steps, empty boxes.
// test: opt --pipeline="func.func(scf-forall-to-for)"
// test: opt --pipeline="func.func(scf-forall-to-parallel)"
// not: scf.forall

func.func @written(%n: index, %k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant -1 : i32
  %m = memref.alloca() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %none, %m[%i] : memref<8xi32>
  }
  scf.forall (%i) in (%n) {
    %w = arith.index_cast %i : index to i32
    memref.store %w, %m[%i] : memref<8xi32>
  }
  %r = memref.load %m[%k] : memref<8xi32>
  return %r : i32
}
// eval: @written(0, 0) == -1
// eval: @written(5, 4) == 4
// eval: @written(5, 5) == -1
// eval: @written(8, 7) == 7
// eval: @written(9, 0) == trap E0308

func.func @steps(%from: index, %to: index, %by: index, %k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloca() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %zero, %m[%i] : memref<8xi32>
  }
  scf.forall (%i) = (%from) to (%to) step (%by) {
    memref.store %one, %m[%i] : memref<8xi32>
  }
  %r = memref.load %m[%k] : memref<8xi32>
  return %r : i32
}
// eval: @steps(1, 8, 3, 0) == 0
// eval: @steps(1, 8, 3, 1) == 1
// eval: @steps(1, 8, 3, 7) == 1
// eval: @steps(1, 7, 3, 7) == 0
// eval: @steps(5, 5, 1, 5) == 0
// eval: @steps(5, 4, 1, 5) == 0

func.func @plane(%i: index, %j: index) -> i32 {
  %m = memref.alloca() : memref<3x5xi32>
  scf.forall (%a, %b) in (3, 5) {
    %p = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%a, %b)
    %w = arith.index_cast %p : index to i32
    memref.store %w, %m[%a, %b] : memref<3x5xi32>
  }
  %r = memref.load %m[%i, %j] : memref<3x5xi32>
  return %r : i32
}
// eval: @plane(0, 0) == 0
// eval: @plane(2, 4) == 24
// eval: @plane(1, 3) == 13
