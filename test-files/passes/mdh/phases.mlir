// test: opt --pipeline="func.func(mdh-phases)" --verify-diagnostics
// Windows over spaced elements, divided by the phase of their results.

// A transposed convolution with stride 2: the slice is inserted into zeros.
func.func @transposed(%X: tensor<20x8xf32>, %W: tensor<3x8x16xf32>) -> tensor<40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = mdh.compute (i in 42, c in 8) ins(%a = %zero) outs([i, c]) {
    mdh.yield %a : f32
  } : (f32) -> tensor<42x8xf32>
  %1 = mdh.compute (i in 20, c in 8) ins(%a = %X[i, c]) outs([2 * i + 2, c] into %0) {
    mdh.yield %a : f32
  } : (tensor<20x8xf32>, tensor<42x8xf32>) -> tensor<42x8xf32>
  // expected-remark@+1 {{the window is divided into 2 phases, since it meets spaced elements}}
  %2 = mdh.compute "sums" (y in 40, f in 16, k in 3 pw add, c in 8 pw add) ins(%a = %1[y + k, c], %w = %W[k, c, f]) outs([y, f]) {
    %p = arith.mulf %a, %w : f32
    mdh.yield %p : f32
  } : (tensor<42x8xf32>, tensor<3x8x16xf32>) -> tensor<40x16xf32>
  return %2 : tensor<40x16xf32>
}

// The same by a guard, with stride 3; two phases of three meet one element each, and the last one two.
func.func @guarded(%X: tensor<20xi32>, %W: tensor<4xi32>) -> tensor<61xi32> {
  // expected-remark@+1 {{the window is divided into 3 phases, since it meets spaced elements}}
  %0 = mdh.compute (y in 61, k in 4 pw add) ins(%a = %X[(y - k) floordiv 3] else 7 if (y - k) mod 3 = 0, %w = %W[k]) outs([y]) {
    %p = arith.muli %a, %w : i32
    %q = arith.addi %p, %a : i32
    mdh.yield %q : i32
  } : (tensor<20xi32>, tensor<4xi32>) -> tensor<61xi32>
  return %0 : tensor<61xi32>
}

// The order of the source is kept.
func.func @ordered(%X: tensor<20xf32>, %W: tensor<4xf32>) -> tensor<61xf32> {
  %0 = mdh.compute (y in 61, k in 4 pw add source) ins(%a = %X[(y - k) floordiv 3] else 0.0 if (y - k) mod 3 = 0, %w = %W[k]) outs([y]) {
    %p = arith.mulf %a, %w : f32
    mdh.yield %p : f32
  } : (tensor<20xf32>, tensor<4xf32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}

// Tensor text: elements are set apart by a choice, and a border is put around them.
func.func @chosen(%X: tensor<20x8xf32>, %W: tensor<3x8x16xf32>) -> tensor<39x16xf32> {
  %0 = mdh.compute (i in 39, c in 8) ins(%a = %X[i floordiv 2, c]) outs([i, c]) {
    %i = mdh.index 0
    %two = arith.constant 2 : index
    %none = arith.constant 0 : index
    %rest = arith.remsi %i, %two : index
    %here = arith.cmpi eq, %rest, %none : index
    %zero = arith.constant 0.0 : f32
    %e = arith.select %here, %a, %zero : f32
    mdh.yield %e : f32
  } : (tensor<20x8xf32>) -> tensor<39x8xf32>
  %1 = mdh.compute (i in 41, c in 8) ins(%a = %0[i - 1, c] else 0.0) outs([i, c]) {
    mdh.yield %a : f32
  } : (tensor<39x8xf32>) -> tensor<41x8xf32>
  // expected-remark@+1 {{the window is divided into 2 phases, since it meets spaced elements}}
  %2 = mdh.compute "sums" (y in 39, f in 16, k in 3 pw add, c in 8 pw add) ins(%a = %1[y + k, c], %w = %W[k, c, f]) outs([y, f]) {
    %p = arith.mulf %a, %w : f32
    mdh.yield %p : f32
  } : (tensor<41x8xf32>, tensor<3x8x16xf32>) -> tensor<39x16xf32>
  return %2 : tensor<39x16xf32>
}

// Around the elements is another number than between them: the border stays.
func.func @bordered(%X: tensor<20xf32>, %W: tensor<3xf32>) -> tensor<39xf32> {
  %0 = mdh.compute (i in 39) ins(%a = %X[i floordiv 2] else 0.0 if i mod 2 = 0) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<20xf32>) -> tensor<39xf32>
  %1 = mdh.compute (i in 41) ins(%a = %0[i - 1] else 1.0) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<39xf32>) -> tensor<41xf32>
  %2 = mdh.compute "sums" (y in 39, k in 3 pw add) ins(%a = %1[y + k], %w = %W[k]) outs([y]) {
    %p = arith.mulf %a, %w : f32
    mdh.yield %p : f32
  } : (tensor<41xf32>, tensor<3xf32>) -> tensor<39xf32>
  return %2 : tensor<39xf32>
}
