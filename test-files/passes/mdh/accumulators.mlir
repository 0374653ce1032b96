// test: opt --pipeline="mdh-accumulators" --verify-diagnostics
// test: opt --pipeline="mdh-accumulators"
// Partial results in another type, with their error, and as integers; a remark where they have 16 bits.

func.func @acc(%A: tensor<8x64xf16>, %S: tensor<8xf16>) -> tensor<8xf16> {
  // check: mdh.compute "sum_start"
  // check: mdh.compute "sum" (i in 8, j in 64 pw add source)
  // check: arith.extf %a : f16 to f32
  // check: (tensor<8x64xf16>, tensor<8xf32>) -> tensor<8xf32>
  // check: mdh.compute "sum_rounded"
  // check: arith.truncf
  %0 = mdh.compute "sum" (i in 8, j in 64 pw add acc f32 source) ins(%a = %A[i, j]) outs([i] into %S) {
    mdh.yield %a : f16
  } : (tensor<8x64xf16>, tensor<8xf16>) -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// Two outputs, one of which is as written.
func.func @two(%A: tensor<64xf16>) -> (tensor<f16>, tensor<f16>) {
  // check: mdh.compute (j in 64 pw (add, max))
  // check: (tensor<64xf16>) -> (tensor<f32>, tensor<f16>)
  %0:2 = mdh.compute (j in 64 pw (add acc f32, max)) ins(%a = %A[j]) outs([], []) {
    mdh.yield %a, %a : f16, f16
  } : (tensor<64xf16>) -> (tensor<f16>, tensor<f16>)
  return %0#0, %0#1 : tensor<f16>, tensor<f16>
}

func.func @compensated(%A: tensor<64xf32>) -> tensor<f32> {
  // check: mdh.compute (j in 64 pw @two_sum_f64 source)
  // check: math.absf
  %0 = mdh.compute (j in 64 pw add acc f64 compensated source) ins(%a = %A[j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @exact(%A: tensor<64xf16>) -> tensor<f16> {
  // check: mdh.compute (j in 64 pw (add, or))
  // check: (tensor<64xf16>) -> (tensor<i64>, tensor<i32>)
  %0 = mdh.compute (j in 64 pw add exact) ins(%a = %A[j]) outs([]) {
    mdh.yield %a : f16
  } : (tensor<64xf16>) -> tensor<f16>
  return %0 : tensor<f16>
}

// What is kept in 16 bits is named, whether that is stated or not.
func.func @narrow(%A: tensor<64xf16>, %B: tensor<64xbf16>) -> (tensor<f16>, tensor<bf16>) {
  // expected-remark@+1 {{partial results are f16: 11 binary digits, and those beyond 65504 are infinite; `acc f32` keeps them in f32 and rounds once}}
  %0 = mdh.compute (j in 64 pw add acc f16) ins(%a = %A[j]) outs([]) {
    mdh.yield %a : f16
  } : (tensor<64xf16>) -> tensor<f16>
  // expected-remark@+1 {{partial results are bf16: 8 binary digits}}
  %1 = mdh.compute (j in 64 pw mul) ins(%b = %B[j]) outs([]) {
    mdh.yield %b : bf16
  } : (tensor<64xbf16>) -> tensor<bf16>
  return %0, %1 : tensor<f16>, tensor<bf16>
}
