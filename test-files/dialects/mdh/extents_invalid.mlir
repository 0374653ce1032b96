// test: opt --split-input-file --verify-diagnostics
// Extents that are known at run time: one of the kept dimensions and one of the reduced ones, each below its bound.

func.func @reduced(%A: tensor<8x8xf32>, %n: index, %m: index) -> tensor<f32> {
  // expected-error @+1 {{[E0612]: 'mdh.compute' op M-EXTENT: n of `i` and m of `j` are known at run time only; one extent of the reduced dimensions may be: give the other a number}}
  %0 = mdh.compute (i in 8 pw add, j in 8 pw add) extents(%n <= 8, %m <= 8) where i < %n, j < %m ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<8x8xf32>, index, index) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @kept(%A: tensor<8x8x8xf32>, %B: tensor<?xf32>, %C: tensor<?xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{the extent of `i`}}
  %n = tensor.dim %B, %c0 : tensor<?xf32>
  // expected-note @+1 {{the extent of `k`}}
  %m = tensor.dim %C, %c0 : tensor<?xf32>
  // expected-error @+1 {{M-EXTENT: n of `i` and m of `k` are known at run time only; one extent of the kept dimensions may be}}
  %0 = mdh.compute (i in 8, j in 8 pw add, k in 8) extents(%n <= 8, %m <= 8) where i < %n, k < %m ins(%a = %A[i, j, k]) outs([i, k]) {
    mdh.yield %a : f32
  } : (tensor<8x8x8xf32>, index, index) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----
func.func @bound(%A: tensor<8xf32>, %n: index) -> tensor<f32> {
  // expected-error @+1 {{M-EXTENT: n is at most -1; a bound is from 0 to 2^40}}
  %0 = mdh.compute (i in 8 pw add) extents(%n <= -1) where i < %n ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>, index) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @divided(%A: tensor<8xf32>, %n: index) -> tensor<f32> {
  // expected-error @+1 {{M-EXTENT: a condition of what is known at run time is a sum, without quotients and remainders}}
  %0 = mdh.compute (i in 8 pw add) extents(%n <= 8) where i floordiv 2 < %n ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>, index) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @subscript(%A: tensor<8xf32>, %n: index) -> tensor<f32> {
  // expected-error @+1 {{only `where` mentions values, those that `extents(%n <= 4096)` gives a bound}}
  %0 = mdh.compute (i in 8 pw add) extents(%n <= 8) ins(%a = %A[i + %n]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>, index) -> tensor<f32>
  return %0 : tensor<f32>
}
