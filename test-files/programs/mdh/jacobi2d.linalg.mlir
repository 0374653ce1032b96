// test: round-trip
#m = affine_map<(i, j) -> (i, j)>
func.func @jacobi2d(%X: tensor<7x7xf32>) -> (tensor<5x5xf32> {terrace.name = "Y"}) {
  %w = arith.constant 0.2 : f32
  %p0 = tensor.extract_slice %X[1, 1] [5, 5] [1, 1] : tensor<7x7xf32> to tensor<5x5xf32>
  %p1 = tensor.extract_slice %X[0, 1] [5, 5] [1, 1] : tensor<7x7xf32> to tensor<5x5xf32>
  %p2 = tensor.extract_slice %X[2, 1] [5, 5] [1, 1] : tensor<7x7xf32> to tensor<5x5xf32>
  %p3 = tensor.extract_slice %X[1, 0] [5, 5] [1, 1] : tensor<7x7xf32> to tensor<5x5xf32>
  %p4 = tensor.extract_slice %X[1, 2] [5, 5] [1, 1] : tensor<7x7xf32> to tensor<5x5xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m, #m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%p0, %p1, %p2, %p3, %p4 : tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) {
  ^bb0(%x0: f32, %x1: f32, %x2: f32, %x3: f32, %x4: f32, %out: f32):
    %s1 = arith.addf %x0, %x1 : f32
    %s2 = arith.addf %s1, %x2 : f32
    %s3 = arith.addf %s2, %x3 : f32
    %s4 = arith.addf %s3, %x4 : f32
    %y = arith.mulf %s4, %w : f32
    linalg.yield %y : f32
  } -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}
