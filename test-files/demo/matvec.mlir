// A matrix times a vector: each element is read once, so that memory decides.
// test: round-trip

func.func @matvec(%M: tensor<4096x4096xf32> {terrace.name = "M"}, %v: tensor<4096xf32> {terrace.name = "v"})
    -> (tensor<4096xf32> {terrace.name = "w"}) {
  %w = mdh.compute "matvec" (i in 4096, k in 4096 pw add) ins(%m = %M[i, k], %x = %v[k]) outs([i]) {
    %p = arith.mulf %m, %x : f32
    mdh.yield %p : f32
  } : (tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
  return %w : tensor<4096xf32>
}
