// test: opt --pipeline="func.func(scf-align-stores)"

// A row of 35 elements begins at each lane of a line in turn. What is left after the last line is a masked store.
func.func @squares(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %c35 = arith.constant 35 : index
  %none = arith.constant -1 : i32
  %m = memref.alloc() : memref<9x35xi32>
  scf.for %r = %c0 to %c9 step %c1 {
    scf.for %k = %c0 to %c35 step %c1 {
      memref.store %none, %m[%r, %k] : memref<9x35xi32>
    }
  }
  scf.for %r = %c0 to %c9 step %c1 {
    scf.for %k = %c0 to %c32 step %c8 {
      %s = vector.step : vector<8xindex>
      %b = vector.broadcast %k : index to vector<8xindex>
      %n = arith.addi %s, %b : vector<8xindex>
      %q = arith.muli %n, %n : vector<8xindex>
      %v = arith.index_cast %q : vector<8xindex> to vector<8xi32>
      vector.store %v, %m[%r, %k] {nontemporal = true} : memref<9x35xi32>, vector<8xi32>
    }
  }
  %v = memref.load %m[%i, %j] : memref<9x35xi32>
  memref.dealloc %m : memref<9x35xi32>
  return %v : i32
}
// check: func.func @squares
// The lines at the ends of the row are prefetched, and the one that the next row begins with.
// check: memref.prefetch %m[%r, %c32_0], write, locality<3>, data
// check: memref.prefetch %m[%r, %{{.*}}], write, locality<3>, data
// check: memref.prefetch %m[%{{.*}}, %{{.*}}], write, locality<3>, data
// check: arith.andi
// check: vector.create_mask
// check: scf.for %k = %c0 to %c32 step %c8 iter_args
// check: sched.rotate
// next: arith.select
// check: scf.if
// next: vector.maskedstore
// next: } else {
// next: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true}
// check: scf.yield
// check: vector.maskedstore
// eval: @squares(0, 0) == 0
// eval: @squares(0, 31) == 961
// eval: @squares(0, 32) == -1
// eval: @squares(1, 0) == 0
// eval: @squares(1, 4) == 16
// eval: @squares(1, 5) == 25
// eval: @squares(3, 31) == 961
// eval: @squares(7, 30) == 900
// eval: @squares(7, 34) == -1
// eval: @squares(8, 7) == 49

// What the loop reads it may have written: the stores stay.
func.func @reads(%m: memref<9x35xf32> {llvm.noalias}, %r: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c32 step %c8 {
    %v = vector.load %m[%r, %k] : memref<9x35xf32>, vector<8xf32>
    %w = arith.addf %v, %v : vector<8xf32>
    vector.store %w, %m[%r, %k] {nontemporal = true} : memref<9x35xf32>, vector<8xf32>
  }
  return
}
// check: func.func @reads
// not: sched.rotate

// Another name may stand for the same memory.
func.func @aliases(%a: memref<9x35xf32>, %m: memref<9x35xf32>, %r: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c32 step %c8 {
    %v = vector.load %a[%r, %k] : memref<9x35xf32>, vector<8xf32>
    vector.store %v, %m[%r, %k] {nontemporal = true} : memref<9x35xf32>, vector<8xf32>
  }
  return
}
// check: func.func @aliases
// not: sched.rotate
