// test: opt --pipeline=int-range-optimizations

// Within the loop its variable is below the bound, and a remainder by more than that changes nothing.
func.func @loop(%m: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %r = arith.remui %i, %c16 : index
    %h = arith.remui %i, %c8 : index
    %in = arith.cmpi slt, %i, %c16 : index
    %v = arith.extui %in : i1 to i32
    memref.store %v, %m[%r] : memref<16xi32>
    memref.store %v, %m[%h] : memref<16xi32>
  }
  return
}
// check: func.func @loop
// check: %v = arith.constant 1 : i32
// check: scf.for
// next: %h = arith.remui %i, %c8
// next: memref.store %v, %m[%i]
// next: memref.store %v, %m[%h]

// A byte is at most 255, and half of it at most 127; a sum of two may not be.
func.func @bytes(%a: i8, %b: i8) -> (i1, i1, i1) {
  %c1 = arith.constant 1 : i8
  %h = arith.shrui %a, %c1 : i8
  %k = arith.shrui %b, %c1 : i8
  %zero = arith.constant 0 : i8
  %p = arith.cmpi sge, %h, %zero : i8
  %s = arith.addi %h, %k : i8
  %q = arith.cmpi sge, %s, %zero : i8
  %r = arith.cmpi uge, %s, %h : i8
  return %p, %q, %r : i1, i1, i1
}
// check: func.func @bytes
// check: %p = arith.constant true
// check: %q = arith.cmpi sge
// next: %r = arith.cmpi uge
// next: return %p, %q, %r
// eval: @bytes(-1, -1) == (true, false, true)
// eval: @bytes(2, 2) == (true, true, true)

// Out of 64 bits nothing is known.
func.func @wide(%a: i128) -> i1 {
  %c = arith.constant 0 : i128
  %r = arith.cmpi uge, %a, %c : i128
  return %r : i1
}
// check: func.func @wide
// check: arith.cmpi uge
