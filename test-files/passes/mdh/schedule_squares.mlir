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

// Rows of seven columns with a function of a library: a lane for each row.
func.func @short_rows(%A: tensor<142867x7xf32>, %M: tensor<142867xf32>) -> tensor<142867xf32> {
  %S = mdh.compute (i in 142867, j in 7 pw add) ins(%a = %A[i, j], %m = %M[i]) outs([i]) {
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    mdh.yield %1 : f32
  } : (tensor<142867x7xf32>, tensor<142867xf32>) -> tensor<142867xf32>
  return %S : tensor<142867xf32>
}
// check: func.func @short_rows
// check: (16~peel,^) (L1[2,1],^ ; REG) (FOR.1,^)

// Long rows stay with lanes along them.
func.func @long_rows(%A: tensor<1009x1000xf32>) -> tensor<1009xf32> {
  %S = mdh.compute (i in 1009, j in 1000 pw add) ins(%a = %A[i, j]) outs([i]) {
    %0 = math.exp %a : f32
    mdh.yield %0 : f32
  } : (tensor<1009x1000xf32>) -> tensor<1009xf32>
  return %S : tensor<1009xf32>
}
// check: func.func @long_rows
// check: (^,VEC.x)

// A window reads neighbors: lanes are where the input is contiguous, and squares of the result change places.
func.func @window(%A: tensor<1015x1011xf32>) -> tensor<1009x1013xf32> {
  %C = mdh.compute (i in 1009, j in 1013) ins(%a = %A[j, i], %b = %A[j + 1, i + 2], %c = %A[j + 2, i + 1]) outs([i, j]) {
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    mdh.yield %1 : f32
  } : (tensor<1015x1011xf32>, tensor<1015x1011xf32>, tensor<1015x1011xf32>) -> tensor<1009x1013xf32>
  return %C : tensor<1009x1013xf32>
}
// check: func.func @window
// check: (16~peel,32~peel) (^ ; L1[2,1]) (FOR.2,FOR.1)
