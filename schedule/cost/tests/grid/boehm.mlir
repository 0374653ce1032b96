// Ten products of 4096×4096 matrices as schedules: the kernels of S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like
// Performance: a Worklog" (2022), https://siboehm.com/articles/22/CUDA-MMM. Kernel 11 gives the halves of a block different roles, which a
// schedule does not. Tile sizes are those of the article's code for the A6000.

#sm = #gpu.address_space<workgroup>
#rm = #gpu.address_space<private>

// 1: a thread per result, neighbors in a column
func.func @kernel1(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel1 grid [128, 128, 1] block [32, 32, 1] {
    sched.for (%i0 in 4096 by 32 dim 0 : block.x, %j0 in 4096 by 32 dim 1 : block.y) {
      sched.for (%i1 in 32 by 1 dim 0 : thread.x, %j1 in 32 by 1 dim 1 : thread.y) {
        %s = sched.for (%k in 4096 by 1 dim 2 pw add) -> f32 {
          %a = sched.read %A[%i0 + %i1, %k] : memref<4096x4096xf32>
          %b = sched.read %B[%k, %j0 + %j1] : memref<4096x4096xf32>
          %p = arith.mulf %a, %b : f32
          sched.yield %p : f32
        }
        sched.write %s, %C[%i0 + %i1, %j0 + %j1] : memref<4096x4096xf32>
      }
    }
  }
  return
}

// 2: neighbors in a row
func.func @kernel2(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel2 grid [128, 128, 1] block [32, 32, 1] {
    sched.for (%i0 in 4096 by 32 dim 0 : block.y, %j0 in 4096 by 32 dim 1 : block.x) {
      sched.for (%i1 in 32 by 1 dim 0 : thread.y, %j1 in 32 by 1 dim 1 : thread.x) {
        %s = sched.for (%k in 4096 by 1 dim 2 pw add) -> f32 {
          %a = sched.read %A[%i0 + %i1, %k] : memref<4096x4096xf32>
          %b = sched.read %B[%k, %j0 + %j1] : memref<4096x4096xf32>
          %p = arith.mulf %a, %b : f32
          sched.yield %p : f32
        }
        sched.write %s, %C[%i0 + %i1, %j0 + %j1] : memref<4096x4096xf32>
      }
    }
  }
  return
}

// 3: tiles in shared memory
func.func @kernel3(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel3 grid [128, 128, 1] block [32, 32, 1] {
    sched.for (%i0 in 4096 by 32 dim 0 : block.y, %j0 in 4096 by 32 dim 1 : block.x) {
      sched.for (%i1 in 32 by 1 dim 0 : thread.y, %j1 in 32 by 1 dim 1 : thread.x) {
        %s = sched.for (%k0 in 4096 by 32 dim 2 pw add) -> f32 {
          %As = sched.alloc per block : memref<32x32xf32, #sm>
          %Bs = sched.alloc per block : memref<32x32xf32, #sm>
          sched.copy per block (%r, %c) in (32, 32) by linear %A[%i0 + %r, %k0 + %c] to %As[%r, %c] : memref<4096x4096xf32> to memref<32x32xf32, #sm>
          sched.copy per block (%r, %c) in (32, 32) by linear %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<32x32xf32, #sm>
          %q = sched.for (%k1 in 32 by 1 dim 2 pw add) -> f32 {
            %a = sched.read %As[%i1, %k1] : memref<32x32xf32, #sm>
            %b = sched.read %Bs[%k1, %j1] : memref<32x32xf32, #sm>
            %p = arith.mulf %a, %b : f32
            sched.yield %p : f32
          }
          sched.yield %q : f32
        }
        sched.write %s, %C[%i0 + %i1, %j0 + %j1] : memref<4096x4096xf32>
      }
    }
  }
  return
}

