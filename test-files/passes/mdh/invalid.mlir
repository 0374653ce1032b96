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

func.func @coordinates(%A: tensor<64xi32>) -> tensor<i32> {
  // expected-error@+1 {{S-ATOMIC: (kernel) of dimension 1: a computation with prefixes, coordinates as values or several places of an output cannot be cut}}
  %c = mdh.compute (k in 64 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = ["1: (8) (^ ; ^) (BLK.x(kernel))", "2: (1) (^ ; ^) (FOR.1)"]} {
    %k = mdh.index 0
    %i = arith.index_cast %k : index to i32
    %s = arith.addi %a, %i : i32
    mdh.yield %s : i32
  } : (tensor<64xi32>) -> tensor<i32>
  return %c : tensor<i32>
}
