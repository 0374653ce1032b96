// A convolution of 3 × 3 with padding and bias, channels last. What lies outside of the image contributes nothing: that is a
// condition on points, no zeros are read.
// test: round-trip

func.func @conv2d(%I: tensor<1x56x56x64xf32> {terrace.name = "I"}, %F: tensor<3x3x64x64xf32> {terrace.name = "F"},
                  %bias: tensor<64xf32> {terrace.name = "bias"}) -> (tensor<1x56x56x64xf32> {terrace.name = "O"}) {
  %O = mdh.compute "conv2d" (n in 1, p in 56, q in 56, k in 64, r in 3 pw add, s in 3 pw add, c in 64 pw add)
       where 0 <= p + r - 1 < 56, 0 <= q + s - 1 < 56
       ins(%x = %I[n, p + r - 1, q + s - 1, c], %w = %F[r, s, c, k]) outs([n, p, q, k] into %bias[k]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>) -> tensor<1x56x56x64xf32>
  return %O : tensor<1x56x56x64xf32>
}
