// test: opt --pipeline="func.func(mdh-inline)" --verify-diagnostics
// Element-wise results, computed where they are read.

// Two results that a third one reads: one computation.
func.func @step(%p: tensor<101xf32>, %g: tensor<101xf32>, %m: tensor<101xf32>) -> tensor<101xf32> {
  // expected-remark@+1 {{'n' is computed where 'q' reads it}}
  %n = mdh.compute "n" (i in 101) ins(%a = %m[i], %b = %g[i]) outs([i]) {
    %s = arith.addf %a, %b : f32
    mdh.yield %s : f32
  } : (tensor<101xf32>, tensor<101xf32>) -> tensor<101xf32>
  // expected-remark@+1 {{'w' is computed where 'q' reads it}}
  %w = mdh.compute "w" (i in 101) ins(%b = %g[i]) outs([i]) {
    %s = arith.mulf %b, %b : f32
    mdh.yield %s : f32
  } : (tensor<101xf32>) -> tensor<101xf32>
  %q = mdh.compute "q" (i in 101) ins(%a = %p[i], %b = %n[i], %c = %w[i]) outs([i]) {
    %r = arith.divf %b, %c : f32
    %s = arith.subf %a, %r : f32
    mdh.yield %s : f32
  } : (tensor<101xf32>, tensor<101xf32>, tensor<101xf32>) -> tensor<101xf32>
  return %q : tensor<101xf32>
}

// A cheap difference is computed for a sum of squares and once more for the quotient; the exponential is stored.
func.func @rows(%x: tensor<37x41xf32>, %m: tensor<37xf32>) -> (tensor<37xf32>, tensor<37x41xf32>) {
  // expected-remark@+2 {{'d' is computed where 's' reads it}}
  // expected-remark@+1 {{'d' is computed where 'e' reads it}}
  %d = mdh.compute "d" (i in 37, j in 41) ins(%a = %x[i, j], %b = %m[i]) outs([i, j]) {
    %s = arith.subf %a, %b : f32
    mdh.yield %s : f32
  } : (tensor<37x41xf32>, tensor<37xf32>) -> tensor<37x41xf32>
  %s = mdh.compute "s" (i in 37, j in 41 pw add) ins(%a = %d[i, j]) outs([i]) {
    %p = arith.mulf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<37x41xf32>) -> tensor<37xf32>
  %e = mdh.compute "e" (i in 37, j in 41) ins(%a = %d[i, j]) outs([i, j]) {
    %p = math.exp %a : f32
    mdh.yield %p : f32
  } : (tensor<37x41xf32>) -> tensor<37x41xf32>
  %t = mdh.compute "t" (i in 37, j in 41 pw add) ins(%a = %e[i, j], %b = %s[i]) outs([i]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<37x41xf32>, tensor<37xf32>) -> tensor<37xf32>
  %u = mdh.compute "u" (i in 37, j in 41) ins(%a = %e[i, j], %b = %t[i]) outs([i, j]) {
    %p = arith.divf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<37x41xf32>, tensor<37xf32>) -> tensor<37x41xf32>
  return %t, %u : tensor<37xf32>, tensor<37x41xf32>
}

// An operand of a product stays stored: it would be computed once for each column.
func.func @operand(%A: tensor<37x41xf32>, %B: tensor<41x43xf32>) -> tensor<37x43xf32> {
  %r = mdh.compute "relu" (i in 37, k in 41) ins(%a = %A[i, k]) outs([i, k]) {
    %zero = arith.constant 0.0 : f32
    %p = arith.maximumf %a, %zero : f32
    mdh.yield %p : f32
  } : (tensor<37x41xf32>) -> tensor<37x41xf32>
  %c = mdh.compute "product" (i in 37, j in 43, k in 41 pw add) ins(%a = %r[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<37x41xf32>, tensor<41x43xf32>) -> tensor<37x43xf32>
  return %c : tensor<37x43xf32>
}
