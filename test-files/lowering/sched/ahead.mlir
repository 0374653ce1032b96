// Reads that say what will be read soon: a prefetch for each vector, held inside of the buffer, into the first cache where
// it is a few kilobytes ahead; values as without it.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize)"
// eval: @check() == 21.0

func.func @rows(%A: memref<3x32xf32>, %out: memref<3x32xf32>) {
  sched.for (%i in 3 by 1 dim 0) {
    sched.for (%j in 32 by 16 dim 1) {
      sched.for (%j2 in 16 by 1 dim 1 : vector) {
        %a = sched.read %A[%i, %j + %j2] {sched.ahead = array<i64: 0, 1>} : memref<3x32xf32>
        %b = arith.addf %a, %a : f32
        sched.write %b, %out[%i, %j + %j2] : memref<3x32xf32>
      }
    }
  }
  return
}
// check: @rows
// check: arith.minsi
// check: memref.prefetch %A[{{.*}}, %{{.*}}], read, locality<3>, data : memref<3x32xf32>
// check: vector.load %A
// check: vector.store

func.func @check() -> f32 {
  %A = memref.alloc() : memref<3x32xf32>
  %out = memref.alloc() : memref<3x32xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %p = arith.muli %i, %c5 : index
      %q = arith.index_cast %p : index to i32
      %v = arith.sitofp %q : i32 to f32
      %one = arith.constant 0.5 : f32
      %w = arith.addf %v, %one : f32
      memref.store %w, %A[%i, %j] : memref<3x32xf32>
    }
  }
  func.call @rows(%A, %out) : (memref<3x32xf32>, memref<3x32xf32>) -> ()
  %c31 = arith.constant 31 : index
  %x = memref.load %out[%c2, %c31] : memref<3x32xf32>
  memref.dealloc %A : memref<3x32xf32>
  memref.dealloc %out : memref<3x32xf32>
  return %x : f32
}
