// test: round-trip
#m = affine_map<(i, j, k) -> (i, j, k)>
func.func @jacobi3d(%X: tensor<5x5x5xf32>) -> (tensor<3x3x3xf32> {terrace.name = "Y"}) {
  %w = arith.constant 0.125 : f32
  %p0 = tensor.extract_slice %X[1, 1, 1] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %p1 = tensor.extract_slice %X[0, 1, 1] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %p2 = tensor.extract_slice %X[2, 1, 1] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %p3 = tensor.extract_slice %X[1, 0, 1] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %p4 = tensor.extract_slice %X[1, 2, 1] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %p5 = tensor.extract_slice %X[1, 1, 0] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %p6 = tensor.extract_slice %X[1, 1, 2] [3, 3, 3] [1, 1, 1] : tensor<5x5x5xf32> to tensor<3x3x3xf32>
  %e = tensor.empty() : tensor<3x3x3xf32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p0, %p1, %p2, %p3, %p4, %p5, %p6 : tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3xf32>) outs(%e : tensor<3x3x3xf32>) {
  ^bb0(%x0: f32, %x1: f32, %x2: f32, %x3: f32, %x4: f32, %x5: f32, %x6: f32, %out: f32):
    %s1 = arith.addf %x0, %x1 : f32
    %s2 = arith.addf %s1, %x2 : f32
    %s3 = arith.addf %s2, %x3 : f32
    %s4 = arith.addf %s3, %x4 : f32
    %s5 = arith.addf %s4, %x5 : f32
    %s6 = arith.addf %s5, %x6 : f32
    %y = arith.mulf %s6, %w : f32
    linalg.yield %y : f32
  } -> tensor<3x3x3xf32>
  return %r : tensor<3x3x3xf32>
}
