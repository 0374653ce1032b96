// test: opt --pipeline="func.func(mdh-canonicalize-reductions{target=x86-64-v4})" --verify-diagnostics
// Reductions in one of three forms.

// Figure 4 of the paper: x and y are a run of 50, which h repeats.
func.func @figure_4(%E: tensor<40x20x10x5xf32>) -> tensor<20xf32> {
  // expected-remark@+1 {{reduction of the form x: 20 kept, 2000 reduced}}
  %s = mdh.compute (h in 40 pw add, w in 20, x in 10 pw add, y in 5 pw add) ins(%e = %E[h, w, x, y]) outs([w]) {
    mdh.yield %e : f32
  } : (tensor<40x20x10x5xf32>) -> tensor<20xf32>
  return %s : tensor<20xf32>
}

// Kept, reduced, kept, reduced, reduced, kept, with ones: what is kept is one dimension of the result, too.
func.func @columns(%X: tensor<3x5x1x7x2x11xf32>) -> tensor<3x1x7x11xf32> {
  // expected-remark@+1 {{reduction of the form y: 231 kept, 10 reduced}}
  %s = mdh.compute (a in 3, b in 5 pw add, c in 1, d in 7, e in 2 pw add, f in 11) ins(%x = %X[a, b, c, d, e, f]) outs([a, c, d, f]) {
    mdh.yield %x : f32
  } : (tensor<3x5x1x7x2x11xf32>) -> tensor<3x1x7x11xf32>
  return %s : tensor<3x1x7x11xf32>
}

// An element-wise operand keeps its dimensions.
func.func @product(%X: tensor<6x4x5xf32>, %w: tensor<6x5xf32>) -> tensor<f32> {
  // expected-remark@+1 {{reduction of the form all: 120 reduced}}
  %s = mdh.compute (a in 6 pw add, b in 4 pw add, c in 5 pw add) ins(%x = %X[a, b, c], %v = %w[a, c]) outs([]) {
    %p = arith.mulf %x, %v : f32
    mdh.yield %p : f32
  } : (tensor<6x4x5xf32>, tensor<6x5xf32>) -> tensor<f32>
  return %s : tensor<f32>
}

// Nothing is reduced, or a bracket is that of the extents as written.
func.func @others(%X: tensor<6x4xf32>) -> (tensor<4x6xf32>, tensor<f32>) {
  %t = mdh.compute (a in 4, b in 6) ins(%x = %X[b, a]) outs([a, b]) {
    mdh.yield %x : f32
  } : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %s = mdh.compute (a in 6 pw add invariant, b in 4 pw add invariant) ins(%x = %X[a, b]) outs([]) {
    mdh.yield %x : f32
  } : (tensor<6x4xf32>) -> tensor<f32>
  return %t, %s : tensor<4x6xf32>, tensor<f32>
}