// 4: eight results of a column per thread
func.func @kernel4(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel4 grid [64, 64, 1] block [64, 8, 1] {
    sched.for (%i0 in 4096 by 64 dim 0 : block.y, %j0 in 4096 by 64 dim 1 : block.x) {
      sched.for (%i1 in 64 by 8 dim 0 : thread.y, %j1 in 64 by 1 dim 1 : thread.x) {
        %z = arith.constant 0.0 : f32
        %T = sched.alloc : memref<8xf32, #rm>
        sched.copy (%r) in (8) %z to %T[%r] : f32 to memref<8xf32, #rm>
        sched.for (%k0 in 4096 by 8 dim 2 pw add) {
          %As = sched.alloc per block : memref<64x8xf32, #sm>
          %Bs = sched.alloc per block : memref<8x64xf32, #sm>
          sched.copy per block (%r, %c) in (64, 8) by linear %A[%i0 + %r, %k0 + %c] to %As[%r, %c] : memref<4096x4096xf32> to memref<64x8xf32, #sm>
          sched.copy per block (%r, %c) in (8, 64) by linear %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<8x64xf32, #sm>
          sched.for (%k1 in 8 by 1 dim 2 pw add) {
            sched.for (%i2 in 8 by 1 dim 0 : unroll) {
              %a = sched.read %As[%i1 + %i2, %k1] : memref<64x8xf32, #sm>
              %b = sched.read %Bs[%k1, %j1] : memref<8x64xf32, #sm>
              %p = arith.mulf %a, %b : f32
              sched.write %p, %T[%i2] combine add : memref<8xf32, #rm>
            }
          }
        }
        sched.copy (%r) in (8) %T[%r] to %C[%i0 + %i1 + %r, %j0 + %j1] : memref<8xf32, #rm> to memref<4096x4096xf32>
      }
    }
  }
  return
}

// 5: eight by eight results per thread
func.func @kernel5(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel5 grid [32, 32, 1] block [16, 16, 1] {
    sched.for (%i0 in 4096 by 128 dim 0 : block.y, %j0 in 4096 by 128 dim 1 : block.x) {
      sched.for (%i1 in 128 by 8 dim 0 : thread.y, %j1 in 128 by 8 dim 1 : thread.x) {
        %z = arith.constant 0.0 : f32
        %T = sched.alloc : memref<8x8xf32, #rm>
        sched.copy (%r, %c) in (8, 8) %z to %T[%r, %c] : f32 to memref<8x8xf32, #rm>
        sched.for (%k0 in 4096 by 8 dim 2 pw add) {
          %As = sched.alloc per block : memref<128x8xf32, #sm>
          %Bs = sched.alloc per block : memref<8x128xf32, #sm>
          sched.copy per block (%r, %c) in (128, 8) by linear %A[%i0 + %r, %k0 + %c] to %As[%r, %c] : memref<4096x4096xf32> to memref<128x8xf32, #sm>
          sched.copy per block (%r, %c) in (8, 128) by linear %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<8x128xf32, #sm>
          sched.for (%k1 in 8 by 1 dim 2 pw add) {
            sched.for (%i2 in 8 by 1 dim 0 : unroll, %j2 in 8 by 1 dim 1 : unroll) {
              %a = sched.read %As[%i1 + %i2, %k1] : memref<128x8xf32, #sm>
              %b = sched.read %Bs[%k1, %j1 + %j2] : memref<8x128xf32, #sm>
              %p = arith.mulf %a, %b : f32
              sched.write %p, %T[%i2, %j2] combine add : memref<8x8xf32, #rm>
            }
          }
        }
        sched.copy (%r, %c) in (8, 8) %T[%r, %c] to %C[%i0 + %i1 + %r, %j0 + %j1 + %c] : memref<8x8xf32, #rm> to memref<4096x4096xf32>
      }
    }
  }
  return
}

// 6: four elements per access, the left tile transposed
func.func @kernel6(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel6 grid [32, 32, 1] block [16, 16, 1] {
    sched.for (%i0 in 4096 by 128 dim 0 : block.y, %j0 in 4096 by 128 dim 1 : block.x) {
      sched.for (%i1 in 128 by 8 dim 0 : thread.y, %j1 in 128 by 8 dim 1 : thread.x) {
        %z = arith.constant 0.0 : f32
        %T = sched.alloc : memref<8x8xf32, #rm>
        sched.copy (%r, %c) in (8, 8) %z to %T[%r, %c] : f32 to memref<8x8xf32, #rm>
        sched.for (%k0 in 4096 by 8 dim 2 pw add) {
          %As = sched.alloc per block : memref<8x128xf32, #sm>
          %Bs = sched.alloc per block : memref<8x128xf32, #sm>
          sched.copy per block (%r, %c) in (128, 8) by (seq, vector 4) %A[%i0 + %r, %k0 + %c] to %As[%c, %r] : memref<4096x4096xf32> to memref<8x128xf32, #sm>
          sched.copy per block (%r, %c) in (8, 128) by (seq, vector 4) %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<8x128xf32, #sm>
          sched.for (%k1 in 8 by 1 dim 2 pw add) {
            sched.for (%i2 in 8 by 1 dim 0 : unroll, %j2 in 8 by 1 dim 1 : unroll) {
              %a = sched.read %As[%k1, %i1 + %i2] : memref<8x128xf32, #sm>
              %b = sched.read %Bs[%k1, %j1 + %j2] : memref<8x128xf32, #sm>
              %p = arith.mulf %a, %b : f32
              sched.write %p, %T[%i2, %j2] combine add : memref<8x8xf32, #rm>
            }
          }
        }
        sched.copy (%r, %c) in (8, 8) by (unroll, vector 4) %T[%r, %c] to %C[%i0 + %i1 + %r, %j0 + %j1 + %c] : memref<8x8xf32, #rm> to memref<4096x4096xf32>
      }
    }
  }
  return
}

