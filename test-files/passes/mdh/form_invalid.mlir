// test: opt --pipeline="func.func(mdh-form{form=winograd-2})" --split-input-file --verify-diagnostics
// Computations without the form, and why.

func.func @no_permission(%X: tensor<66x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> {
  // expected-error@+1 {{results would be rounded in another way, which `mdh.approximate = ["winograd"]`}}
  %0 = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add) ins(%x = %X[y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<66x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

func.func @stride(%X: tensor<129x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> attributes {mdh.approximate = ["winograd"]} {
  // expected-error@+1 {{a window has a stride or a dilation}}
  %0 = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add) ins(%x = %X[2 * y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<129x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

func.func @product(%A: tensor<8x16xf32>, %B: tensor<16x4xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{no subscript of an operand moves with a kept and a reduced dimension}}
  %0 = mdh.compute (i in 8, j in 4, k in 16 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @half(%X: tensor<66x8xf16>, %F: tensor<3x8x16xf16>) -> tensor<64x16xf16> attributes {mdh.approximate = ["winograd"]} {
  // expected-error@+1 {{image, weights and result are not all `f32`, or all `f64`}}
  %0 = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add) ins(%x = %X[y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    %p = arith.mulf %x, %w : f16
    mdh.yield %p : f16
  } : (tensor<66x8xf16>, tensor<3x8x16xf16>) -> tensor<64x16xf16>
  return %0 : tensor<64x16xf16>
}

// -----

func.func @ordered(%X: tensor<66x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> attributes {mdh.approximate = ["winograd"]} {
  // expected-error@+1 {{terms have the order of the source}}
  %0 = mdh.compute (y in 64, k in 16, r in 3 pw add source, c in 8 pw add source) ins(%x = %X[y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<66x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

func.func @ordered_in_one(%X: tensor<66x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> attributes {mdh.approximate = ["winograd"]} {
  // expected-error@+1 {{terms have the order of the source}}
  %0 = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add source) ins(%x = %X[y + r, c], %w = %F[r, c, k]) outs([y, k]) {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<66x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

func.func @ones_outside(%X: tensor<64x8xf32>, %F: tensor<3x8x16xf32>) -> tensor<64x16xf32> attributes {mdh.approximate = ["winograd"]} {
  // expected-error@+1 {{conditions leave terms out, and another value than zero stands outside of the image}}
  %0 = mdh.compute (y in 64, k in 16, r in 3 pw add, c in 8 pw add) where y + r - 1 < 64 ins(%x = %X[y + r - 1, c] else 1.0, %w = %F[r, c, k]) outs([y, k]) {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<64x8xf32>, tensor<3x8x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
