// test: opt --pipeline="func.func(canonicalize, cse)"

// Sum of squares through a buffer.
func.func @squares(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %s = arith.muli %i, %i : index
    memref.store %s, %m[%i] : memref<?xindex>
  }
  %d = memref.dim %m, %c0 : memref<?xindex>
  %r = scf.for %i = %c0 to %d step %c1 iter_args(%a = %c0) -> (index) {
    %x = memref.load %m[%i] : memref<?xindex>
    %b = arith.addi %a, %x : index
    scf.yield %b : index
  }
  memref.dealloc %m : memref<?xindex>
  return %r : index
}
// eval: @squares(5) == 30
// eval: @squares(0) == 0
// eval: @squares(-1) == trap E0308

// One dynamic size among static ones; bounds, unwritten and freed elements are seen.
func.func @checks(%n: index, %i: index, %written: i1, %freed: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i32
  %m = memref.alloc(%n) : memref<2x?xi32>
  scf.if %written {
    memref.store %x, %m[%c1, %i] : memref<2x?xi32>
  }
  scf.if %freed {
    memref.dealloc %m : memref<2x?xi32>
  }
  %r = memref.load %m[%c1, %i] : memref<2x?xi32>
  return %r : i32
}
// eval: @checks(3, 2, true, false) == 7
// eval: @checks(3, 3, true, false) == trap E0308
// eval: @checks(3, 2, false, false) == trap E0309
// eval: @checks(3, 2, true, true) == trap E0310