// 7: the right tile in the order in which threads read it
func.func @kernel7(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel7 grid [32, 32, 1] block [16, 16, 1] {
    sched.for (%i0 in 4096 by 128 dim 0 : block.y, %j0 in 4096 by 128 dim 1 : block.x) {
      sched.for (%i1 in 128 by 8 dim 0 : thread.y, %j1 in 128 by 8 dim 1 : thread.x) {
        %z = arith.constant 0.0 : f32
        %T = sched.alloc : memref<8x8xf32, #rm>
        sched.copy (%r, %c) in (8, 8) %z to %T[%r, %c] : f32 to memref<8x8xf32, #rm>
        sched.for (%k0 in 4096 by 8 dim 2 pw add) {
          %As = sched.alloc per block : memref<8x128xf32, #sm>
          %Bs = sched.alloc per block : memref<8x8x16xf32, #sm>
          sched.copy per block (%r, %c) in (128, 8) by (seq, vector 4) %A[%i0 + %r, %k0 + %c] to %As[%c, %r] : memref<4096x4096xf32> to memref<8x128xf32, #sm>
          sched.copy per block (%r, %c) in (8, 128) by (seq, vector 4) %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c mod 8, %c floordiv 8] : memref<4096x4096xf32> to memref<8x8x16xf32, #sm>
          sched.for (%k1 in 8 by 1 dim 2 pw add) {
            sched.for (%i2 in 8 by 1 dim 0 : unroll, %j2 in 8 by 1 dim 1 : unroll) {
              %a = sched.read %As[%k1, %i1 + %i2] : memref<8x128xf32, #sm>
              %b = sched.read %Bs[%k1, %j2, %j1 floordiv 8] : memref<8x8x16xf32, #sm>
              %p = arith.mulf %a, %b : f32
              sched.write %p, %T[%i2, %j2] combine add : memref<8x8xf32, #rm>
            }
          }
        }
        sched.copy (%r, %c) in (8, 8) by (unroll, vector 4) %T[%r, %c] to %C[%i0 + %i1 + %r, %j0 + %j1 + %c] : memref<8x8xf32, #rm> to memref<4096x4096xf32>
      }
    }
  }
  return
}

// 8: rows of the right tile padded
func.func @kernel8(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel8 grid [32, 32, 1] block [16, 16, 1] {
    sched.for (%i0 in 4096 by 128 dim 0 : block.y, %j0 in 4096 by 128 dim 1 : block.x) {
      sched.for (%i1 in 128 by 8 dim 0 : thread.y, %j1 in 128 by 8 dim 1 : thread.x) {
        %z = arith.constant 0.0 : f32
        %T = sched.alloc : memref<8x8xf32, #rm>
        sched.copy (%r, %c) in (8, 8) %z to %T[%r, %c] : f32 to memref<8x8xf32, #rm>
        sched.for (%k0 in 4096 by 8 dim 2 pw add) {
          %As = sched.alloc per block : memref<8x128xf32, #sm>
          %Bs = sched.alloc per block : memref<8x133xf32, #sm>
          sched.copy per block (%r, %c) in (128, 8) by (seq, vector 4) %A[%i0 + %r, %k0 + %c] to %As[%c, %r] : memref<4096x4096xf32> to memref<8x128xf32, #sm>
          sched.copy per block (%r, %c) in (8, 128) by (seq, vector 4) %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<8x133xf32, #sm>
          sched.for (%k1 in 8 by 1 dim 2 pw add) {
            sched.for (%i2 in 8 by 1 dim 0 : unroll, %j2 in 8 by 1 dim 1 : unroll) {
              %a = sched.read %As[%k1, %i1 + %i2] : memref<8x128xf32, #sm>
              %b = sched.read %Bs[%k1, %j1 + %j2] : memref<8x133xf32, #sm>
              %p = arith.mulf %a, %b : f32
              sched.write %p, %T[%i2, %j2] combine add : memref<8x8xf32, #rm>
            }
          }
        }
        sched.copy (%r, %c) in (8, 8) by (unroll, vector 4) %T[%r, %c] to %C[%i0 + %i1 + %r, %j0 + %j1 + %c] : memref<8x8xf32, #rm> to memref<4096x4096xf32>
      }
    }
  }
  return
}

