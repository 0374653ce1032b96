#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @ops(%arg0: tensor<4x5xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<4x5xf32>, %arg3: tensor<4xf32>, %arg4: f32) -> tensor<4x5xf32> {
    %mapped = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%arg0, %arg1 : tensor<4x5xf32>, tensor<4x5xf32>) outs(%arg2 : tensor<4x5xf32>)
    %mapped_0 = linalg.map { math.exp } ins(%arg0 : tensor<4x5xf32>) outs(%arg2 : tensor<4x5xf32>)
    %reduced = linalg.reduce { arith.maximumf } ins(%arg0 : tensor<4x5xf32>) outs(%arg3 : tensor<4xf32>) dimensions = [1] 
    %0 = linalg.exp ins(%arg0 : tensor<4x5xf32>) outs(%arg2 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %1 = linalg.fill {tag} ins(%arg4 : f32) outs(%arg2 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %2 = linalg.generic {doc = "a rule", indexing_maps = [#map, #map], iterator_types = ["parallel"], library_call = "f"} ins(%arg3 : tensor<4xf32>) outs(%arg3 : tensor<4xf32>) attrs =  {tag} {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    return %0 : tensor<4x5xf32>
  }
  func.func @products(%arg0: tensor<6x4xf32>, %arg1: tensor<6x5xf32>, %arg2: tensor<4x5xf32>, %arg3: tensor<4x6xf32>) -> tensor<4x5xf32> {
    %0 = linalg.matmul indexing_maps = [#map1, #map2, #map3] ins(%arg0, %arg1 : tensor<6x4xf32>, tensor<6x5xf32>) outs(%arg2 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %1 = linalg.contract indexing_maps = [#map1, #map2, #map3] ins(%arg0, %arg1 : tensor<6x4xf32>, tensor<6x5xf32>) outs(%arg2 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %2 = linalg.matmul ins(%arg3, %arg1 : tensor<4x6xf32>, tensor<6x5xf32>) outs(%arg2 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<6x4xf32>) outs(%arg3 : tensor<4x6xf32>) permutation = [1, 0] 
    return %0 : tensor<4x5xf32>
  }
  func.func @conv(%arg0: tensor<1x8x8x3xf32>, %arg1: tensor<3x3x3x2xf32>, %arg2: tensor<1x3x3x2xf32>, %arg3: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
    %broadcasted = linalg.broadcast ins(%arg3 : tensor<2xf32>) outs(%arg2 : tensor<1x3x3x2xf32>) dimensions = [0, 1, 2] 
    %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%broadcasted : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
    return %0 : tensor<1x3x3x2xf32>
  }
}

