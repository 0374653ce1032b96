// Tasks of different length are fetched one by one; tasks whose borders alone differ are dealt out before.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf)"
// check: func.func @triangle
// check: terrace.grain = 1 : i64
// check: func.func @border
// not: terrace.grain
// check: func.func @upper
// check: terrace.grain = 1 : i64
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf),scf-parallel-to-calls"
// check: call @triangle_parallel_0({{…}} {terrace.grain = 1 : i64, terrace.parallel}
// check: call @border_parallel_0({{…}} {terrace.parallel}
// eval: @sums(7) == 28.0

func.func @triangle(%A: memref<64x64xf32>, %y: memref<64xf32>) {
  sched.for (%i1 in 64 by 4 dim 0 : task) {
    sched.for (%i2 in 4 by 1 dim 0) {
      %s = sched.for (%j in 64 by 1 limit %i1 + %i2 + 1 dim 1 pw add) -> f32 {
        %a = sched.read %A[%i1 + %i2, %j] : memref<64x64xf32>
        sched.yield %a : f32
      }
      sched.write %s, %y[%i1 + %i2] : memref<64xf32>
    }
  }
  return
}

func.func @border(%A: memref<64xf32>, %y: memref<64xf32>) {
  sched.for (%i in 64 by 1 dim 0 : task) {
    %s = sched.for (%j in 3 by 1 from -(%i - 1) limit -(%i - 1) + 64 dim 1 pw add) -> f32 {
      %a = sched.read %A[%i + %j - 1] : memref<64xf32>
      sched.yield %a : f32
    }
    sched.write %s, %y[%i] : memref<64xf32>
  }
  return
}

func.func @upper(%A: memref<64x64xf32>, %y: memref<64xf32>) {
  sched.for (%i in 64 by 1 dim 0 : task) {
    %s = sched.for (%j in 64 by 1 from %i dim 1 pw add) -> f32 {
      %a = sched.read %A[%i, %j] : memref<64x64xf32>
      sched.yield %a : f32
    }
    sched.write %s, %y[%i] : memref<64xf32>
  }
  return
}

func.func @sums(%n: i32) -> f32 {
  %A = memref.alloc() : memref<64x64xf32>
  %y = memref.alloc() : memref<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %k = arith.index_cast %j : index to i32
      %x = arith.sitofp %k : i32 to f32
      memref.store %x, %A[%i, %j] : memref<64x64xf32>
    }
  }
  func.call @triangle(%A, %y) : (memref<64x64xf32>, memref<64xf32>) -> ()
  %at = arith.index_cast %n : i32 to index
  %s = memref.load %y[%at] : memref<64xf32>
  memref.dealloc %A : memref<64x64xf32>
  memref.dealloc %y : memref<64xf32>
  return %s : f32
}