// 9: sizes of tiles tuned
func.func @kernel9(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel9 grid [32, 32, 1] block [16, 16, 1] {
    sched.for (%i0 in 4096 by 128 dim 0 : block.y, %j0 in 4096 by 128 dim 1 : block.x) {
      sched.for (%i1 in 128 by 8 dim 0 : thread.y, %j1 in 128 by 8 dim 1 : thread.x) {
        %z = arith.constant 0.0 : f32
        %T = sched.alloc : memref<8x8xf32, #rm>
        sched.copy (%r, %c) in (8, 8) %z to %T[%r, %c] : f32 to memref<8x8xf32, #rm>
        sched.for (%k0 in 4096 by 16 dim 2 pw add) {
          %As = sched.alloc per block : memref<16x128xf32, #sm>
          %Bs = sched.alloc per block : memref<16x128xf32, #sm>
          sched.copy per block (%r, %c) in (128, 16) by (seq, vector 4) %A[%i0 + %r, %k0 + %c] to %As[%c, %r] : memref<4096x4096xf32> to memref<16x128xf32, #sm>
          sched.copy per block (%r, %c) in (16, 128) by (seq, vector 4) %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<16x128xf32, #sm>
          sched.for (%k1 in 16 by 1 dim 2 pw add) {
            sched.for (%i2 in 8 by 1 dim 0 : unroll, %j2 in 8 by 1 dim 1 : unroll) {
              %a = sched.read %As[%k1, %i1 + %i2] : memref<16x128xf32, #sm>
              %b = sched.read %Bs[%k1, %j1 + %j2] : memref<16x128xf32, #sm>
              %p = arith.mulf %a, %b : f32
              sched.write %p, %T[%i2, %j2] combine add : memref<8x8xf32, #rm>
            }
          }
        }
        sched.copy (%r, %c) in (8, 8) by (unroll, vector 4) %T[%r, %c] to %C[%i0 + %i1 + %r, %j0 + %j1 + %c] : memref<8x8xf32, #rm> to memref<4096x4096xf32>
      }
    }
  }
  return
}

// 10: tiles of warps
func.func @kernel10(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>, %C: memref<4096x4096xf32>) {
  sched.kernel @kernel10 grid [32, 32, 1] block [128, 1, 1] subgroup 32 {
    sched.for (%i0 in 4096 by 128 dim 0 : block.y, %j0 in 4096 by 128 dim 1 : block.x) {
      sched.for (%i1 in 128 by 64 dim 0 : warp.y, %j1 in 128 by 64 dim 1 : warp.x) {
        sched.for (%i2 in 64 by 8 dim 0 : lane.y, %j2 in 16 by 4 dim 1 : lane.x) {
          %z = arith.constant 0.0 : f32
          %T = sched.alloc : memref<8x16xf32, #rm>
          sched.copy (%r, %c) in (8, 16) %z to %T[%r, %c] : f32 to memref<8x16xf32, #rm>
          sched.for (%k0 in 4096 by 16 dim 2 pw add) {
            %As = sched.alloc per block : memref<16x128xf32, #sm>
            %Bs = sched.alloc per block : memref<16x128xf32, #sm>
            sched.copy per block (%r, %c) in (128, 16) by (seq, vector 4) %A[%i0 + %r, %k0 + %c] to %As[%c, %r] : memref<4096x4096xf32> to memref<16x128xf32, #sm>
            sched.copy per block (%r, %c) in (16, 128) by (seq, vector 4) %B[%k0 + %r, %j0 + %c] to %Bs[%r, %c] : memref<4096x4096xf32> to memref<16x128xf32, #sm>
            sched.for (%k1 in 16 by 1 dim 2 pw add) {
              sched.for (%j3 in 64 by 16 dim 1 : unroll, %i3 in 8 by 1 dim 0 : unroll, %j4 in 4 by 1 dim 1 : unroll) {
                %a = sched.read %As[%k1, %i1 + %i2 + %i3] : memref<16x128xf32, #sm>
                %b = sched.read %Bs[%k1, %j1 + %j3 + %j2 + %j4] : memref<16x128xf32, #sm>
                %p = arith.mulf %a, %b : f32
                sched.write %p, %T[%i3, %j3 floordiv 4 + %j4] combine add : memref<8x16xf32, #rm>
              }
            }
          }
          sched.copy (%r, %g, %c) in (8, 4, 4) by (unroll, unroll, vector 4) %T[%r, %g * 4 + %c] to %C[%i0 + %i1 + %i2 + %r, %j0 + %j1 + %g * 16 + %j2 + %c] : memref<8x16xf32, #rm> to memref<4096x4096xf32>
        }
      }
    }
  }
  return
}
