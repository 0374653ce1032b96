// Effects of a kernel are spread over all its blocks, and blocks do not wait for each other.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%A: memref<64xf32>, %B: memref<64xf32>) {
  sched.kernel @f grid [4, 1, 1] block [64, 1, 1] {
    sched.for (%i in 64 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<64xf32>
      // expected-error @+1 {{[E0653]: 'sched.write' op GRID: each of the 4 blocks along x does this again}}
      sched.write %a, %B[%i] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<64xf32>) {
  sched.kernel @f grid [64, 1, 1] block [1, 1, 1] {
    sched.for (%t in 10 by 1 dim 1 ordered) {
      // expected-error @+1 {{GRID: blocks start again in each round of a loop around them, and read what blocks of the round before wrote}}
      sched.for (%i in 64 by 1 dim 0 : block.x) {
        %a = sched.read %A[63 - %i] : memref<64xf32>
        sched.write %a, %A[%i] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// Each block uses what it wrote itself.
func.func @f(%A: memref<64xf32>) {
  sched.kernel @f grid [64, 1, 1] block [1, 1, 1] {
    sched.for (%t in 10 by 1 dim 1 ordered) {
      sched.for (%i in 64 by 1 dim 0 : block.x) {
        %a = sched.read %A[%i] : memref<64xf32>
        sched.write %a, %A[%i] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// Two loops over blocks, one behind the other: no block waits for what another one writes.
func.func @f(%in: memref<8xi32>, %buf: memref<8xi32>, %out: memref<8xi32>) {
  sched.kernel @f grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%b in 8 by 1 dim 0 : block.x) {
      %v = sched.read %in[%b] : memref<8xi32>
      sched.write %v, %buf[%b] : memref<8xi32>
    }
    sched.for (%d in 8 by 1 dim 0 : block.x) {
      // expected-error @+1 {{GRID: a block along x reads here what another one writes, and blocks of a kernel cannot wait for each other}}
      %v = sched.read %buf[7 - %d] : memref<8xi32>
      sched.write %v, %out[%d] : memref<8xi32>
    }
  }
  return
}

// -----

// The whole grid is no other: its threads are those of many blocks.
func.func @f(%in: memref<8xi32>, %buf: memref<8xi32>, %out: memref<8xi32>) {
  sched.kernel @f grid [4, 1, 1] block [2, 1, 1] {
    sched.for (%b in 8 by 1 dim 0 : global.x) {
      %v = sched.read %in[%b] : memref<8xi32>
      sched.write %v, %buf[%b] : memref<8xi32>
    }
    sched.for (%d in 8 by 1 dim 0 : global.x) {
      // expected-error @+1 {{GRID: a block along x reads here what another one writes}}
      %v = sched.read %buf[7 - %d] : memref<8xi32>
      sched.write %v, %out[%d] : memref<8xi32>
    }
  }
  return
}

// -----

// The same block on both sides, and threads of one block: right.
func.func @f(%in: memref<8xi32>, %buf: memref<8xi32>, %out: memref<8xi32>) {
  sched.kernel @f grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%b in 8 by 1 dim 0 : block.x) {
      %v = sched.read %in[%b] : memref<8xi32>
      sched.write %v, %buf[%b] : memref<8xi32>
    }
    sched.for (%d in 8 by 1 dim 0 : block.x) {
      %v = sched.read %buf[%d] : memref<8xi32>
      sched.write %v, %out[%d] : memref<8xi32>
    }
  }
  sched.kernel @g grid [1, 1, 1] block [8, 1, 1] {
    sched.for (%b in 8 by 1 dim 0 : thread.x) {
      %v = sched.read %in[%b] : memref<8xi32>
      sched.write %v, %buf[%b] : memref<8xi32>
    }
    sched.for (%d in 8 by 1 dim 0 : thread.x) {
      %v = sched.read %buf[7 - %d] : memref<8xi32>
      sched.write %v, %out[%d] : memref<8xi32>
    }
  }
  return
}
