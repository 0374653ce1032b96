// test: round-trip
module {
  func.func @dot(%x: tensor<37xf32>, %y: tensor<37xf32>) -> (tensor<f32> {terrace.name = "result"}) {
    %result = mdh.compute "dot" (k in 37 pw add) ins(%x.e = %x[k], %y.e = %y[k]) outs([]) {
      %0 = arith.mulf %x.e, %y.e : f32
      mdh.yield %0 : f32
    } : (tensor<37xf32>, tensor<37xf32>) -> tensor<f32>
    return %result : tensor<f32>
  }
}
