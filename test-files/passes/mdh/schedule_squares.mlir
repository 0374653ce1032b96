// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})"

// What lanes write as neighbors is apart where it is read: squares of the input.
func.func @transposed(%A: tensor<1013x1009xf32>, %B: tensor<1009x1013xf32>) -> tensor<1009x1013xf32> {
  %C = mdh.compute (i in 1009, j in 1013) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) {
    %0 = arith.addf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<1013x1009xf32>, tensor<1009x1013xf32>) -> tensor<1009x1013xf32>
  return %C : tensor<1009x1013xf32>
}
// check: (32~peel,16~peel) (L1[2,1],^ ; ^) (FOR.1,FOR.2)
