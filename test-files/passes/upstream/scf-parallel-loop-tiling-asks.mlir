// test: opt --pipeline="func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=3,2 no-min-max-bounds=true})"

// Neither size divides the loop's, and it begins below zero in steps of two.
func.func @fill(%x: i32) -> (i32, i32) {
  %m = memref.alloc() : memref<8x5xi32>
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %from = arith.constant -4 : index
  scf.parallel (%i, %j) = (%from, %c0) to (%c4, %c5) step (%c2, %c1) {
    %k = arith.addi %i, %c4 : index
    memref.store %x, %m[%k, %j] : memref<8x5xi32>
    %l = arith.addi %k, %c1 : index
    memref.store %zero, %m[%l, %j] : memref<8x5xi32>
    scf.reduce
  }
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (i32) {
    %t = scf.for %j = %c0 to %c5 step %c1 iter_args(%u = %s) -> (i32) {
      %v = memref.load %m[%i, %j] : memref<8x5xi32>
      %w = arith.addi %u, %v : i32
      scf.yield %w : i32
    }
    scf.yield %t : i32
  }
  %last = memref.load %m[%c2, %c4] : memref<8x5xi32>
  return %sum, %last : i32, i32
}
// check: func.func @fill
// check: scf.parallel
// next: scf.parallel
// check: arith.cmpi slt
// check: arith.cmpi ult
// check: scf.if
// eval: @fill(3) == (60, 3)
