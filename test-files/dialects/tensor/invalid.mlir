// test: opt --split-input-file --verify-diagnostics

func.func @cast(%t: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{operand type 'tensor<4xf32>' and result type 'tensor<5xf32>' are cast incompatible}}
  %r = tensor.cast %t : tensor<4xf32> to tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----
func.func @empty() -> tensor<?xf32> {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %r = tensor.empty() : tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----
func.func @outside(%t: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 9 >= 8}}
  %r = tensor.extract_slice %t[3] [4] [2] : tensor<8xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @shape(%t: tensor<8xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected type to be 'tensor<4xf32>' or a rank-reduced version. (size mismatch)}}
  %r = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----
func.func @indices(%t: tensor<8xf32>, %i: index) -> f32 {
  // expected-error @+1 {{incorrect number of indices for extract_element}}
  %x = tensor.extract %t[%i, %i] : tensor<8xf32>
  return %x : f32
}

// -----
func.func @pad(%t: tensor<4xf32>, %x: f32) -> tensor<7xf32> {
  // expected-error @+1 {{does not match the inferred size 6 of dimension 0}}
  %r = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %r : tensor<7xf32>
}

// -----
func.func @groups(%t: tensor<4x5xf32>) -> tensor<19xf32> {
  // expected-error @+1 {{collapsed dim size (19) must equal reassociation group size (20)}}
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32> into tensor<19xf32>
  return %r : tensor<19xf32>
}

// -----
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error @+1 {{static concatenation size mismatch along non-concatenated dimension 1}}
  %r = tensor.concat dim(0) %a, %b : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----
func.func @elements(%x: f32) -> tensor<2xf32> {
  // expected-error @+1 {{expected as many elements as the static result type has}}
  %r = tensor.from_elements %x : tensor<2xf32>
  return %r : tensor<2xf32>
}
