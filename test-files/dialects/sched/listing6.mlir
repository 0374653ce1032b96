// MDH's Listing 5 as a nest, corrected (trap F17): tiles of A and B are what all threads of the block read.
// test: round-trip

#dm = #gpu.address_space<global>
#rm = #gpu.address_space<private>
#sm = #gpu.address_space<workgroup>

func.func @matmul(%A: memref<16x2048xf32, #dm>, %B: memref<2048x1000xf32, #dm>, %C: memref<16x1000xf32, #dm>) {
  %z = arith.constant 0.0 : f32
  sched.kernel @matmul grid [50, 2, 1] block [20, 4, 1] {
    sched.for step 1 at 1 (%j1 in 1000 by 20 dim 1 : block.x, %i1 in 16 by 8 dim 0 : block.y, %k1 in 2048 by 2048 dim 2 : block.z pw add) {
      sched.for step 3 at 2 (%j3 in 20 by 1 dim 1 : thread.x, %i3 in 4 by 1 dim 0 : thread.y, %k3 in 2048 by 2048 dim 2 : thread.z pw add) {
        %Cr = sched.alloc step 3 at 2 : memref<2x1xf32, #rm>
        sched.copy (%r, %c) in (2, 1) %z to %Cr[%r, %c] : f32 to memref<2x1xf32, #rm>
        sched.for step 4 at 3 (%k4 in 2048 by 256 dim 2 pw add, %i4 in 1 by 1 dim 0, %j4 in 1 by 1 dim 1) {
          %As = sched.alloc per block step 4 at 3 : memref<8x256xf32, #sm>
          %Bs = sched.alloc per block step 4 at 3 : memref<256x20xf32, #sm>
          sched.copy per block step 4 at 3 (%r, %c) in (8, 256) by linear %A[%i1 + %i4 + %r, %k1 + %k3 + %k4 + %c] to %As[%r, %c] : memref<16x2048xf32, #dm> to memref<8x256xf32, #sm>
          sched.copy per block step 4 at 3 (%r, %c) in (256, 20) by linear %B[%k1 + %k3 + %k4 + %r, %j1 + %j4 + %c] to %Bs[%r, %c] : memref<2048x1000xf32, #dm> to memref<256x20xf32, #sm>
          sched.for step 5 at 4 (%k5 in 256 by 2 dim 2 pw add, %i5 in 1 by 1 dim 0, %j5 in 1 by 1 dim 1) {
            sched.for step 6 at 5 (%k6 in 2 by 1 dim 2 pw add, %i6 in 1 by 1 dim 0, %j6 in 1 by 1 dim 1) {
              sched.for step 2 at 6 (%i2 in 8 by 4 dim 0, %j2 in 20 by 20 dim 1, %k2 in 2048 by 2048 dim 2 pw add) {
                %a = sched.read %As[%i2 + %i3 + %i5 + %i6, %k2 + %k5 + %k6] : memref<8x256xf32, #sm>
                %b = sched.read %Bs[%k2 + %k5 + %k6, %j2 + %j3 + %j5 + %j6] : memref<256x20xf32, #sm>
                %p = arith.mulf %a, %b : f32
                sched.write %p, %Cr[%i2 floordiv 4 + %i4 + %i5 + %i6, %j2 floordiv 20 + %j4 + %j5 + %j6] combine add : memref<2x1xf32, #rm>
              }
            }
          }
        }
        sched.copy step 3 at 2 (%r, %c) in (2, 1) %Cr[%r, %c] to %C[%i1 + %i3 + 4 * %r, %j1 + %j3 + 20 * %c] : memref<2x1xf32, #rm> to memref<16x1000xf32, #dm>
      }
    }
  }
  return
}
