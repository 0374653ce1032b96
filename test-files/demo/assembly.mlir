// A product of matrices whose accumulators stay in registers: the inner loop is one load of B, one broadcast of A and one fused
// multiply-add per register.
// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4}),to-host" --emit=asm --target-cpu=skylake-avx512

func.func @product(%A: tensor<96x256xf32>, %B: tensor<256x64xf32>) -> tensor<96x64xf32> {
  %C = mdh.compute (i in 96, j in 64, k in 256 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<96x256xf32>, tensor<256x64xf32>) -> tensor<96x64xf32>
  return %C : tensor<96x64xf32>
}
// check: vfmadd231ps{{.*}}%zmm
// next: vfmadd231ps{{.*}}%zmm
// next: vfmadd231ps{{.*}}%zmm
// not: vmulps
// check: retq
