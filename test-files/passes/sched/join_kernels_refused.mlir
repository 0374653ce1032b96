// test: opt --pipeline="func.func(sched-join-kernels)" --split-input-file --verify-diagnostics
// Kernels that cannot run in the blocks of the one in front of them.

func.func @first(%A: memref<8xf32>) {
  // expected-remark @+1 {{[E0539]: it stays a kernel of its own: it joins no kernel: none is in front of it, or more than buffers and constants are between}}
  sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %a = sched.read %A[%i] : memref<8xf32>
      sched.write %a, %A[%i] : memref<8xf32>
    }
  } {sched.joins}
  return
}

// -----

func.func @grids(%A: memref<8xf32>, %B: memref<8xf32>) {
  sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %a = sched.read %A[%i] : memref<8xf32>
      sched.write %a, %B[%i] : memref<8xf32>
    }
  }
  // expected-remark @+1 {{[E0539]: it stays a kernel of its own: it joins a kernel of another grid}}
  sched.kernel @b grid [4, 1, 1] block [1, 1, 1] {
    sched.for (%i in 4 by 1 dim 0 : block.x) {
      %a = sched.read %B[%i] : memref<8xf32>
      sched.write %a, %A[%i] : memref<8xf32>
    }
  } {sched.joins}
  return
}

// -----

func.func @neighbors(%A: memref<8xf32>, %B: memref<8xf32>) {
  sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %a = sched.read %A[%i] : memref<8xf32>
      sched.write %a, %B[%i] : memref<8xf32>
    }
  }
  // expected-remark @+1 {{[E0539]: it stays a kernel of its own: it joins a kernel, but blocks touch elements of 'B' that other blocks write}}
  sched.kernel @b grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %a = sched.read %B[%i * -1 + 7] : memref<8xf32>
      sched.write %a, %A[%i] : memref<8xf32>
    }
  } {sched.joins}
  return
}

// -----

// What the second writes, the first reads in other blocks.
func.func @backwards(%A: memref<8xf32>, %B: memref<8xf32>) {
  sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %r = sched.for (%j in 8 by 1 dim 1 pw add) -> f32 {
        %a = sched.read %A[%j] : memref<8xf32>
        sched.yield %a : f32
      }
      sched.write %r, %B[%i] : memref<8xf32>
    }
  }
  // expected-remark @+1 {{[E0539]: it stays a kernel of its own: it joins a kernel, but blocks touch elements of 'A' that other blocks write}}
  sched.kernel @b grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %a = sched.read %B[%i] : memref<8xf32>
      sched.write %a, %A[%i] : memref<8xf32>
    }
  } {sched.joins}
  return
}

// -----

func.func @loops(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  sched.kernel @a grid [8, 8, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x, %j in 8 by 1 dim 1 : block.y) {
      %a = sched.read %A[%i, %j] : memref<8x8xf32>
      sched.write %a, %B[%i, %j] : memref<8x8xf32>
    }
  }
  // expected-remark @+1 {{[E0539]: it stays a kernel of its own: it joins a kernel whose loops over blocks are others, or are not at the front of both}}
  sched.kernel @b grid [8, 8, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.y, %j in 8 by 1 dim 1 : block.x) {
      %a = sched.read %B[%i, %j] : memref<8x8xf32>
      sched.write %a, %A[%i, %j] : memref<8x8xf32>
    }
  } {sched.joins}
  return
}

// -----

// Loops over blocks without a dimension: no coordinate is known to be theirs, not even zero.
func.func @no_dimension(%A: memref<8x8xf32>, %B: memref<8xf32>) {
  %t = sched.alloc : memref<8x8xf32>
  sched.kernel @a grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 : block.x) {
      %a = sched.read %A[%i, 0] : memref<8x8xf32>
      sched.write %a, %t[%i, 0] : memref<8x8xf32>
    }
  }
  // expected-remark @+1 {{[E0539]: it stays a kernel of its own: it joins a kernel, but blocks touch elements of 't' that other blocks write}}
  sched.kernel @b grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 : block.x) {
      %r = sched.for (%j in 8 by 1 dim 1 pw add) -> f32 {
        %a = sched.read %t[%j, 0] : memref<8x8xf32>
        sched.yield %a : f32
      }
      sched.write %r, %B[%i] : memref<8xf32>
    }
  } {sched.joins}
  return
}
