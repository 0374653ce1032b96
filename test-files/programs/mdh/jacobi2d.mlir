// test: round-trip
module {
  func.func @jacobi2d(%X: tensor<7x7xf32>) -> (tensor<5x5xf32> {terrace.name = "Y"}) {
    %Y = mdh.compute "jacobi2d" (i in 5, j in 5) ins(%x = %X[i + 1, j + 1], %x1 = %X[i, j + 1], %x2 = %X[i + 2, j + 1], %x3 = %X[i + 1, j], %x4 = %X[i + 1, j + 2]) outs([i, j]) {
      %cst = arith.constant 2.000000e-01 : f32
      %0 = arith.addf %x, %x1 : f32
      %1 = arith.addf %0, %x2 : f32
      %2 = arith.addf %1, %x3 : f32
      %3 = arith.addf %2, %x4 : f32
      %4 = arith.mulf %cst, %3 : f32
      mdh.yield %4 : f32
    } : (tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>) -> tensor<5x5xf32>
    return %Y : tensor<5x5xf32>
  }
  func.func @border(%X: tensor<7x7xf32>, %Y: tensor<7x7xf32>) -> (tensor<7x7xf32> {terrace.name = "Y"}) {
    %Y_0 = mdh.compute "border" (i in 5, j in 5) ins(%x = %X[i + 1, j + 1], %x1 = %X[i, j + 1], %x2 = %X[i + 2, j + 1], %x3 = %X[i + 1, j], %x4 = %X[i + 1, j + 2]) outs([i + 1, j + 1] into %Y) {
      %cst = arith.constant 2.000000e-01 : f32
      %0 = arith.addf %x, %x1 : f32
      %1 = arith.addf %0, %x2 : f32
      %2 = arith.addf %1, %x3 : f32
      %3 = arith.addf %2, %x4 : f32
      %4 = arith.mulf %cst, %3 : f32
      mdh.yield %4 : f32
    } : (tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>) -> tensor<7x7xf32>
    return %Y_0 : tensor<7x7xf32>
  }
}
