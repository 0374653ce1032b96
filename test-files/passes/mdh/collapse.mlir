// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})" --verify-diagnostics
// Neighboring dimensions of products as one.

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
