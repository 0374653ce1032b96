// Iterations of a parallel loop must not use what others write.
// test: round-trip

func.func @disjoint() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4x4xindex>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    %s = arith.addi %i, %j : index
    memref.store %s, %m[%i, %j] : memref<4x4xindex>
    %t = memref.load %m[%i, %j] : memref<4x4xindex>
    memref.store %t, %m[%i, %j] : memref<4x4xindex>
    scf.reduce
  }
  %c3 = arith.constant 3 : index
  %r = memref.load %m[%c3, %c1] : memref<4x4xindex>
  return %r : index
}
// eval: @disjoint() == 4

func.func @same() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xindex>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c4) step (%c1, %c1) {
    memref.store %j, %m[%i] : memref<4xindex>
    scf.reduce
  }
  return
}
// eval: @same() == trap E0315 "a write here and a write by iteration (0, 0) are not ordered"

func.func @stencil() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<5xindex>
  memref.store %c0, %m[%c4] : memref<5xindex>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %i, %m[%i] : memref<5xindex>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %n = arith.addi %i, %c1 : index
    %x = memref.load %m[%n] : memref<5xindex>
    memref.store %x, %m[%i] : memref<5xindex>
    scf.reduce
  }
  return
}
// eval: @stencil() == trap E0315 "a write here and a read by iteration (0)"

// A loop inside of an iteration is ordered within it, and not with other iterations.
func.func @nested(%shift: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<5x4xindex>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      memref.store %j, %m[%i, %j] : memref<5x4xindex>
      scf.reduce
    }
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      %k = arith.subi %c4, %j : index
      %l = arith.subi %k, %c1 : index
      %o = arith.addi %i, %shift : index
      memref.store %j, %m[%o, %l] : memref<5x4xindex>
      scf.reduce
    }
    scf.reduce
  }
  %r = memref.load %m[%c0, %c0] : memref<5x4xindex>
  return %r : index
}
// eval: @nested(0) == 3
// eval: @nested(1) == trap E0315 "a write here and a write by iteration (3) of iteration (0)"

// Memory that an iteration allocates is its own.
func.func @own() -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%c0) -> index {
    %m = memref.alloca() : memref<1xindex>
    memref.store %i, %m[%c0] : memref<1xindex>
    %x = memref.load %m[%c0] : memref<1xindex>
    scf.reduce(%x : index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  return %r : index
}
// eval: @own() == 6
