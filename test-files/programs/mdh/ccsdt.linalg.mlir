// test: round-trip
func.func @gdab_efgc(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x2x3x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x2x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, d, a, b)>, affine_map<(a, b, c, d, e, f, g) -> (e, f, g, c)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) outs(%f : tensor<3x2x2x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
  return %O : tensor<3x2x2x2x3x2xf32>
}
func.func @gdac_efgb(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x2x3x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x2x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, d, a, c)>, affine_map<(a, b, c, d, e, f, g) -> (e, f, g, b)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) outs(%f : tensor<3x2x2x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
  return %O : tensor<3x2x2x2x3x2xf32>
}
func.func @gdbc_efga(%X: tensor<3x2x2x2xf32>, %Y: tensor<3x2x3x3xf32>) -> (tensor<3x2x2x2x3x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x2x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, d, b, c)>, affine_map<(a, b, c, d, e, f, g) -> (e, f, g, a)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x2x2xf32>, tensor<3x2x3x3xf32>) outs(%f : tensor<3x2x2x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
  return %O : tensor<3x2x2x2x3x2xf32>
}
func.func @geab_dfgc(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x3x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, e, a, b)>, affine_map<(a, b, c, d, e, f, g) -> (d, f, g, c)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) outs(%f : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  return %O : tensor<3x2x2x3x2x2xf32>
}
func.func @geac_dfgb(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x3x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, e, a, c)>, affine_map<(a, b, c, d, e, f, g) -> (d, f, g, b)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) outs(%f : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  return %O : tensor<3x2x2x3x2x2xf32>
}
func.func @gebc_dfga(%X: tensor<3x2x2x2xf32>, %Y: tensor<3x2x3x3xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x3x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, e, b, c)>, affine_map<(a, b, c, d, e, f, g) -> (d, f, g, a)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x2x2xf32>, tensor<3x2x3x3xf32>) outs(%f : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  return %O : tensor<3x2x2x3x2x2xf32>
}
func.func @gfab_degc(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x3x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, f, a, b)>, affine_map<(a, b, c, d, e, f, g) -> (d, e, g, c)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) outs(%f : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  return %O : tensor<3x2x2x3x2x2xf32>
}
func.func @gfac_degb(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x3x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, f, a, c)>, affine_map<(a, b, c, d, e, f, g) -> (d, e, g, b)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) outs(%f : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  return %O : tensor<3x2x2x3x2x2xf32>
}
func.func @gfbc_dega(%X: tensor<3x2x2x2xf32>, %Y: tensor<3x2x3x3xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2x2x3x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  %O = linalg.contract indexing_maps = [affine_map<(a, b, c, d, e, f, g) -> (g, f, b, c)>, affine_map<(a, b, c, d, e, f, g) -> (d, e, g, a)>, affine_map<(a, b, c, d, e, f, g) -> (a, b, c, d, e, f)>] ins(%X, %Y : tensor<3x2x2x2xf32>, tensor<3x2x3x3xf32>) outs(%f : tensor<3x2x2x3x2x2xf32>) -> tensor<3x2x2x3x2x2xf32>
  return %O : tensor<3x2x2x3x2x2xf32>
}
