// test: opt --explain-schedule --target=x86-64-v4
// What was proposed, what it is estimated to take, and who proposed nothing.

func.func @product(%A: tensor<61x67xf32>, %B: tensor<67x71xf32>) -> tensor<61x71xf32> {
  %c = mdh.compute (i in 61, j in 71, k in 67 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<61x67xf32>, tensor<67x71xf32>) -> tensor<61x71xf32>
  return %c : tensor<61x71xf32>
}
// check: product: schedule by `register-tile`, first of
// check: cycles estimated:
// check: then `register-tile`,
// check: of the first by rank
// check: `along-reduced` proposed nothing: it requires a reduction in any order along a dimension in which the inputs are contiguous
