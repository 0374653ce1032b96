// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize)"

// Prefixes in lanes: each column carries its own greatest element and its own sum of products, and writes what comes before.
func.func @before(%A: memref<5x8xf32>, %B: memref<5xf32>, %C: memref<5xf32>, %M: memref<5x8xf32>, %S: memref<5x8xf32>) {
  sched.for (%l in 8 by 1 dim 1 : vector) {
    %m, %s = sched.for (%i in 5 by 1 dim 0 ps (max, add) carry(%most, %sum)) -> (f32, f32) {
      sched.write %most, %M[%i, %l] : memref<5x8xf32>
      sched.write %sum, %S[%i, %l] : memref<5x8xf32>
      %a = sched.read %A[%i, %l] : memref<5x8xf32>
      %b = sched.read %B[%i] : memref<5xf32>
      %c = sched.read %C[%i] : memref<5xf32>
      %p = arith.mulf %b, %c : f32
      sched.yield %a, %p : f32, f32
    }
  }
  return
}
// check: func.func @before
// check: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xi32>, vector<8xf32>)
// check: vector.store
// check: scf.yield {{.*}} vector<8xi32>, vector<8xf32>

func.func @check(%row: index, %column: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %A = memref.alloc() : memref<5x8xf32>
  %B = memref.alloc() : memref<5xf32>
  %M = memref.alloc() : memref<5x8xf32>
  %S = memref.alloc() : memref<5x8xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %B[%i] : memref<5xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %p = arith.muli %i, %c5 : index
      %q = arith.addi %p, %j : index
      %r = arith.remui %q, %c7 : index
      %m = arith.index_cast %r : index to i32
      %g = arith.sitofp %m : i32 to f32
      memref.store %g, %A[%i, %j] : memref<5x8xf32>
    }
  }
  func.call @before(%A, %B, %B, %M, %S) : (memref<5x8xf32>, memref<5xf32>, memref<5xf32>, memref<5x8xf32>, memref<5x8xf32>) -> ()
  %x = memref.load %M[%row, %column] : memref<5x8xf32>
  %y = memref.load %S[%row, %column] : memref<5x8xf32>
  memref.dealloc %A : memref<5x8xf32>
  memref.dealloc %B : memref<5xf32>
  memref.dealloc %M : memref<5x8xf32>
  memref.dealloc %S : memref<5x8xf32>
  return %x, %y : f32, f32
}
// eval: @check(1, 0) == (0.0, 0.0)
// eval: @check(2, 0) == (5.0, 1.0)
// eval: @check(3, 6) == (6.0, 5.0)
// eval: @check(4, 3) == (6.0, 14.0)
