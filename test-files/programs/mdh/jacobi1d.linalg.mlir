// test: round-trip
#m = affine_map<(i) -> (i)>
func.func @jacobi1d(%x: tensor<11xf32>) -> (tensor<9xf32> {terrace.name = "y"}) {
  %w = arith.constant 3.0 : f32
  %p0 = tensor.extract_slice %x[0] [9] [1] : tensor<11xf32> to tensor<9xf32>
  %p1 = tensor.extract_slice %x[1] [9] [1] : tensor<11xf32> to tensor<9xf32>
  %p2 = tensor.extract_slice %x[2] [9] [1] : tensor<11xf32> to tensor<9xf32>
  %e = tensor.empty() : tensor<9xf32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m, #m], iterator_types = ["parallel"]} ins(%p0, %p1, %p2 : tensor<9xf32>, tensor<9xf32>, tensor<9xf32>) outs(%e : tensor<9xf32>) {
  ^bb0(%x0: f32, %x1: f32, %x2: f32, %out: f32):
    %s1 = arith.addf %x0, %x1 : f32
    %s2 = arith.addf %s1, %x2 : f32
    %y = arith.divf %s2, %w : f32
    linalg.yield %y : f32
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}
