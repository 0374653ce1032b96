// test: opt --pipeline="func.func(mdh-schedule{target=cuda})" --split-input-file --verify-diagnostics

func.func @tiled_before(%A: tensor<64xf32>) -> tensor<f32> {
  // expected-error@+1 {{S-ATOMIC: (kernel) of dimension 1 in step 2, which is tiled before; it is for the first tile}}
  %c = mdh.compute (k in 64 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = ["1: (32) (^ ; ^) (FOR.1)", "2: (8) (^ ; ^) (BLK.x(kernel))", "3: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<f32>
  return %c : tensor<f32>
}

// -----

func.func @prefixes(%A: tensor<8x64xi32>) -> tensor<8xi32> {
  // expected-error@+1 {{S-ATOMIC: (kernel) of dimension 2: a computation with prefixes or several places of an output cannot be cut}}
  %c = mdh.compute (i in 8 ps add, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (^,8) (^ ; ^) (^,BLK.x(kernel))", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<8x64xi32>) -> tensor<8xi32>
  return %c : tensor<8xi32>
}
