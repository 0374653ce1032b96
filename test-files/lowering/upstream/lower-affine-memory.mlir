// Accesses with maps in their indices, vectors, and loops over what they reach.
// test: opt --pipeline="func.func(lower-affine)"
// not: affine.

func.func @reversed(%k: index) -> i32 {
  %m = memref.alloca() : memref<7xi32>
  affine.for %i = 0 to 7 {
    %w = arith.index_cast %i : index to i32
    affine.store %w, %m[-%i + 6] : memref<7xi32>
  }
  %r = affine.load %m[symbol(%k)] : memref<7xi32>
  return %r : i32
}
// eval: @reversed(0) == 6
// eval: @reversed(6) == 0

// A matrix stored row by row in one dimension, read by columns.
func.func @flat(%i: index, %j: index) -> (i32, i32) {
  %m = memref.alloca() : memref<12xi32>
  affine.for %a = 0 to 3 {
    affine.for %b = 0 to 4 {
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%a, %b)
      %w = arith.index_cast %p : index to i32
      affine.store %w, %m[%a * 4 + %b] : memref<12xi32>
    }
  }
  %x = affine.load %m[symbol(%i) * 4 + symbol(%j)] : memref<12xi32>
  %y = affine.load %m[(symbol(%i) * 4 + symbol(%j)) mod 5] : memref<12xi32>
  return %x, %y : i32, i32
}
// eval: @flat(0, 0) == (0, 0)
// eval: @flat(2, 3) == (23, 1)
// eval: @flat(1, 0) == (10, 10)

// Even places are halved, odd ones are counted from the end.
func.func @quotients(%k: index) -> i32 {
  %m = memref.alloca() : memref<8xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.store %zero, %m[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %w = arith.index_cast %i : index to i32
    %old = affine.load %m[%i floordiv 2] : memref<8xi32>
    %new = arith.addi %old, %w : i32
    affine.store %new, %m[%i floordiv 2] : memref<8xi32>
  }
  %r = affine.load %m[symbol(%k)] : memref<8xi32>
  return %r : i32
}
// eval: @quotients(0) == 1
// eval: @quotients(1) == 5
// eval: @quotients(3) == 13
// eval: @quotients(4) == 0

func.func @rank_0(%x: f32) -> f32 {
  %m = memref.alloca() : memref<f32>
  affine.store %x, %m[] : memref<f32>
  %r = affine.load %m[] : memref<f32>
  return %r : f32
}
// eval: @rank_0(-0.0) == -0.0

func.func @vectors(%i: index, %v: vector<3xi32>) -> (vector<3xi32>, i32) {
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<3x5xi32>
  affine.for %a = 0 to 3 {
    affine.for %b = 0 to 5 {
      affine.store %zero, %m[%a, %b] : memref<3x5xi32>
    }
  }
  affine.vector_store %v, %m[symbol(%i), symbol(%i) * 2] : memref<3x5xi32>, vector<3xi32>
  %r = affine.vector_load %m[symbol(%i), symbol(%i)] : memref<3x5xi32>, vector<3xi32>
  %x = affine.load %m[symbol(%i), symbol(%i) * 2 + 2] : memref<3x5xi32>
  return %r, %x : vector<3xi32>, i32
}
// eval: @vectors(0, [1, 2, 3]) == ([1, 2, 3], 3)
// eval: @vectors(1, [1, 2, 3]) == ([0, 1, 2], 3)

// Outside of the buffer it traps after the pass as before.
func.func @outside(%i: index) -> i32 {
  %zero = arith.constant 0 : i32
  %m = memref.alloca() : memref<4xi32>
  affine.for %a = 0 to 4 {
    affine.store %zero, %m[%a] : memref<4xi32>
  }
  %r = affine.load %m[symbol(%i) - 1] : memref<4xi32>
  return %r : i32
}
// eval: @outside(4) == 0
// eval: @outside(0) == trap E0308
// eval: @outside(5) == trap E0308

// A stencil that reads two rows and writes the third: the tiles of its plane are cut at the border.
func.func @tiled_stencil(%i: index, %j: index) -> i32 {
  %a = memref.alloca() : memref<7x7xi32>
  %b = memref.alloca() : memref<7x7xi32>
  affine.for %y = 0 to 7 {
    affine.for %x = 0 to 7 {
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%y, %x)
      %w = arith.index_cast %p : index to i32
      affine.store %w, %a[%y, %x] : memref<7x7xi32>
      affine.store %w, %b[%y, %x] : memref<7x7xi32>
    }
  }
  affine.for %ty = 1 to 6 step 2 {
    affine.for %tx = 1 to 6 step 3 {
      affine.for %y = affine_map<(d0) -> (d0)>(%ty) to min affine_map<(d0) -> (d0 + 2, 6)>(%ty) {
        affine.for %x = affine_map<(d0) -> (d0)>(%tx) to min affine_map<(d0) -> (d0 + 3, 6)>(%tx) {
          %n = affine.load %a[%y - 1, %x] : memref<7x7xi32>
          %s = affine.load %a[%y + 1, %x] : memref<7x7xi32>
          %w = affine.load %a[%y, %x - 1] : memref<7x7xi32>
          %e = affine.load %a[%y, %x + 1] : memref<7x7xi32>
          %p = arith.addi %n, %s : i32
          %q = arith.addi %w, %e : i32
          %r = arith.addi %p, %q : i32
          affine.store %r, %b[%y, %x] : memref<7x7xi32>
        }
      }
    }
  }
  %r = affine.load %b[symbol(%i), symbol(%j)] : memref<7x7xi32>
  return %r : i32
}
// eval: @tiled_stencil(0, 0) == 0
// eval: @tiled_stencil(1, 1) == 16
// eval: @tiled_stencil(5, 5) == 80
// eval: @tiled_stencil(6, 5) == 23
// eval: @tiled_stencil(3, 6) == 15
