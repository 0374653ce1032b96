// Copies of a body read first and write last, so that what two of them read is read once; not where one iteration reads what it wrote.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// snapshot: after=sched-legalize,sched-to-scf
// eval: @check() == 45.0

func.func @windows(%A: memref<4x16xf32>, %out: memref<2x16xf32>) {
  sched.for (%i in 2 by 1 dim 0 : unroll) {
    sched.for (%j in 16 by 1 dim 1 : vector) {
      %a = sched.read %A[%i, %j] : memref<4x16xf32>
      %b = sched.read %A[%i + 1, %j] : memref<4x16xf32>
      %c = sched.read %A[%i + 2, %j] : memref<4x16xf32>
      %0 = arith.addf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      sched.write %1, %out[%i, %j] : memref<2x16xf32>
    }
  }
  return
}
// check: @windows
// check: vector.load %A[%c0, %c0]
// not: vector.store
// check: vector.load %A[%c3, %c0]
// check: vector.store
// next: vector.store
// next: return

func.func @again(%A: memref<2x16xf32>, %out: memref<2x16xf32>) {
  sched.for (%i in 2 by 1 dim 0 : unroll) {
    sched.for (%j in 16 by 1 dim 1 : vector) {
      %a = sched.read %A[%i, %j] : memref<2x16xf32>
      sched.write %a, %out[%i, %j] : memref<2x16xf32>
      %b = sched.read %out[%i, %j] : memref<2x16xf32>
      %0 = arith.addf %a, %b : f32
      sched.write %0, %out[%i, %j] : memref<2x16xf32>
    }
  }
  return
}
// check: @again
// check: vector.load %A[%c0, %c0]
// check: vector.store
// check: vector.store
// check: vector.load %A[%c1, %c0]

func.func @check() -> f32 {
  %A = memref.alloc() : memref<4x16xf32>
  %out = memref.alloc() : memref<2x16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %p = arith.muli %i, %j : index
      %q = arith.index_cast %p : index to i32
      %v = arith.sitofp %q : i32 to f32
      memref.store %v, %A[%i, %j] : memref<4x16xf32>
    }
  }
  func.call @windows(%A, %out) : (memref<4x16xf32>, memref<2x16xf32>) -> ()
  %x = memref.load %out[%c0, %c1] : memref<2x16xf32>
  %c7 = arith.constant 7 : index
  %y = memref.load %out[%c1, %c7] : memref<2x16xf32>
  memref.dealloc %A : memref<4x16xf32>
  memref.dealloc %out : memref<2x16xf32>
  %0 = arith.addf %x, %y : f32
  return %0 : f32
}
