// A step of a stencil in three dimensions: seven accesses of one buffer, nothing is reduced.
// test: round-trip

func.func @jacobi(%A: tensor<258x258x258xf32> {terrace.name = "A"}) -> (tensor<256x256x256xf32> {terrace.name = "B"}) {
  %seventh = arith.constant 0.142857149 : f32
  %B = mdh.compute "jacobi" (i in 256, j in 256, k in 256)
       ins(%c = %A[i + 1, j + 1, k + 1], %n = %A[i, j + 1, k + 1], %s = %A[i + 2, j + 1, k + 1], %w = %A[i + 1, j, k + 1],
           %e = %A[i + 1, j + 2, k + 1], %f = %A[i + 1, j + 1, k], %b = %A[i + 1, j + 1, k + 2], %factor = %seventh)
       outs([i, j, k]) {
    %0 = arith.addf %n, %s : f32
    %1 = arith.addf %w, %e : f32
    %2 = arith.addf %f, %b : f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %2, %c : f32
    %5 = arith.addf %3, %4 : f32
    %6 = arith.mulf %5, %factor : f32
    mdh.yield %6 : f32
  } : (tensor<258x258x258xf32>, tensor<258x258x258xf32>, tensor<258x258x258xf32>, tensor<258x258x258xf32>,
       tensor<258x258x258xf32>, tensor<258x258x258xf32>, tensor<258x258x258xf32>, f32) -> tensor<256x256x256xf32>
  return %B : tensor<256x256x256xf32>
}
