// Points of a box must not use what others write.
// test: round-trip

func.func @fill(%same: index) -> index {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<3x4xindex>
  scf.forall (%i, %j) in (3, 4) {
    %s = arith.addi %i, %j : index
    %k = arith.muli %j, %same : index
    memref.store %s, %m[%i, %k] : memref<3x4xindex>
  }
  %r = memref.load %m[%c2, %c1] : memref<3x4xindex>
  return %r : index
}
// eval: @fill(1) == 3
// eval: @fill(0) == trap E0315 "a write here and a write by iteration (0, 0)"
