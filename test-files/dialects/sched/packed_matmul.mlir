// Packed matrix product on a CPU, 1000³: panels of B in L3 and A in L2, tile of 14 × 32 in registers, padded tails.
// test: round-trip

func.func @matmul(%A: memref<1000x1000xf32>, %B: memref<1000x1000xf32>, %C: memref<1000x1000xf32>) {
  %z = arith.constant 0.0 : f32
  sched.copy (%i, %j) in (1000, 1000) by (task, vector 16) %z to %C[%i, %j] : f32 to memref<1000x1000xf32>
  sched.for step 1 at 1 (%j1 in 1000 by 512 dim 1 tail pad, %k1 in 1000 by 256 dim 2 pw add) {
    %Bp = sched.alloc step 1 at 1 : memref<16x256x32xf32, "l3">
    sched.copy step 1 at 1 (%q, %k, %j) in (16, 256, 32) by (task, seq, vector 16) %B[%k1 + %k, %j1 + 32 * %q + %j] else %z to %Bp[%q, %k, %j] : memref<1000x1000xf32> to memref<16x256x32xf32, "l3">
    sched.for step 2 at 2 (%i2 in 1000 by 112 dim 0 : task tail pad) {
      %Ap = sched.alloc step 2 at 2 : memref<8x256x14xf32, "l2">
      sched.copy step 2 at 2 (%q, %k, %i) in (8, 256, 14) %A[%i2 + 14 * %q + %i, %k1 + %k] else %z to %Ap[%q, %k, %i] : memref<1000x1000xf32> to memref<8x256x14xf32, "l2">
      sched.for step 3 at 3 (%j3 in 512 by 32 limit 1000 - %j1 dim 1, %i3 in 112 by 14 limit 1000 - %i2 dim 0) {
        %Cr = sched.alloc step 3 at 3 : memref<14x32xf32, "reg">
        sched.copy (%i, %j) in (14, 32) by (unroll, vector 16) %z to %Cr[%i, %j] : f32 to memref<14x32xf32, "reg">
        sched.for step 4 at 4 (%k4 in 256 by 1 limit 1000 - %k1 dim 2 pw add) {
          sched.for step 5 at 5 (%i5 in 14 by 1 dim 0 : unroll, %j5 in 32 by 16 dim 1 : unroll) {
            sched.for step 6 at 6 (%j6 in 16 by 1 dim 1 : vector) {
              %a = sched.read %Ap[%i3 floordiv 14, %k4, %i5] : memref<8x256x14xf32, "l2">
              %b = sched.read %Bp[%j3 floordiv 32, %k4, %j5 + %j6] : memref<16x256x32xf32, "l3">
              %p = arith.mulf %a, %b : f32
              sched.write %p, %Cr[%i5, %j5 + %j6] combine add : memref<14x32xf32, "reg">
            }
          }
        }
        sched.copy step 3 at 3 (%i, %j) in (14, 32) by (unroll, vector 16) %Cr[%i, %j] to %C[%i2 + %i3 + %i, %j1 + %j3 + %j] clip combine add : memref<14x32xf32, "reg"> to memref<1000x1000xf32>
      }
    }
  }
  return
}
