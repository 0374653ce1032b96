// test: opt --pipeline="func.func(mdh-hoist)" --verify-diagnostics
// snapshot:
// Products in reductions, divided by the distributive law.

// One operand is scaled first.
func.func @diagonal(%A: tensor<37x41xf32>, %d: tensor<41xf32>, %B: tensor<41x43xf32>) -> tensor<37x43xf32> {
  // expected-remark@+1 {{the product of a, e is taken first: 73072 operations in place of 130462}}
  %c = mdh.compute "scaled" (i in 37, j in 43, k in 41 pw add) ins(%a = %A[i, k], %e = %d[k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %e : f32
    %q = arith.mulf %p, %b : f32
    mdh.yield %q : f32
  } : (tensor<37x41xf32>, tensor<41xf32>, tensor<41x43xf32>) -> tensor<37x43xf32>
  return %c : tensor<37x43xf32>
}

// A factor leaves the reduction in whose dimension it is constant.
func.func @bilinear(%x: tensor<37xi32>, %A: tensor<37x41xi32>, %y: tensor<41xi32>) -> tensor<i32> {
  // expected-remark@+1 {{u taken out of the reduction over j: 1958 operations in place of 3034}}
  %c = mdh.compute "form" (i in 37 pw add, j in 41 pw add) ins(%u = %x[i], %a = %A[i, j], %v = %y[j]) outs([]) {
    %p = arith.muli %u, %a : i32
    %q = arith.muli %p, %v : i32
    mdh.yield %q : i32
  } : (tensor<37xi32>, tensor<37x41xi32>, tensor<41xi32>) -> tensor<i32>
  return %c : tensor<i32>
}

// The order of the source is kept.
func.func @ordered(%x: tensor<37xf32>, %A: tensor<37x41xf32>, %y: tensor<41xf32>) -> tensor<f32> {
  // expected-remark@+1 {{the product is not divided, which would save 1076 operations: its order is that of the source}}
  %c = mdh.compute (i in 37 pw add source, j in 41 pw add source) ins(%u = %x[i], %a = %A[i, j], %v = %y[j]) outs([]) {
    %p = arith.mulf %u, %a : f32
    %q = arith.mulf %p, %v : f32
    mdh.yield %q : f32
  } : (tensor<37xf32>, tensor<37x41xf32>, tensor<41xf32>) -> tensor<f32>
  return %c : tensor<f32>
}

// A sum of f16 without the factor may be infinite.
func.func @narrow(%x: tensor<37xf16>, %A: tensor<37x41xf16>, %y: tensor<41xf16>) -> tensor<f16> {
  // expected-remark@+1 {{sums without the factor may exceed the range of the type}}
  %c = mdh.compute (i in 37 pw add, j in 41 pw add) ins(%u = %x[i], %a = %A[i, j], %v = %y[j]) outs([]) {
    %p = arith.mulf %u, %a : f16
    %q = arith.mulf %p, %v : f16
    mdh.yield %q : f16
  } : (tensor<37xf16>, tensor<37x41xf16>, tensor<41xf16>) -> tensor<f16>
  return %c : tensor<f16>
}
