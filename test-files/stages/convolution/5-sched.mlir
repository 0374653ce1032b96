// test: round-trip
module {
  func.func @conv(%in: memref<4x6x8xf32>, %w: memref<4x2x2x8xf32>, %bias: memref<4xf32>, %o: memref<4x5x7xf32> {llvm.noalias}) {
    %z = arith.constant 0.000000e+00 : f32
    %padded_0 = sched.alloc : memref<7x9x8xf32>
    sched.kernel @conv grid [1, 3, 7] block [8, 4, 1] {
      sched.for (%i in 7 by 1 dim 0 : global.z, %j in 9 by 1 dim 1 : global.y, %k in 8 by 1 dim 2 : global.x) {
        %0 = sched.read %in[%i - 1, %j - 1, %k] else %z : memref<4x6x8xf32>
        sched.write %0, %padded_0[%i, %j, %k] : memref<7x9x8xf32>
      }
    }
    %buffer = sched.alloc : memref<12x2x2x2x2x4xf32>
    sched.kernel @conv_1 grid [2, 12, 1] block [4, 2, 1] {
      sched.for (%i in 12 by 1 dim 0 : block.y, %j in 4 by 2 dim 1 : block.x, %k in 2 by 1 dim 2 : thread.y, %l in 16 by 4 dim 3 : thread.x) {
        %partial_1 = sched.alloc : memref<2x2xf32, #gpu.address_space<private>>
        %cst = arith.constant -0.000000e+00 : f32
        sched.copy (%d0, %d1) in (2, 2) %cst to %partial_1[%d0, %d1] : f32 to memref<2x2xf32, #gpu.address_space<private>>
        sched.for (%m in 32 by 16 dim 3 pw add, %n in 2 by 1 dim 4) {
          %buffer_1 = sched.alloc : memref<4xf32, #gpu.address_space<private>>
          sched.copy (%d0) in (4) by (vector 4) %padded_0[%k + %m floordiv 16 + (%i floordiv 4) * 2, %n + %l floordiv 8 + (%i mod 4) * 2, %d0 + %l mod 8] to %buffer_1[%d0] : memref<7x9x8xf32> to memref<4xf32, #gpu.address_space<private>>
          sched.for (%o_2 in 2 by 1 dim 1) {
            %0 = sched.for (%l_3 in 4 by 1 dim 3 : vector pw add) -> f32 {
              %1 = sched.read %buffer_1[%l_3] : memref<4xf32, #gpu.address_space<private>>
              %2 = sched.read %w[%j + %o_2, %m floordiv 16, %l floordiv 8, %l_3 + %l mod 8] : memref<4x2x2x8xf32>
              %3 = arith.mulf %1, %2 : f32
              sched.yield %3 : f32
            }
            sched.write %0, %partial_1[%n, %o_2] combine add : memref<2x2xf32, #gpu.address_space<private>>
          }
        }
        sched.copy (%d0, %d1) in (2, 2) %partial_1[%d0, %d1] to %buffer[%i, %j floordiv 2, %k, %d0, %d1, %l floordiv 4] : memref<2x2xf32, #gpu.address_space<private>> to memref<12x2x2x2x2x4xf32>
      }
    }
    %buffer_0 = sched.alloc : memref<12x2x2x4xf32>
    sched.kernel @conv_2 grid [2, 12, 1] block [2, 2, 1] {
      sched.for (%i in 12 by 1 dim 0 : block.y, %j in 4 by 2 dim 1 : block.x, %k in 2 by 1 dim 2 : thread.y, %l in 2 by 1 dim 3 : thread.x, %m in 2 by 1 dim 1) {
        %0 = sched.read %bias[%j + %m] : memref<4xf32>
        %1 = sched.for (%n in 4 by 1 dim 4 pw add init(%0)) -> f32 {
          %2 = sched.read %buffer[%i, %j floordiv 2, %k, %l, %m, %n] : memref<12x2x2x2x2x4xf32>
          sched.yield %2 : f32
        }
        sched.write %1, %buffer_0[%i, %k, %l, %j + %m] : memref<12x2x2x4xf32>
      }
    }
    sched.kernel @conv_3 grid [1, 2, 4] block [7, 4, 1] {
      sched.for (%i in 4 by 1 dim 0 : global.z, %j in 5 by 1 dim 1 : global.y, %k in 7 by 1 dim 2 : global.x) {
        %0 = sched.read %buffer_0[(%j floordiv 2) * 4 + %k floordiv 2, %j mod 2, %k mod 2, %i] : memref<12x2x2x4xf32>
        sched.write %0, %o[%i, %j, %k] : memref<4x5x7xf32>
      }
    }
    return
  }
}
