// test: opt --pipeline="to-openmp"

// Affine loops go the way of all: parallel ones stay parallel.
func.func @f(%m: memref<8x8xf32>, %x: f32) {
  affine.parallel (%i, %j) = (0, 0) to (8, 8) {
    %y = affine.load %m[%i, 7 - %j] : memref<8x8xf32>
    %z = arith.addf %y, %x : f32
    affine.store %z, %m[%i, 7 - %j] : memref<8x8xf32>
  }
  return
}
// check: func.func @f
// check: scf.parallel (%i, %j) =
// next: %0 = arith.subi %c7, %j : index
// next: %y = memref.load %m[%i, %0] : memref<8x8xf32>
// not: affine
