// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})" --verify-diagnostics
// Floats that the device has no arithmetic of: one remark for each type in a function.

func.func @narrow(%A: tensor<61xbf16>, %B: tensor<61xf16>) -> (tensor<61xbf16>, tensor<61xbf16>, tensor<61xf16>) {
  %0 = mdh.compute (i in 61) ins(%a = %A[i]) outs([i]) {
    // expected-remark@+1 {{bf16 is computed in f32 and rounded after each operation: `x86-64-v4` has no arithmetic of it}}
    %p = arith.mulf %a, %a : bf16
    mdh.yield %p : bf16
  } : (tensor<61xbf16>) -> tensor<61xbf16>
  %1 = mdh.compute (i in 61) ins(%a = %A[i]) outs([i]) {
    %p = arith.addf %a, %a : bf16
    mdh.yield %p : bf16
  } : (tensor<61xbf16>) -> tensor<61xbf16>
  %2 = mdh.compute (i in 61) ins(%a = %B[i]) outs([i]) {
    // expected-remark@+1 {{f16 is computed in f32 and rounded after each operation: `x86-64-v4` has no arithmetic of it}}
    %p = arith.addf %a, %a : f16
    mdh.yield %p : f16
  } : (tensor<61xf16>) -> tensor<61xf16>
  return %0, %1, %2 : tensor<61xbf16>, tensor<61xbf16>, tensor<61xf16>
}

// Moving, choosing and converting elements is no arithmetic, and a sum in f32 is none of bf16.
func.func @wide(%A: tensor<61xbf16>, %c: i1) -> (tensor<61xbf16>, tensor<f32>) {
  %0 = mdh.compute (i in 61) ins(%a = %A[i], %b = %A[-i + 60], %d = %c) outs([i]) {
    %p = arith.select %d, %a, %b : bf16
    mdh.yield %p : bf16
  } : (tensor<61xbf16>, tensor<61xbf16>, i1) -> tensor<61xbf16>
  %1 = mdh.compute (i in 61 pw add) ins(%a = %A[i]) outs([]) {
    %p = arith.extf %a : bf16 to f32
    mdh.yield %p : f32
  } : (tensor<61xbf16>) -> tensor<f32>
  return %0, %1 : tensor<61xbf16>, tensor<f32>
}

// The operator of a sum calculates too.
// expected-remark@+2 {{f16 is computed in f32 and rounded after each operation}}
func.func @sum(%A: tensor<61xf16>) -> tensor<f16> {
  %0 = mdh.compute (i in 61 pw add) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f16
  } : (tensor<61xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}
