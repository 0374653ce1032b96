// test: opt --pipeline=stablehlo-to-mdh --split-input-file --verify-diagnostics
// Ops of StableHLO without a road, and forms of others that have none.

func.func @foreign_code(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{[E0645]: 'stablehlo.custom_call' op it calls what the program does not have}}
  %r = stablehlo.custom_call @foo(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @sorted(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.sort' op sorting has no form here}}
  %r = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @largest(%x: tensor<9xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{'chlo.top_k' op sorting has no form here}}
  %v, %i = chlo.top_k(%x, k = 2) : tensor<9xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return %v : tensor<2xf32>
}

// -----
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{'stablehlo.add' op complex numbers have no form here}}
  %r = stablehlo.add %x, %x : tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----
func.func @dynamic(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @+1 {{'stablehlo.tanh' op L-DYN: a size is not a number}}
  %r = stablehlo.tanh %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----
func.func @no_named_operator(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.reduce_window' op its region combines by no operator that has a name: add, multiply, maximum, minimum, and, or, xor}}
  %r = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.atan2 %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @several_in_a_region(%x: tensor<8xf32>, %s: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.reduce' op an op on whole tensors has no form in a body on elements}}
  %r = stablehlo.reduce(%x init: %s) across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = stablehlo.atan2 %0, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  return %r : tensor<f32>
}

// -----
func.func @unsigned_power(%x: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @+1 {{'stablehlo.power' op powers of unsigned integers have no form here}}
  %r = stablehlo.power %x, %x : tensor<4xui32>
  return %r : tensor<4xui32>
}

// -----
func.func @no_format(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.reduce_precision' op its exponent_bits and mantissa_bits are those of no format: 5 and 10, 8 and 7, 8 and 23, or 11 and 52}}
  %r = stablehlo.reduce_precision %x, format = e4m3 : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func @between_devices() -> tensor<ui32> {
  // expected-error @+1 {{'stablehlo.partition_id' op programs run on one device: what passes between several has no form here}}
  %r = stablehlo.partition_id : tensor<ui32>
  return %r : tensor<ui32>
}
