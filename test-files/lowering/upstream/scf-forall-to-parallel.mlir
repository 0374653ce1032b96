// test: opt --pipeline="func.func(scf-forall-to-parallel)"
// test: opt --pipeline="func.func(convert-scf-to-cf)"
// test: opt --pipeline="builtin.module(scf-parallel-to-calls)"

func.func @fill(%m: memref<8x4xindex>, %n: index, %s: index) {
  scf.forall (%i, %j) = (%s, 0) to (%n, 4) step (1, %s) {
    %x = arith.addi %i, %j : index
    memref.store %x, %m[%i, %j] : memref<8x4xindex>
  }
  return
}
func.func @filled(%n: index, %s: index, %i: index, %j: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %m = memref.alloc() : memref<8x4xindex>
  scf.forall (%a, %b) in (8, 4) {
    memref.store %c7, %m[%a, %b] : memref<8x4xindex>
  }
  call @fill(%m, %n, %s) : (memref<8x4xindex>, index, index) -> ()
  %x = memref.load %m[%i, %j] : memref<8x4xindex>
  memref.dealloc %m : memref<8x4xindex>
  return %x : index
}
// check: func.func @fill
// not: scf.forall
// eval: @filled(8, 2, 5, 2) == 7
// eval: @filled(8, 2, 5, 1) == 7
// eval: @filled(8, 1, 7, 3) == 10
// eval: @filled(8, 2, 1, 0) == 7
