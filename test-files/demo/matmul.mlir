// A matrix product as mathematics: what `cargo xtask demo` takes down to machine code. The shape is that of the last layer of
// ResNet-50 in the MDH paper.
// test: round-trip

func.func @matmul(%A: tensor<16x2048xf32> {terrace.name = "A"}, %B: tensor<2048x1000xf32> {terrace.name = "B"})
    -> (tensor<16x1000xf32> {terrace.name = "C"}) {
  %C = mdh.compute "matmul" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}
