// test: opt --split-input-file --verify-diagnostics

func.func @elsewhere(%t: tensor<8xf32>, %p: tensor<2xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      // expected-error @+1 {{may only insert into an output block argument}}
      tensor.parallel_insert_slice %p into %t[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}

// -----
func.func @no_dimension(%t: tensor<f32>, %i: index) -> index {
  // expected-error @+1 {{operand #0 must be non-0-ranked or unranked tensor}}
  %d = tensor.dim %t, %i : tensor<f32>
  return %d : index
}

// -----
func.func @elements(%x: i32) -> tensor<1xf32> {
  // expected-error @+1 {{expected elements of the result's element type}}
  %r = "tensor.from_elements"(%x) : (i32) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// -----
func.func @concat_nothing() -> tensor<4xf32> {
  // expected-error @+1 {{requires at least one input}}
  %r = "tensor.concat"() <{dim = 0 : i64}> : () -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @concat_dim(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{concatenation dim must be less than the tensor rank}}
  %r = tensor.concat dim(2) %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----
func.func @concat_ranks(%a: tensor<2xf32>, %b: tensor<2x3xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{rank or element type of input 1 differs}}
  %r = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @concat_result(%a: tensor<2xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{result type 'tensor<5xf32>' does not match the inputs}}
  %r = tensor.concat dim(0) %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// -----
func.func @expand_sizes(%t: tensor<4xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{expected output_shape to be the sizes of the result}}
  %r = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<4xf32> into tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// -----
func.func @expand_dynamic(%t: tensor<?xf32>) -> tensor<?x2xf32> {
  // expected-error @+1 {{mismatch in dynamic dims in output_shape and static_output_shape}}
  %r = "tensor.expand_shape"(%t) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 2>}> : (tensor<?xf32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}

// -----
func.func @collapse_elements(%t: tensor<4x5xf32>) -> tensor<20xi32> {
  // expected-error @+1 {{expected collapsed type to be 'tensor<20xf32>', but got 'tensor<20xi32>'}}
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<4x5xf32> into tensor<20xi32>
  return %r : tensor<20xi32>
}

// -----
func.func @pad_numbers(%t: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  // expected-error @+1 {{expected 1 numbers low and high, and a result of this rank}}
  %r = tensor.pad %t low[1] high[1, 1] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----
func.func @pad_arguments(%t: tensor<4xf32>, %x: f32) -> tensor<6xf32> {
  // expected-error @+1 {{expected the block to have 1 arguments of type 'index'}}
  %r = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----
func.func @pad_value(%t: tensor<4xf32>, %x: f64) -> tensor<6xf32> {
  // expected-error @+1 {{expected yield type to match shape element type}}
  %r = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %x : f64
  } : tensor<4xf32> to tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----
func.func @pad_negative(%t: tensor<4xf32>, %x: f32) -> tensor<?xf32> {
  // expected-error @+1 {{dimension 0 has less than no elements}}
  %r = tensor.pad %t low[-5] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
