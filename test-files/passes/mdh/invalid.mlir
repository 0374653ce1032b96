// test: opt --pipeline="func.func(mdh-schedule{target=cuda})" --split-input-file --verify-diagnostics

func.func @tiled_before(%A: tensor<64xf32>) -> tensor<f32> {
  // expected-error@+1 {{S-ATOMIC: (kernel) of dimension 1 in step 2, which step 1 tiles before; rounds of blocks are sequential: tile with FOR, or share the first tile}}
  %c = mdh.compute (k in 64 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = ["1: (32) (^ ; ^) (THR.x)", "2: (8) (^ ; ^) (BLK.x(kernel))", "3: (1) (^ ; ^) (FOR.1)"]} {
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

// -----

// One left fold: blocks cannot split it, however they would meet.
func.func @blocks(%S: tensor<4xf32>, %X: tensor<4x64xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{S-SOURCE: dimension 2 (k) in step 1 is on BLK.y, but is folded in the order of the source}}
  %c = mdh.compute (i in 4, k in 64 pw add source) ins(%x = %X[i, k]) outs([i] into %S)
       attributes {mdh.schedule = ["1: (2,16) (^ ; ^) (BLK.x,BLK.y)", "2: (1,1) (^ ; ^) (THR.x,FOR.1)"]} {
    mdh.yield %x : f32
  } : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func @second_kernel(%X: tensor<4x64xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{S-SOURCE: dimension 2 (k) in step 1 is on BLK.y, but}}
  %c = mdh.compute (i in 4, k in 64 pw add source) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (2,16) (^ ; ^) (BLK.x,BLK.y(kernel))", "2: (1,1) (^ ; ^) (THR.x,FOR.1)"]} {
    mdh.yield %x : f32
  } : (tensor<4x64xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func @threads(%X: tensor<4x64xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{S-SOURCE: dimension 2 (k) in step 2 is on THR.x, but}}
  %c = mdh.compute (i in 4, k in 64 pw add source) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "2: (^,1) (^ ; ^) (FOR.1,THR.x)"]} {
    mdh.yield %x : f32
  } : (tensor<4x64xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
