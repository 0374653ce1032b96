// test: opt --split-input-file --verify-diagnostics

func.func @sizes(%a: tensor<4x6xf32>, %b: tensor<7x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{inferred input/output operand #1 has shape's dimension #0 to be 6, but found 7}}
  %r = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<7x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----
func.func @window(%a: tensor<8xf32>, %b: tensor<3xf32>, %o: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{has shape's dimension #0 to be greater than or equal to 9, but found 8}}
  %r = linalg.conv_1d ins(%a, %b : tensor<8xf32>, tensor<3xf32>) outs(%o : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----
func.func @rank(%a: tensor<4xf32>, %b: tensor<6x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{expected operand rank (1) to match the result rank of indexing_map #0 (2)}}
  %r = linalg.matmul ins(%a, %b : tensor<4xf32>, tensor<6x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----
#m = affine_map<(i) -> (i)>
func.func @maps(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the number of indexing_map (1) to be equal to the number of input/output operands (2)}}
  %r = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
#m = affine_map<(i) -> (i)>
func.func @loops(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected indexing_map #0 to have 2 dim(s) to match the number of loops}}
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
#m = affine_map<(i) -> (i)>
func.func @element(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected type of bb argument #0 ('f64') to match element or self type of the corresponding operand ('f32')}}
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f64, %y: f32):
    linalg.yield %y : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
#m = affine_map<(i) -> (i)>
func.func @yield(%a: tensor<4xf32>, %o: tensor<4xf32>, %d: f64) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-error @+1 {{type of yield operand 1 ('f64') doesn't match the element type of the enclosing linalg.generic op ('f32')}}
    linalg.yield %d : f64
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
#m = affine_map<(i) -> (i)>
func.func @index(%o: tensor<4xindex>) -> tensor<4xindex> {
  %r = linalg.generic {indexing_maps = [#m], iterator_types = ["parallel"]} outs(%o : tensor<4xindex>) {
  ^bb0(%y: index):
    // expected-error @+1 {{expected dim (1) to be lower than the number of loops (1) of the enclosing LinalgOp}}
    %i = linalg.index 1 : index
    linalg.yield %i : index
  } -> tensor<4xindex>
  return %r : tensor<4xindex>
}

// -----
func.func @payload(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.addq' is no op with one result that is known here}}
  %r = linalg.map { arith.addq } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----
func.func @operands(%a: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.addf' has 2 operands, but the body 1}}
  %r = linalg.map { arith.addf } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----
func.func @steps(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x2xf32>, %o: tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32> {
  // expected-error @+1 {{incorrect element type for index attribute 'strides'}}
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<3xi64>} ins(%a, %b : tensor<1x8x8x3xf32>, tensor<3x3x3x2xf32>) outs(%o : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
  return %r : tensor<1x3x3x2xf32>
}

// -----
#a = affine_map<(i, j, k) -> (i)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @broadcast(%a: tensor<4xf32>, %b: tensor<6x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // expected-error @+1 {{indexing_map #0 leaves an iterator out that is summed up}}
  %r = linalg.matmul indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<4xf32>, tensor<6x5xf32>) outs(%o : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----
func.func @numbers(%a: tensor<4xi32>, %o: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{unsupported non numeric type}}
  %r = linalg.exp ins(%a : tensor<4xi32>) outs(%o : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----
func.func @both(%a: memref<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected to have pure tensor or buffer semantics}}
  %r = linalg.exp ins(%a : memref<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @given(%a: memref<4xf32>, %o: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %r = linalg.exp ins(%a : memref<4xf32>) outs(%o : memref<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
