// test: opt --split-input-file --verify-diagnostics

func.func @permutation(%a: tensor<4x5xf32>, %o: tensor<5x4xf32>) -> tensor<5x4xf32> {
  // expected-error @+1 {{permutation is not valid}}
  %r = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 2]
  return %r : tensor<5x4xf32>
}

// -----
func.func @one_input(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{expected 2 inputs and 1 output}}
  %r = linalg.matmul ins(%a : tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----
func.func @no_operands() {
  // expected-error @+2 {{expected operands in `ins` or `outs`}}
  linalg.matmul
  return
}

// -----
func.func @types(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{2 operands, but 1 types}}
  %r = linalg.matmul ins(%a, %a : tensor<2x2xf32>) outs(%a : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----
func.func @two_inputs(%a: tensor<4x5xf32>, %o: tensor<5x4xf32>) -> tensor<5x4xf32> {
  // expected-error @+1 {{expected one input and one output}}
  %r = linalg.transpose ins(%a, %a : tensor<4x5xf32>, tensor<4x5xf32>) outs(%o : tensor<5x4xf32>) permutation = [1, 0]
  return %r : tensor<5x4xf32>
}

// -----
func.func @elements(%a: tensor<2xvector<2xf32>>) -> tensor<2xvector<2xf32>> {
  // expected-error @+1 {{has no body for elements of}}
  %r = linalg.add ins(%a, %a : tensor<2xvector<2xf32>>, tensor<2xvector<2xf32>>) outs(%a : tensor<2xvector<2xf32>>) -> tensor<2xvector<2xf32>>
  return %r : tensor<2xvector<2xf32>>
}

// -----
func.func @unsigned(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unsupported operation: unsigned div not on uint}}
  %r = linalg.div_unsigned ins(%a, %a : tensor<2xf32>, tensor<2xf32>) outs(%a : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @index() -> index {
  // expected-error @+1 {{expected parent op with LinalgOp interface}}
  %i = linalg.index 0 : index
  return %i : index
}

// -----
func.func @yields(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+3 {{expected number of yield values}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x, %x : f32, f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @arguments(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected as many non-induction variable region arguments as the number of input/output operands}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @window(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected iterators to be parallel or reduction}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["window"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @short(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected the name of an op}}
  %r = linalg.map { } ins(%a : tensor<2xf32>) outs(%a : tensor<2xf32>)
  return %r : tensor<2xf32>
}

// -----
func.func @loops(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected the shape-to-loops map to be non-null}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @result(%a: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{to match type of corresponding result}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----
func.func @symbols(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unexpected symbols in indexing_map #0}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0)[s0] -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @no_map(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{expected indexing_map #0 to be an affine map}}
  %r = linalg.generic {indexing_maps = [1], iterator_types = ["parallel"]} outs(%a : tensor<2xf32>) {
  ^bb0(%x: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----
func.func @negative(%a: tensor<2xf32>, %o: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unexpected result less than 0 at expression #0}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 - 1)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf32>) outs(%o : tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
