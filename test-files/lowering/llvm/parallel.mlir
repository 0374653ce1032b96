// test: opt --pipeline="scf-parallel-to-calls,convert-scf-to-cf"
// test: opt --pipeline="scf-parallel-to-calls,convert-scf-to-cf" --emit=llvm --opt-level=0 --target-cpu=x86-64
// snapshot:
// check: terrace.parallel
// not: scf.

// Pieces of one range on several threads, with captured values and buffers.
func.func @squares(%n: index, %scale: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %x : i64
    %z = arith.muli %y, %scale : i64
    memref.store %z, %a[%i] : memref<?xi64>
    scf.reduce
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %s, %x : i64
    scf.yield %t : i64
  }
  memref.dealloc %a : memref<?xi64>
  return %r : i64
}
// eval: @squares(0, 3) == 0
// eval: @squares(1, 3) == 0
// eval: @squares(10007, 1) == 333983755091

// Two dimensions with steps.
func.func @grid(%n: index, %m: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %a = memref.alloc(%n, %m) : memref<?x?xi64>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
    memref.store %zero, %a[%i, %j] : memref<?x?xi64>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c1) to (%n, %m) step (%c2, %c1) {
    %k = arith.muli %i, %j : index
    %x = arith.index_cast %k : index to i64
    memref.store %x, %a[%i, %j] : memref<?x?xi64>
    scf.reduce
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
    %t = scf.for %j = %c0 to %m step %c1 iter_args(%u = %s) -> (i64) {
      %x = memref.load %a[%i, %j] : memref<?x?xi64>
      %v = arith.addi %u, %x : i64
      scf.yield %v : i64
    }
    scf.yield %t : i64
  }
  memref.dealloc %a : memref<?x?xi64>
  return %r : i64
}
// eval: @grid(1, 1) == 0
// eval: @grid(7, 5) == 120

// A reduction in the order of iterations.
func.func @sum(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// eval: @sum(0) == 0.000000e+00
// eval: @sum(100) == 4.950000e+03
