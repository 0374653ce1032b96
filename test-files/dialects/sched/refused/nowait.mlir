// What says `nowait` claims that no join is needed; loops over blocks are refused where one is.
// test: opt --split-input-file --verify-diagnostics

#dm = #gpu.address_space<global>

func.func @neighbours(%A: memref<8xf32, #dm>, %B: memref<4xf32, #dm>) {
  sched.kernel @neighbours grid [4, 1, 1] block [1, 1, 1] {
    %one = arith.constant 1.0 : f32
    sched.for (%i in 4 by 1 : block.x nowait) {
      sched.write %one, %A[%i] : memref<8xf32, #dm>
    }
    sched.for (%j in 4 by 1 : block.x nowait) {
      // expected-error @+1 {{GRID: a block along x reads here what another one writes, and blocks of a kernel cannot wait for each other}}
      %a = sched.read %A[%j + 1] : memref<8xf32, #dm>
      sched.write %a, %B[%j] : memref<4xf32, #dm>
    }
  }
  return
}

// -----

#dm = #gpu.address_space<global>

// A block uses what it wrote itself.
func.func @own(%A: memref<8xf32, #dm>, %B: memref<4xf32, #dm>) {
  sched.kernel @own grid [4, 1, 1] block [1, 1, 1] {
    %one = arith.constant 1.0 : f32
    sched.for (%i in 4 by 1 : block.x nowait) {
      sched.write %one, %A[%i] : memref<8xf32, #dm>
    }
    sched.for (%j in 4 by 1 : block.x) {
      %a = sched.read %A[%j] : memref<8xf32, #dm>
      sched.write %a, %B[%j] : memref<4xf32, #dm>
    }
  }
  return
}
