// test: opt --split-input-file --verify-diagnostics

func.func @twice(%A: tensor<4xf32>) {
  // expected-error @+1 {{dimension `i` is there twice}}
  %0 = mdh.compute (i in 4, i in 4) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @unknown(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected a dimension (i, k) or a number}}
  %0 = mdh.compute (i in 4, k in 2) ins(%a = %A[j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @product(%A: tensor<4xf32>) {
  // expected-error @+1 {{index functions are affine: one factor of a product must be a number}}
  %0 = mdh.compute (i in 4) ins(%a = %A[i * i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----
func.func @operator(%A: tensor<4xf32>) {
  // expected-error @+1 {{expected one of `add`, `mul`, `min`, `max`, `and`, `or`, `xor`}}
  %0 = mdh.compute (i in 4 pw plus) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----
func.func @types(%A: tensor<4xf32>) {
  // expected-error @+1 {{2 types for 1 inputs, 0 start values, 0 values to stand in and 0 extents}}
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
