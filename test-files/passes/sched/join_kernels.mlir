// test: opt --pipeline="func.func(sched-join-kernels)"
// Kernels that hand rows to each other become one; what only they use is in the memory of each block.

func.func @rows(%A: memref<8x32xf32>, %B: memref<8x32xf32>) {
  %s = sched.alloc : memref<8xf32>
  sched.kernel @sum grid [8, 1, 1] block [1, 1, 1] {
    sched.for (%i in 8 by 1 dim 0 : block.x) {
      %r = sched.for (%j in 32 by 1 dim 1 pw add) -> f32 {
        %a = sched.read %A[%i, %j] : memref<8x32xf32>
        sched.yield %a : f32
      }
      sched.write %r, %s[%i] : memref<8xf32>
    }
  }
  // Blocks are dimension 1 here, threads dimension 0.
  sched.kernel @scale grid [8, 1, 1] block [32, 1, 1] {
    sched.for (%i in 8 by 1 dim 1 : block.x) {
      sched.for (%j in 32 by 1 dim 0 : thread.x) {
        %a = sched.read %A[%i, %j] : memref<8x32xf32>
        %b = sched.read %s[%i] : memref<8xf32>
        %q = arith.divf %a, %b : f32
        sched.write %q, %B[%i, %j] : memref<8x32xf32>
      }
    }
  } {sched.joins}
  return
}
// check: @rows
// next: sched.kernel @sum grid [8, 1, 1] block [32, 1, 1] {
// next: sched.for (%i in 8 by 1 dim 0 : block.x) {
// next: %s = sched.alloc : memref<1xf32, #gpu.address_space<workgroup>>
// check: sched.write %{{.*}}, %s[0]
// next: sched.for (%j in 32 by 1 dim 1 : thread.x) {
// check: sched.read %s[0]
// not: sched.kernel

// A tile of rows per block: the buffer has as many.
func.func @tiles(%A: memref<8x32xf32>, %B: memref<8x32xf32>) {
  %t = sched.alloc : memref<8x32xf32>
  sched.kernel @double grid [4, 1, 1] block [32, 1, 1] {
    sched.for (%i in 8 by 2 dim 0 : block.x) {
      sched.for (%j in 32 by 1 dim 1 : thread.x) {
        sched.for (%k in 2 by 1 dim 0) {
          %a = sched.read %A[%i + %k, %j] : memref<8x32xf32>
          %d = arith.addf %a, %a : f32
          sched.write %d, %t[%i + %k, %j] : memref<8x32xf32>
        }
      }
    }
  }
  sched.kernel @turn grid [4, 1, 1] block [32, 1, 1] {
    sched.for (%i in 8 by 2 dim 0 : block.x) {
      sched.for (%j in 32 by 1 dim 1 : thread.x) {
        sched.for (%k in 2 by 1 dim 0) {
          %a = sched.read %t[%i + %k, %j * -1 + 31] : memref<8x32xf32>
          sched.write %a, %B[%i + %k, %j] : memref<8x32xf32>
        }
      }
    }
  } {sched.joins}
  return
}
// check: @tiles
// check: %t = sched.alloc : memref<2x32xf32, #gpu.address_space<workgroup>>
// check: sched.write %{{.*}}, %t[%k{{.*}}, %j]
// check: sched.read %t[%k{{.*}}, -%j{{.*}} + 31]
// not: sched.kernel
