// An extent is a tile of another loop of the dimension, and each tile is walked.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  // expected-error @+1 {{[E0650]: 'sched.for' op COVER: tile 8 of dimension 0 is walked by no loop and no copy inside}}
  sched.for (%i in 64 by 8 dim 0) {
    // The extent should be 8.
    sched.for (%j in 4 by 1 dim 0) {
      %a = sched.read %A[%i + %j] : memref<64xf32>
      sched.write %a, %B[%i + %j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.for (%i in 64 by 8 dim 0, %j in 8 by 1 dim 0) {
    // expected-error @+1 {{COVER: extent 3 of dimension 0 is neither the dimension's 64 nor a tile of it on this path (8, 1)}}
    sched.for (%k in 3 by 1 dim 0 ordered) {
      %a = sched.read %A[%i + %j] : memref<64xf32>
      sched.write %a, %B[%i + %j] : memref<64xf32>
    }
  }
  return
}

// -----

// A copy of as many elements walks no tile if the tile's coordinates are none of its indices.
func.func @beside(%A: memref<64x8xf32>, %B: memref<64x8xf32>) {
  // expected-error @+1 {{COVER: tile 8 of dimension 0 is walked by no loop and no copy inside}}
  sched.for (%i in 64 by 8 dim 0) {
    sched.copy (%d) in (8) %A[%i, %d] to %B[%i, %d] : memref<64x8xf32> to memref<64x8xf32>
  }
  return
}

// -----

func.func @without(%A: memref<8xf32>, %B: memref<8xf32>) {
  // expected-error @+1 {{COVER: tile 8 of dimension 0 is walked by no loop and no copy inside}}
  sched.for (%i in 64 by 8 dim 0) {
    sched.copy (%d) in (8) %A[%d] to %B[%d] : memref<8xf32> to memref<8xf32>
  }
  return
}
