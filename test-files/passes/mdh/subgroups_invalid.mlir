// test: opt --pipeline='func.func(mdh-schedule{target=opencl},mdh-to-sched)' --verify-diagnostics
// More lanes than the device's warps have threads.

func.func @wide(%A: tensor<16x64xf32>) -> tensor<16x64xf32> {
  // expected-error@+1 {{S-AXIS: 16 threads of a warp; the device's have 8}}
  %C = mdh.compute "wide" (i in 16, j in 64) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,16) (^ ; ^) (BLK.y,BLK.x)", "2: (2,^) (^ ; ^) (WRP.x,^)", "3: (^,1) (^ ; ^) (^,THR.x)",
         "4: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    %p = arith.addf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %C : tensor<16x64xf32>
}
