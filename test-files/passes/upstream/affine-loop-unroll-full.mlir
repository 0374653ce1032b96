// test: opt --pipeline="func.func(affine-loop-unroll{unroll-factor=-1 unroll-full-threshold=4})"

// All loops of at most four iterations, those around others too; five is too many.
func.func @nest(%m: memref<20xi32>, %x: i32) {
  affine.for %i = 0 to 4 step 2 {
    affine.for %j = 0 to 3 {
      affine.store %x, %m[%i + %j] : memref<20xi32>
    }
  }
  affine.for %i = 0 to 5 {
    affine.store %x, %m[%i] : memref<20xi32>
  }
  return
}
// check: func.func @nest
// check: affine.store
// check: affine.store
// check: affine.store
// check: affine.store
// check: affine.store
// check: affine.store
// next: affine.for %{{.*}} = 0 to 5
