// test: opt --pipeline="func.func(sched-hoist-invariants)"

// The root of a channel leaves the loops over its rows, since nothing but %Y is written.
func.func @channels(%X: memref<3x8x32xf32>, %v: memref<3xf32>, %Y: memref<3x8x32xf32> {llvm.noalias}) {
  // check: sched.for (%c in 3 by 1 dim 0 : task) {
  // next: %s = sched.read %v[%c]
  // next: %r = math.sqrt %s
  // next: sched.for (%y in 8 by 1 dim 1, %x in 32 by 16 dim 2, %l in 16 by 1 dim 2 : vector)
  // not: math.sqrt
  sched.for (%c in 3 by 1 dim 0 : task, %y in 8 by 1 dim 1, %x in 32 by 16 dim 2) {
    sched.for (%l in 16 by 1 dim 2 : vector) {
      %s = sched.read %v[%c] : memref<3xf32>
      %r = math.sqrt %s : f32
      %a = sched.read %X[%c, %y, %x + %l] : memref<3x8x32xf32>
      %q = arith.divf %a, %r : f32
      sched.write %q, %Y[%c, %y, %x + %l] : memref<3x8x32xf32>
    }
  }
  return
}

// What is written may be what is read.
func.func @same(%X: memref<8xf32>, %v: memref<1xf32>, %Y: memref<8xf32>) {
  // check: @same
  // check: sched.for (%x in 8 by 1 dim 0) {
  // check: math.sqrt
  sched.for (%x in 8 by 1 dim 0) {
    %s = sched.read %v[0] : memref<1xf32>
    %r = math.sqrt %s : f32
    %a = sched.read %X[%x] : memref<8xf32>
    %q = arith.divf %a, %r : f32
    sched.write %q, %Y[%x] : memref<8xf32>
  }
  return
}

// A loop that may have no iteration may read nothing; sums stay, since compilers keep them in registers anyway.
func.func @others(%n: index, %X: memref<8x8xf32>, %v: memref<8xf32>, %Y: memref<8x8xf32> {llvm.noalias}) {
  // check: @others
  // check: sched.for (%i in 8 by 1 dim 0, %x in 8 by 1 limit -%i dim 1) {
  // next: sched.read %v
  // next: math.sqrt
  sched.for (%i in 8 by 1 dim 0, %x in 8 by 1 limit -%i dim 1) {
    %s = sched.read %v[%i] : memref<8xf32>
    %r = math.sqrt %s : f32
    sched.write %r, %Y[%i, %x] : memref<8x8xf32>
  }
  // check: sched.for (%i in 8 by 1 dim 0, %x in 8 by 1 dim 1) {
  // next: sched.read %v
  // next: arith.addf
  sched.for (%i in 8 by 1 dim 0, %x in 8 by 1 dim 1) {
    %s = sched.read %v[%i] : memref<8xf32>
    %r = arith.addf %s, %s : f32
    sched.write %r, %Y[%i, %x] : memref<8x8xf32>
  }
  return
}
