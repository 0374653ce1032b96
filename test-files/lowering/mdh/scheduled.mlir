// test: opt --pipeline="func.func(mdh-to-sched)"
// snapshot:
// Steps of a schedule: tiles, panels, registers, and what happens where sizes do not divide.

// j in whole tiles: panels are padded, results clipped. i in pieces, 13 = 12 + 1, which `tail peel` cuts. k ends early.
func.func @packed(%A: tensor<13x70xf32>, %B: tensor<70x100xf32>) -> tensor<13x100xf32> {
  %c = mdh.compute "matmul" (i in 13, j in 100, k in 70 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) attributes {mdh.schedule = [
    "1: (^,64~pad,^) (^,^ ; ^) (FOR.1,THR.x,FOR.2)",
    "2: (^,^,32~limit) (^,L2[2/32,1,2%32] ; ^) (FOR.1,FOR.2,FOR.3)",
    "3: (6~peel,32,^) (^,^ ; REG) (FOR.2,FOR.1,FOR.3)",
    "4: (^,^,1) (^,^ ; ^) (FOR.2,FOR.1,FOR.3)",
    "5: (1,16,^) (^,^ ; ^) (UNR.1,UNR.2,FOR.3)",
    "6: (^,1,^) (^,^ ; ^) (FOR.1,VEC.x,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<13x70xf32>, tensor<70x100xf32>) -> tensor<13x100xf32>
  return %c : tensor<13x100xf32>
}
// check: @packed
// check: sched.copy (%d0, %d1) in (13, 100) %cst to %c[%d0, %d1]
// next: sched.for step 1 at 1 (%j1 in 100 by 64 dim 1 : task tail pad) {
// next: sched.for step 2 at 2 (%k2 in 70 by 32 dim 2 pw add) {
// next: %B_l2 = sched.alloc step 2 at 2 : memref<2x32x32xf32, "l2">
// check: sched.copy step 2 at 2 (%d0, %d1, %d2) in (32, 2, 32) %B[%d0 + %k2, %j1 + %d1 * 32 + %d2] else %cst_0 to %B_l2[%d1, %d0, %d2]
// next: sched.for step 3 at 3 (%j3 in 64 by 32 limit -%j1 + 100 dim 1, %i3 in 13 by 6 dim 0 tail peel) {
// next: %c_reg = sched.alloc step 3 at 3 : memref<6x32xf32, "reg">
// check: sched.for step 4 at 4 (%k4 in 32 by 1 limit -%k2 + 70 dim 2 pw add)
// next: sched.for step 5 at 5 (%i5 in 6 by 1 limit -%i3 + 13 dim 0 : unroll, %j5 in 32 by 16 dim 1 : unroll)
// next: sched.for step 6 at 6 (%j6 in 16 by 1 dim 1 : vector)
// next: sched.read %A[%i3 + %i5, %k2 + %k4]
// next: sched.read %B_l2[%j3 floordiv 32, %k4, %j5 + %j6]
// check: combine add
// check: clip combine add
// check-not: sched.alloc step 3

// 43 = 32 + 8 + 2 + 1 lanes, each with registers that fit.
func.func @lanes(%A: tensor<43xf32>) -> tensor<f32> {
  %s = mdh.compute "sum" (k in 43 pw add) ins(%a = %A[k]) outs([]) attributes {mdh.schedule = [
    "1: (32~peel) (^ ; ^) (FOR.1)", "2: (16) (^ ; ^) (UNR.1)", "3: (1) (^ ; ^) (VEC.x)"]} {
    mdh.yield %a : f32
  } : (tensor<43xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
// check: @lanes
// next: sched.for step 2 at 2 (%k2 in 32 by 16 dim 0 : unroll pw add) -> f32
// next: sched.for step 3 at 3 (%k3 in 16 by 1 dim 0 : vector pw add) -> f32
// check: sched.for step 3 at 3 (%k3 in 8 by 1 dim 0 : vector pw add) -> f32
// check: sched.for step 3 at 3 (%k3 in 2 by 1 dim 0 : vector pw add) -> f32
// check: sched.read %A[42]

// Threads of a block stage what they read together; strided registers are numbered.
func.func @kernel(%A: tensor<64xf32>) -> tensor<64xf32> {
  %c = mdh.compute "copy" (i in 64) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = [
    "1: (32) (^ ; ^) (BLK.x)", "3: (8) (^ ; ^) (FOR.1)", "2: (1) (SM ; ^) (THR.x)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
// check: sched.kernel @copy grid [2, 1, 1] block [8, 1, 1] {
// next: sched.for step 1 at 1 (%i1 in 64 by 32 dim 0 : block.x) {
// next: sched.for step 3 at 2 (%i3 in 8 by 1 dim 0 : thread.x) {
// next: %A_sm = sched.alloc per block step 3 at 2 : memref<32xf32, #gpu.address_space<workgroup>>
// next: sched.copy per block
