// test: round-trip
module {
  func.func @jacobi1d(%x: tensor<11xf32>) -> (tensor<9xf32> {terrace.name = "y"}) {
    %y = mdh.compute "jacobi1d" (i in 9) ins(%x.e = %x[i], %x.e1 = %x[i + 1], %x.e2 = %x[i + 2]) outs([i]) {
      %0 = arith.addf %x.e, %x.e1 : f32
      %1 = arith.addf %0, %x.e2 : f32
      %cst = arith.constant 3.000000e+00 : f32
      %2 = arith.divf %1, %cst : f32
      mdh.yield %2 : f32
    } : (tensor<11xf32>, tensor<11xf32>, tensor<11xf32>) -> tensor<9xf32>
    return %y : tensor<9xf32>
  }
}
