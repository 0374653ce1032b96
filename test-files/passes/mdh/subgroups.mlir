// test: opt --pipeline='func.func(mdh-schedule{target=opencl},mdh-to-sched)'
// Warps are as wide as the device's file says: eight threads on this one.

func.func @warps(%A: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %C = mdh.compute "warps" (i in 16, j in 64) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,16) (^ ; ^) (BLK.y,BLK.x)",
         "2: (2,^) (^ ; ^) (WRP.x,^)",
         "3: (^,4) (^ ; ^) (^,THR.x)",
         "4: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    %p = arith.addf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %C : tensor<16x64xf32>
}
// check: sched.kernel @warps grid [4, 2, 1] block [32, 1, 1] subgroup 8 {
// check: (%i2 in 8 by 2 dim 0 : warp) {
// check: (%j3 in 16 by 4 dim 1 : lane) {

// Wider ones are the next power of two: they are threads that meet in shared memory.
func.func @wide(%A: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %C = mdh.compute "wide" (i in 16, j in 64) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,16) (^ ; ^) (BLK.y,BLK.x)",
         "2: (2,^) (^ ; ^) (WRP.x,^)",
         "3: (^,1) (^ ; ^) (^,THR.x)",
         "4: (1,^) (^ ; ^) (FOR.1,^)"]} {
    %p = arith.addf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %C : tensor<16x64xf32>
}
// check: sched.kernel @wide grid [4, 2, 1] block [64, 1, 1] subgroup 16 {

// Without warps nothing is said.
func.func @threads(%A: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %C = mdh.compute "threads" (i in 16, j in 64) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = ["1: (1,16) (^ ; ^) (BLK.y,BLK.x)", "2: (^,1) (^ ; ^) (^,THR.x)"]} {
    %p = arith.addf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %C : tensor<16x64xf32>
}
// check: sched.kernel @threads grid [4, 16, 1] block [16, 1, 1] {
