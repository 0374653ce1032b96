// test: opt --pipeline="func.func(lower-affine)"
// snapshot:

// Maps become arithmetic; names of results stay.
func.func @maps(%i: index, %n: index) -> (index, index) {
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0)>(%i)[%n]
  %b = affine.min affine_map<(d0)[s0] -> (d0, s0, 4)>(%i)[%n]
  return %a, %b : index, index
}
// check: func.func @maps
// next: %c3 = arith.constant 3 : index
// next: %0 = arith.muli %i, %c3 : index
// next: %a = arith.addi %0, %n : index
// next: %c4 = arith.constant 4 : index
// next: %1 = arith.minsi %i, %n : index
// next: %b = arith.minsi %1, %c4 : index
// next: return %a, %b
// eval: @maps(2, 5) == 11, 2

func.func @loops(%m: memref<?xf32>, %n: index, %x: f32) -> f32 {
  affine.for %i = max affine_map<(d0) -> (d0, 2)>(%n) to 100 step 3 {
    affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 == 0)>(%i)[%n] {
      affine.store %x, %m[%i] : memref<?xf32>
    }
  }
  %r = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> (f32) {
    %y = affine.load %m[%i] : memref<?xf32>
    affine.yield %y : f32
  }
  return %r : f32
}
// check: func.func @loops
// check: arith.maxsi %n, %c2
// check: scf.for %i =
// check: arith.cmpi sge
// check: arith.cmpi eq, %n
// check: arith.andi
// next: scf.if
// check: memref.store %x, %m[%i] : memref<?xf32>
// check: %r = scf.parallel (%i) = (%{{.*}}) to (%n) step (%{{.*}}) init (%{{.*}}) -> f32 {
// next: %y = memref.load %m[%i] : memref<?xf32>
// next: scf.reduce(%y : f32) {
// not: affine

func.func @apply(%i: index, %n: index) -> (index, index, index, index) {
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 - 4)>(%i)[%n]
  %b = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%i)
  %c = affine.apply affine_map<(d0) -> (d0 ceildiv 4)>(%i)
  %d = affine.apply affine_map<(d0) -> (d0 mod 4)>(%i)
  return %a, %b, %c, %d : index, index, index, index
}
// eval: @apply(7, 1) == 18, 1, 2, 3
// eval: @apply(-7, 1) == -24, -2, -1, 1

func.func @extremes(%i: index, %n: index) -> (index, index) {
  %a = affine.min affine_map<(d0)[s0] -> (d0 + 2, s0, 4)>(%i)[%n]
  %b = affine.max affine_map<(d0)[s0] -> (d0 + 2, s0, 4)>(%i)[%n]
  return %a, %b : index, index
}
// eval: @extremes(1, 9) == 3, 9
// eval: @extremes(1, -9) == -9, 4

func.func @sum(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to %n step 3 iter_args(%a = %c0) -> (index) {
    %s = affine.for %j = max affine_map<(d0) -> (d0, 2)>(%i) to min affine_map<(d0)[s0] -> (d0 + 3, s0)>(%i)[%n] iter_args(%b = %a) -> (index) {
      %t = arith.addi %b, %j : index
      affine.yield %t : index
    }
    affine.yield %s : index
  }
  return %r : index
}
// eval: @sum(5) == 9
// eval: @sum(0) == 0

func.func @edge(%i: index, %n: index) -> i32 {
  %yes = arith.constant 1 : i32
  %no = arith.constant 0 : i32
  %r = affine.if affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 - 2 >= 0, d0 mod 2 == 0)>(%i)[%n] -> i32 {
    affine.yield %yes : i32
  } else {
    affine.yield %no : i32
  }
  return %r : i32
}
// eval: @edge(4, 6) == 1
// eval: @edge(4, 5) == 0
// eval: @edge(3, 6) == 0

func.func @parallel(%n: index) -> (i32, i32) {
  %m = memref.alloc() : memref<4x6xi32>
  affine.parallel (%i, %j) = (0, 0) to (4, min(%n, 6)) step (1, 2) {
    %k = affine.linearize_index [%i, %j] by (4, 6) : index
    %v = arith.index_cast %k : index to i32
    affine.store %v, %m[%i, %j] : memref<4x6xi32>
  }
  %s, %t = affine.parallel (%i, %j) = (0, 0) to (4, %n) step (1, 2) reduce ("addi", "maxs") -> (i32, i32) {
    %v = affine.load %m[%i, %j] : memref<4x6xi32>
    affine.yield %v, %v : i32, i32
  }
  return %s, %t : i32, i32
}
// eval: @parallel(6) == 132, 22
// eval: @parallel(0) == 0, -2147483648
// eval: @parallel(8) == trap E0308

func.func @indices(%i: index, %n: index) -> (index, index, index, index) {
  %a, %b, %c = affine.delinearize_index %i into (%n, 4) : index, index, index
  %l = affine.linearize_index [%a, %b, %c] by (%n, 4) : index
  return %a, %b, %c, %l : index, index, index, index
}
// eval: @indices(100, 7) == 3, 4, 0, 100
// eval: @indices(-1, 7) == -1, 6, 3, -1

func.func @vectors(%i: index, %v: vector<4xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<0> : vector<8xi32>
  %m = memref.alloc() : memref<8xi32>
  vector.store %all, %m[%c0] : memref<8xi32>, vector<8xi32>
  affine.prefetch %m[%i], write, locality<3>, data : memref<8xi32>
  affine.vector_store %v, %m[%i + 1] : memref<8xi32>, vector<4xi32>
  %r = affine.vector_load %m[%i] : memref<8xi32>, vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @vectors(2, [1, 2, 3, 4]) == [0, 1, 2, 3]
// eval: @vectors(4, [1, 2, 3, 4]) == trap E0308
