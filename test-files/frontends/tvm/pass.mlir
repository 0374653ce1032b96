// test: opt --pipeline='func.func(mdh-script{compute=product script="i1, i2 = s[C].split(i, factor=4); j1, j2 = s[C].split(j, factor=16); s[C].reorder(i1, j1, k, i2, j2); s[C].parallel(i1); s[C].unroll(i2); s[C].vectorize(j2)"})'
// A script as an option; `;` ends lines.

func.func @f(%A: tensor<64x32xf32>, %B: tensor<32x128xf32>) -> tensor<64x128xf32> {
  %C = mdh.compute "product" (i in 64, j in 128, k in 32 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  return %C : tensor<64x128xf32>
}
// check: mdh.schedule = ["1: (4,^,^) (^,^ ; ^) (THR.x,^,^)", "2: (1,16,1) (^,^ ; ^) (UNR.3,FOR.1,FOR.2)", "3: (^,1,^) (^,^ ; ^) (^,VEC.x,^)"]

// Another computation keeps its own.
func.func @g(%A: tensor<64xf32>) -> tensor<f32> {
  %s = mdh.compute "sum" (k in 64 pw add) ins(%a = %A[k]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
// check: @g
// check-not: mdh.schedule
