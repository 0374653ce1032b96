// Sizes, ranks and elements that do not go together.
// test: opt --split-input-file --verify-diagnostics

func.func @splat_element(%x: f64) {
  // expected-error @+1 {{`%x` has type f64, used here as f32}}
  %t = tensor.splat %x : tensor<2xf32>
  return
}

// -----

func.func @splat_sizes(%x: f32) {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %t = tensor.splat %x : tensor<?xf32>
  return
}

// -----

func.func @insert_element(%t: tensor<2xf32>, %x: i32, %i: index) {
  // expected-error @+1 {{`%x` has type i32, used here as f32}}
  %r = tensor.insert %x into %t[%i] : tensor<2xf32>
  return
}

// -----

func.func @insert_indices(%t: tensor<2x2xf32>, %x: f32, %i: index) {
  // expected-error @+1 {{'tensor.insert' op incorrect number of indices}}
  %r = tensor.insert %x into %t[%i] : tensor<2x2xf32>
  return
}

// -----

func.func @insert_outside(%t: tensor<4xf32>, %p: tensor<3xf32>) {
  // expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 4 >= 4}}
  %r = tensor.insert_slice %p into %t[2] [3] [1] : tensor<3xf32> into tensor<4xf32>
  return
}

// -----

func.func @insert_shape(%t: tensor<4xf32>, %p: tensor<3xf32>) {
  // expected-error @+1 {{'tensor.insert_slice' op expected type to be 'tensor<2xf32>' or a rank-reduced version}}
  %r = tensor.insert_slice %p into %t[0] [2] [1] : tensor<3xf32> into tensor<4xf32>
  return
}

// -----

func.func @slice_lists(%t: tensor<4x4xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op expected 2 offset values, got 1}}
  %r = tensor.extract_slice %t[0] [2] [1] : tensor<4x4xf32> to tensor<2xf32>
  return
}

// -----

func.func @slice_element(%t: tensor<4xf32>) {
  // expected-error @+1 {{'tensor.extract_slice' op expected one element type}}
  %r = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf64>
  return
}

// -----

func.func @no_such_group(%t: tensor<2x3xf32>) {
  // expected-error @+1 {{reassociation indices must be contiguous}}
  %r = tensor.collapse_shape %t [[0], [2]] : tensor<2x3xf32> into tensor<2x3xf32>
  return
}

// -----

func.func @left_out(%t: tensor<2x3x4xf32>) {
  // expected-error @+1 {{expected reassociation indices of all dimensions of the expanded type}}
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<2x3x4xf32> into tensor<6xf32>
  return
}

// -----

func.func @not_of_one(%t: tensor<2x1xf32>) {
  // expected-error @+1 {{a type without dimensions stands for sizes of one only}}
  %r = tensor.collapse_shape %t [] : tensor<2x1xf32> into tensor<f32>
  return
}

// -----

func.func @cast_elements(%t: tensor<?xf32>) {
  // expected-error @+1 {{are cast incompatible}}
  %r = tensor.cast %t : tensor<?xf32> to tensor<?xi32>
  return
}

// -----

func.func @cast_ranks(%t: tensor<?xf32>) {
  // expected-error @+1 {{are cast incompatible}}
  %r = tensor.cast %t : tensor<?xf32> to tensor<?x?xf32>
  return
}

// -----

func.func @splat_of_fixed_sizes(%x: f32, %n: index) {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 1, expected 0}}
  %t = tensor.splat %x[%n] : tensor<2xf32>
  return
}
