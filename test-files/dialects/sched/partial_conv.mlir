// LIFT's partial convolution of layer 7: window tiles on blocks, kernels, window groups and element vectors on threads.
// test: round-trip

#dm = #gpu.address_space<global>
#rm = #gpu.address_space<private>

func.func @partial_conv(%in: memref<125x125x128xf32, #dm>, %w: memref<128x3x3x128xf32, #dm>, %p: memref<1681x32x4x3x3x8xf32, #dm>) {
  %z = arith.constant 0.0 : f32
  sched.kernel @partial_conv grid [32, 1681, 1] block [8, 3, 1] {
    sched.for (%t in 1681 by 1 dim 0 : block.y, %m in 128 by 4 dim 1 : block.x) {
      sched.for (%g in 9 by 3 dim 2 : thread.y, %c in 32 by 4 dim 3 : thread.x) {
        %acc = sched.alloc : memref<4x3xf32, #rm>
        sched.copy (%a, %s) in (4, 3) %z to %acc[%a, %s] : f32 to memref<4x3xf32, #rm>
        sched.for (%u in 1152 by 32 dim 3 pw add) {
          %x = sched.alloc : memref<3x4xf32, #rm>
          sched.copy (%s, %l) in (3, 4) by (unroll, vector 4) %in[3 * (%t floordiv 41) + (%g + %s) floordiv 3 + (%u + %c + %l) floordiv 384, 3 * (%t mod 41) + (%g + %s) mod 3 + ((%u + %c + %l) floordiv 128) mod 3, (%u + %c + %l) mod 128] to %x[%s, %l] : memref<125x125x128xf32, #dm> to memref<3x4xf32, #rm>
          sched.for (%a in 4 by 1 dim 1 : unroll) {
            %y = sched.alloc : memref<4xf32, #rm>
            sched.copy (%l) in (4) by (vector 4) %w[%m + %a, (%u + %c + %l) floordiv 384, ((%u + %c + %l) floordiv 128) mod 3, (%u + %c + %l) mod 128] to %y[%l] : memref<128x3x3x128xf32, #dm> to memref<4xf32, #rm>
            sched.for (%s in 3 by 1 dim 2 : unroll) {
              %d = sched.for (%l in 4 by 1 dim 3 : vector pw add) -> f32 {
                %xv = sched.read %x[%s, %l] : memref<3x4xf32, #rm>
                %yv = sched.read %y[%l] : memref<4xf32, #rm>
                %q = arith.mulf %xv, %yv : f32
                sched.yield %q : f32
              }
              sched.write %d, %acc[%a, %s] combine add : memref<4x3xf32, #rm>
            }
          }
        }
        sched.copy (%a, %s) in (4, 3) %acc[%a, %s] to %p[%t, %m floordiv 4, %a, %g floordiv 3, %s, %c floordiv 4] : memref<4x3xf32, #rm> to memref<1681x32x4x3x3x8xf32, #dm>
      }
    }
  }
  return
}
