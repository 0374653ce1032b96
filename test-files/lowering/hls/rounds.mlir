// What is written through a view or in another round is seen by the stages.
// test: opt --pipeline="hls-stages,canonicalize,cse,hls-pipeline"
// eval: @check() == 298.0

// What is read through a view is what was written to its array: the copy stays behind the sum.
func.func @through_a_view(%A: memref<12xf32>, %B: memref<12xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c4 {
    %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
    %u = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
    %v = memref.subview %t[0] [4] [1] : memref<4xf32> to memref<4xf32, strided<[1]>>
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %A[%y] : memref<12xf32>
      memref.store %a, %t[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %a = memref.load %t[%r] : memref<4xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %t[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %a = memref.load %v[%r] : memref<4xf32, strided<[1]>>
      memref.store %a, %u[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %u[%r] : memref<4xf32>
      memref.store %a, %B[%y] : memref<12xf32>
    }
  }
  return
}
// check: func.func @through_a_view
// check: func.call @through_a_view_read(%round, %A, %t)
// next: func.call @through_a_view_compute(%t, %u)
// next: func.call @through_a_view_write(%round, %u, %B)

// An array that one round passes to the next is one for all: rounds cannot overlap.
func.func @carried(%A: memref<12xf32>, %B: memref<12xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %s = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
  scf.for %r = %c0 to %c4 step %c1 {
    %z = arith.constant 0.0 : f32
    memref.store %z, %s[%r] : memref<4xf32>
  }
  scf.for %i = %c0 to %c12 step %c4 {
    %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %A[%y] : memref<12xf32>
      memref.store %a, %t[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %a = memref.load %t[%r] : memref<4xf32>
      %b = memref.load %s[%r] : memref<4xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %s[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %s[%r] : memref<4xf32>
      memref.store %a, %B[%y] : memref<12xf32>
    }
  }
  return
}
// check: func.func @carried
// not: call
// not: terrace.dataflow
// check: return

// Rounds are numbered by an index, so a loop over other numbers stays.
func.func @narrow(%A: memref<12xf32>, %B: memref<12xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n0 = arith.constant 0 : i32
  %n4 = arith.constant 4 : i32
  %n12 = arith.constant 12 : i32
  scf.for %n = %n0 to %n12 step %n4 : i32 {
    %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
    scf.for %r = %c0 to %c4 step %c1 {
      %i = arith.index_cast %n : i32 to index
      %y = arith.addi %i, %r : index
      %a = memref.load %A[%y] : memref<12xf32>
      memref.store %a, %t[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %i = arith.index_cast %n : i32 to index
      %y = arith.addi %i, %r : index
      %a = memref.load %t[%r] : memref<4xf32>
      memref.store %a, %B[%y] : memref<12xf32>
    }
  }
  return
}
// check: func.func @narrow
// check: scf.for %n = {{any}} : i32 {
// check: func.call @narrow_read(%n, %A, %t)
// next: func.call @narrow_write(%n, %t, %B)
// next: } {terrace.dataflow}

func.func @check() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %A = memref.alloc() : memref<12xf32>
  %B = memref.alloc() : memref<12xf32>
  %C = memref.alloc() : memref<12xf32>
  %D = memref.alloc() : memref<12xf32>
  scf.for %i = %c0 to %c12 step %c1 {
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f32
    memref.store %x, %A[%i] : memref<12xf32>
  }
  call @through_a_view(%A, %B) : (memref<12xf32>, memref<12xf32>) -> ()
  call @carried(%A, %C) : (memref<12xf32>, memref<12xf32>) -> ()
  call @narrow(%A, %D) : (memref<12xf32>, memref<12xf32>) -> ()
  %z = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c12 step %c1 iter_args(%s = %z) -> f32 {
    %b = memref.load %B[%i] : memref<12xf32>
    %c = memref.load %C[%i] : memref<12xf32>
    %d = memref.load %D[%i] : memref<12xf32>
    %bc = arith.addf %b, %c : f32
    %bcd = arith.addf %bc, %d : f32
    %n = arith.addf %s, %bcd : f32
    scf.yield %n : f32
  }
  memref.dealloc %A : memref<12xf32>
  memref.dealloc %B : memref<12xf32>
  memref.dealloc %C : memref<12xf32>
  memref.dealloc %D : memref<12xf32>
  return %sum : f32
}
