// Atomic updates are ordered among themselves, whatever runs first, and with nothing else.
// test: round-trip

func.func @histogram(%at: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<3xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    memref.store %zero, %m[%i] : memref<3xi32>
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c10, %sy = %c1, %sz = %c1) {
    %k = arith.remui %tx, %c3 : index
    %old = memref.atomic_rmw addi %one, %m[%k] : (i32, memref<3xi32>) -> i32
    gpu.terminator
  }
  %r = memref.load %m[%at] : memref<3xi32>
  return %r : i32
}
// eval: @histogram(0) == 12
// eval: @histogram(2) == 9

func.func @mixed() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.alloc() : memref<1xi32>
  memref.store %zero, %m[%c0] : memref<1xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %x = memref.load %m[%c0] : memref<1xi32>
    } else {
      %old = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<1xi32>) -> i32
    }
    gpu.terminator
  }
  return
}
// eval: @mixed() == trap E0315 "an atomic update here and a read by thread (0, 0, 0)"
