// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})" --verify-diagnostics
// Neighboring dimensions as one, and dimensions of one coordinate left out.

// Rows, columns and the sum are runs of two dimensions each.
func.func @product(%A: tensor<13x17x11x23xf32>, %B: tensor<11x23x19x5xf32>) -> tensor<13x17x19x5xf32> {
  // expected-remark@+1 {{neighboring dimensions are one: a_b, c_d, e_f}}
  %c = mdh.compute (a in 13, b in 17, c in 19, d in 5, e in 11 pw add, f in 23 pw add) ins(%x = %A[a, b, e, f], %y = %B[e, f, c, d]) outs([a, b, c, d]) {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<13x17x11x23xf32>, tensor<11x23x19x5xf32>) -> tensor<13x17x19x5xf32>
  return %c : tensor<13x17x19x5xf32>
}

// The second operand has the reduced dimensions in another order.
func.func @turned(%A: tensor<13x11x23xf32>, %B: tensor<23x11x19xf32>) -> tensor<13x19xf32> {
  %c = mdh.compute (a in 13, c in 19, e in 11 pw add, f in 23 pw add) ins(%x = %A[a, e, f], %y = %B[f, e, c]) outs([a, c]) {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<13x11x23xf32>, tensor<23x11x19xf32>) -> tensor<13x19xf32>
  return %c : tensor<13x19xf32>
}

// Sums of channels are sums of rows.
func.func @channels(%X: tensor<1x512x31x31xf32>) -> tensor<512xf32> {
  // expected-remark@+1 {{neighboring dimensions are one: b, c_d}}
  %y = mdh.compute (b in 512, a in 1 pw add, c in 31 pw add, d in 31 pw add) ins(%x = %X[a, b, c, d]) outs([b]) {
    mdh.yield %x : f32
  } : (tensor<1x512x31x31xf32>) -> tensor<512xf32>
  return %y : tensor<512xf32>
}

// All of a tensor is one row.
func.func @all(%X: tensor<32x13x13x3x2xf32>) -> tensor<f32> {
  // expected-remark@+1 {{neighboring dimensions are one: a_b_c_d_e}}
  %y = mdh.compute (a in 32 pw add, b in 13 pw add, c in 13 pw add, d in 3 pw add, e in 2 pw add) ins(%x = %X[a, b, c, d, e]) outs([]) {
    mdh.yield %x : f32
  } : (tensor<32x13x13x3x2xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// Nothing is a run but one.
func.func @ones(%X: tensor<16000x39x1xf32>) -> tensor<16000x1xf32> {
  // expected-remark@+1 {{dimensions of one coordinate are left out: c}}
  %y = mdh.compute (a in 16000, c in 1, b in 39 pw add) ins(%x = %X[a, b, c]) outs([a, c]) {
    mdh.yield %x : f32
  } : (tensor<16000x39x1xf32>) -> tensor<16000x1xf32>
  return %y : tensor<16000x1xf32>
}
