// test: round-trip
#x = affine_map<(n, p, q, k, r, s, c, mi, mj, mk) -> (n, p + r, q + s, c, mi, mk)>
#f = affine_map<(n, p, q, k, r, s, c, mi, mj, mk) -> (k, r, s, c, mk, mj)>
#o = affine_map<(n, p, q, k, r, s, c, mi, mj, mk) -> (n, p, q, k, mi, mj)>
func.func @mcc_capsule(%X: tensor<1x5x4x3x2x2xf32>, %F: tensor<2x3x3x3x2x2xf32>) -> (tensor<1x3x2x2x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x2x2x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x2x2x2x2xf32>) -> tensor<1x3x2x2x2x2xf32>
  %r = linalg.generic {indexing_maps = [#x, #f, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "parallel", "parallel", "reduction"]} ins(%X, %F : tensor<1x5x4x3x2x2xf32>, tensor<2x3x3x3x2x2xf32>) outs(%f : tensor<1x3x2x2x2x2xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %0 = arith.mulf %x, %w : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x2x2x2x2xf32>
  return %r : tensor<1x3x2x2x2x2xf32>
}
