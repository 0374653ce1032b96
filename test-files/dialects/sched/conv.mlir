// Convolution 3 × 3 with padding 1, NHWC, 56 × 56 × 64 to 64 kernels, on a CPU: padding lives in the tile's copy.
// test: round-trip

func.func @conv(%in: memref<1x56x56x64xf32>, %w: memref<3x3x64x64xf32>, %out: memref<1x56x56x64xf32>) {
  %z = arith.constant 0.0 : f32
  sched.for step 1 at 1 (%n1 in 1 by 1 dim 0 : task, %p1 in 56 by 1 dim 1 : task) {
    %I = sched.alloc step 1 at 1 : memref<3x58x64xf32, "l1">
    sched.copy step 1 at 1 (%y, %x, %c) in (3, 58, 64) by (seq, seq, vector 16) %in[%n1, %p1 + %y - 1, %x - 1, %c] else %z to %I[%y, %x, %c] : memref<1x56x56x64xf32> to memref<3x58x64xf32, "l1">
    sched.for step 2 at 2 (%q2 in 56 by 14 dim 2, %f2 in 64 by 32 dim 3) {
      %acc = sched.alloc step 2 at 2 : memref<14x32xf32, "reg">
      sched.copy (%q, %f) in (14, 32) by (unroll, vector 16) %z to %acc[%q, %f] : f32 to memref<14x32xf32, "reg">
      sched.for step 3 at 3 (%r3 in 3 by 1 dim 4 pw add, %s3 in 3 by 1 dim 5 pw add, %c3 in 64 by 1 dim 6 pw add) {
        sched.for step 4 at 4 (%q4 in 14 by 1 dim 2 : unroll, %f4 in 32 by 16 dim 3 : unroll) {
          sched.for step 5 at 5 (%f5 in 16 by 1 dim 3 : vector) {
            %a = sched.read %I[%r3, %q2 + %q4 + %s3, %c3] : memref<3x58x64xf32, "l1">
            %b = sched.read %w[%r3, %s3, %c3, %f2 + %f4 + %f5] : memref<3x3x64x64xf32>
            %p = arith.mulf %a, %b : f32
            sched.write %p, %acc[%q4, %f4 + %f5] combine add : memref<14x32xf32, "reg">
          }
        }
      }
      sched.copy step 2 at 2 (%q, %f) in (14, 32) by (unroll, vector 16) %acc[%q, %f] to %out[%n1, %p1, %q2 + %q, %f2 + %f] : memref<14x32xf32, "reg"> to memref<1x56x56x64xf32>
    }
  }
  return
}
