// Panamera's x-reduction in two phases: the same result in every run, no initialisation of the output.
// test: round-trip

#dm = #gpu.address_space<global>

func.func @reduce(%x: memref<33x5000xf32, #dm>, %y: memref<33x5000xf32, #dm>, %out: memref<33xf32, #dm>) {
  %part = sched.alloc : memref<33x5xf32, #dm>
  sched.kernel @phase1 grid [5, 33, 1] block [128, 1, 1] {
    sched.for (%i1 in 33 by 1 dim 0 : block.y, %j1 in 5000 by 1024 dim 1 : block.x) {
      %b = sched.for (%j3 in 128 by 1 dim 1 : thread.x pw add via shared) -> f32 {
        %s = sched.for (%j2 in 1024 by 128 limit 5000 - %j1 - %j3 dim 1 pw add) -> f32 {
          %xv = sched.read %x[%i1, %j1 + %j2 + %j3] : memref<33x5000xf32, #dm>
          %yv = sched.read %y[%i1, %j1 + %j2 + %j3] : memref<33x5000xf32, #dm>
          %v = arith.addf %xv, %yv : f32
          sched.yield %v : f32
        }
        sched.yield %s : f32
      }
      sched.write %b, %part[%i1, %j1 floordiv 1024] : memref<33x5xf32, #dm>
    }
  }
  sched.kernel @phase2 grid [1, 1, 1] block [64, 1, 1] {
    sched.for (%i in 33 by 1 dim 0 : thread.x) {
      %r = sched.for (%q in 5 by 1 dim 2 pw add) -> f32 {
        %v = sched.read %part[%i, %q] : memref<33x5xf32, #dm>
        sched.yield %v : f32
      }
      sched.write %r, %out[%i] : memref<33xf32, #dm>
    }
  }
  return
}
