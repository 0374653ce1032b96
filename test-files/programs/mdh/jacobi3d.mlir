// test: round-trip
module {
  func.func @jacobi3d(%X: tensor<5x5x5xf32>) -> (tensor<3x3x3xf32> {terrace.name = "Y"}) {
    %Y = mdh.compute "jacobi3d" (i in 3, j in 3, k in 3) ins(%x = %X[i + 1, j + 1, k + 1], %x1 = %X[i, j + 1, k + 1], %x2 = %X[i + 2, j + 1, k + 1], %x3 = %X[i + 1, j, k + 1], %x4 = %X[i + 1, j + 2, k + 1], %x5 = %X[i + 1, j + 1, k], %x6 = %X[i + 1, j + 1, k + 2]) outs([i, j, k]) {
      %cst = arith.constant 1.250000e-01 : f32
      %0 = arith.addf %x, %x1 : f32
      %1 = arith.addf %0, %x2 : f32
      %2 = arith.addf %1, %x3 : f32
      %3 = arith.addf %2, %x4 : f32
      %4 = arith.addf %3, %x5 : f32
      %5 = arith.addf %4, %x6 : f32
      %6 = arith.mulf %cst, %5 : f32
      mdh.yield %6 : f32
    } : (tensor<5x5x5xf32>, tensor<5x5x5xf32>, tensor<5x5x5xf32>, tensor<5x5x5xf32>, tensor<5x5x5xf32>, tensor<5x5x5xf32>, tensor<5x5x5xf32>) -> tensor<3x3x3xf32>
    return %Y : tensor<3x3x3xf32>
  }
}
