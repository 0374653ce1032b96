// A dot product: one result, everything is reduced.
// test: round-trip

func.func @dot(%x: tensor<16777216xf32> {terrace.name = "x"}, %y: tensor<16777216xf32> {terrace.name = "y"})
    -> (tensor<f32> {terrace.name = "d"}) {
  %d = mdh.compute "dot" (k in 16777216 pw add) ins(%a = %x[k], %b = %y[k]) outs([]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16777216xf32>, tensor<16777216xf32>) -> tensor<f32>
  return %d : tensor<f32>
}
