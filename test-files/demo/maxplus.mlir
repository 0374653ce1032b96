// A product over other operators: the heaviest paths of two edges. Only the operators differ from a product of numbers.
// test: round-trip

func.func @maxplus(%A: tensor<512x512xf32> {terrace.name = "A"}, %B: tensor<512x512xf32> {terrace.name = "B"})
    -> (tensor<512x512xf32> {terrace.name = "C"}) {
  %C = mdh.compute "maxplus" (i in 512, j in 512, k in 512 pw max) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.addf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %C : tensor<512x512xf32>
}
