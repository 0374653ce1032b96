// Rounds that fill an array, compute on it and write it back become one loop over calls of three stages.
// test: opt --pipeline="hls-stages,canonicalize,cse,hls-pipeline"
// eval: @check() == 660.0

func.func @doubled(%A: memref<12x10xf32>, %B: memref<12x10xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c4 {
    scf.for %j = %c0 to %c10 step %c5 {
      %t = memref.alloca() {terrace.partition = array<i64: 1, 1>} : memref<4x5xf32>
      scf.for %r = %c0 to %c4 step %c1 {
        scf.for %s = %c0 to %c5 step %c1 {
          %y = arith.addi %i, %r : index
          %x = arith.addi %j, %s : index
          %a = memref.load %A[%y, %x] : memref<12x10xf32>
          memref.store %a, %t[%r, %s] : memref<4x5xf32>
        }
      }
      scf.for %r = %c0 to %c4 step %c1 {
        scf.for %s = %c0 to %c5 step %c1 {
          %a = memref.load %t[%r, %s] : memref<4x5xf32>
          %b = arith.addf %a, %a : f32
          memref.store %b, %t[%r, %s] : memref<4x5xf32>
        } {terrace.unroll}
      }
      scf.for %r = %c0 to %c4 step %c1 {
        scf.for %s = %c0 to %c5 step %c1 {
          %y = arith.addi %i, %r : index
          %x = arith.addi %j, %s : index
          %a = memref.load %t[%r, %s] : memref<4x5xf32>
          memref.store %a, %B[%y, %x] : memref<12x10xf32>
        }
      }
    }
  }
  return
}
// check: func.func @doubled
// check: scf.for %round = %c0 to %c6 step %c1 {
// next: %t = memref.alloca() {terrace.partition = array<i64: 1, 5>} : memref<4x5xf32>
// next: func.call @doubled_read(%round, %A, %t)
// next: func.call @doubled_compute(%t)
// next: func.call @doubled_write(%round, %t, %B)
// next: } {terrace.dataflow}

// Rounds that read what they write run in order.
func.func @in_place(%A: memref<12xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c4 {
    %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %A[%y] : memref<12xf32>
      memref.store %a, %t[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %t[%r] : memref<4xf32>
      memref.store %a, %A[%y] : memref<12xf32>
    }
  }
  return
}
// check: func.func @in_place
// not: call
// check: return

// Another pointer may reach what is written.
func.func @shared(%A: memref<12xf32>, %B: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c4 {
    %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %A[%y] : memref<12xf32>
      memref.store %a, %t[%r] : memref<4xf32>
    }
    scf.for %r = %c0 to %c4 step %c1 {
      %y = arith.addi %i, %r : index
      %a = memref.load %t[%r] : memref<4xf32>
      memref.store %a, %B[%y] : memref<12xf32>
    }
  }
  return
}
// check: func.func @shared
// not: call
// check: return

// A number that one stage hands to the next has no channel.
func.func @handed(%A: memref<12xf32>, %B: memref<12xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c1 {
    %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<1xf32>
    %a = memref.load %A[%i] : memref<12xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %t[%c0] : memref<1xf32>
    %c = memref.load %t[%c0] : memref<1xf32>
    %d = arith.addf %b, %c : f32
    memref.store %d, %B[%i] : memref<12xf32>
  }
  return
}
// check: func.func @handed
// not: call
// check: return

func.func @check() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c12 = arith.constant 12 : index
  %A = memref.alloc() : memref<12x10xf32>
  %B = memref.alloc() : memref<12x10xf32>
  scf.for %i = %c0 to %c12 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      %k = arith.index_cast %i : index to i32
      %x = arith.sitofp %k : i32 to f32
      memref.store %x, %A[%i, %j] : memref<12x10xf32>
    }
  }
  call @doubled(%A, %B) : (memref<12x10xf32>, memref<12x10xf32>) -> ()
  %z = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c12 step %c1 iter_args(%s = %z) -> f32 {
    %b = memref.load %B[%i, %c3] : memref<12x10xf32>
    %n = arith.addf %s, %b : f32
    scf.yield %n : f32
  }
  %ten = arith.constant 5.0 : f32
  %all = arith.mulf %sum, %ten : f32
  memref.dealloc %A : memref<12x10xf32>
  memref.dealloc %B : memref<12x10xf32>
  return %all : f32
}
