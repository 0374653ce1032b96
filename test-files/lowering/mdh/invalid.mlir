// test: opt --pipeline="func.func(mdh-to-sched)" --split-input-file --verify-diagnostics

func.func @arity(%A: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{S-ARITY: step 1 has 2 sizes, the computation takes 1}}
  %c = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func @divides(%A: tensor<10xf32>) -> tensor<10xf32> {
  // expected-error@+1 {{S-DIV: 4 does not divide 10 (dimension 1, step 1); `4~limit`, `4~peel` and `4~pad` need not}}
  %c = mdh.compute (i in 10) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (4) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<10xf32>) -> tensor<10xf32>
  return %c : tensor<10xf32>
}

// -----

func.func @labels(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-LABEL: label 1 of step 2: labels are 1 to the number of steps, each once}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (4) (^ ; ^) (FOR.1)", "1: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @end(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-END: dimension 1 still has 4 after the last step}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = ["1: (4) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @no_mechanism(%A: tensor<8xf32>) -> tensor<f32> {
  // expected-error@+1 {{S-ATOMIC: there is no mechanism `(magic)`; it is one of atomic, kernel, last, shared, shuffle, partials}}
  %c = mdh.compute (k in 8 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = ["1: (4) (^ ; ^) (THR.x(magic))", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<f32>
  return %c : tensor<f32>
}

// -----

func.func @kept(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-ATOMIC: `(atomic)` of dimension 1, which is kept: nothing of it meets}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (4) (^ ; ^) (THR.x(atomic))", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @not_cut(%A: tensor<8xf32>) -> tensor<f32> {
  // expected-error@+1 {{S-ATOMIC: `(kernel)` of dimension 1 makes two computations of one, which `mdh-schedule` does; run it before}}
  %c = mdh.compute (k in 8 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = ["1: (4) (^ ; ^) (BLK.x(kernel))", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<f32>
  return %c : tensor<f32>
}

// -----

func.func @lanes_of_lanes(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{S-NEST: lanes inside of lanes; one dimension is on VEC, others on UNR}}
  %c = mdh.compute (i in 8, j in 8) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (VEC.x,VEC.y)"]} {
    mdh.yield %a : f32
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

func.func @region(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-REGION: there is no region L9; MM L3 L2 L1 REG, DM SM RM are}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (4) (L9 ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @layout(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{S-LAYOUT: dimension 1 is not there once, or not as `/n` and `%n`}}
  %c = mdh.compute (i in 8, j in 8) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = ["1: (4,4) (L2[1,1] ; ^) (FOR.1,FOR.2)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

func.func @start_extent(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-EXTENT: step 0 says 9 for dimension 1, which has 8}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = ["0: (9) (^ ; ^) (^)", "1: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @start_region(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-REGION: SM in step 0, where buffers are as the caller has them}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = ["0: (8) (SM ; ^) (^)", "1: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @start_layer(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-LAYER: BLK.x in step 0, which is all of the device}}
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = ["0: (8) (^ ; ^) (BLK.x)", "1: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// A function on tensors that is called has no form on buffers yet.
func.func private @callee(%A: tensor<4xf32>) -> tensor<4xf32> {
  return %A : tensor<4xf32>
}

func.func @caller(%A: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'func.call' on tensors has no form on buffers yet}}
  %r = func.call @callee(%A) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @source_in_another_order(%X: tensor<8x4x6xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-SOURCE: dimension 2 (r) in step 1 stands inside of dimension 3 (s) in step 1, so that contributions come in another order than the source's}}
  %c = mdh.compute (i in 8, r in 4 pw add source, s in 6 pw add source) ins(%x = %X[i, r, s]) outs([i])
       attributes {mdh.schedule = ["1: (1,1,1) (^ ; ^) (FOR.1,FOR.3,FOR.2)"]} {
    mdh.yield %x : f32
  } : (tensor<8x4x6xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// A tile of one dimension around another is another order as well.
func.func @source_by_tiles(%X: tensor<8x4x6xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-SOURCE: dimension 2 (r) in step 2 stands inside of dimension 3 (s) in step 1}}
  %c = mdh.compute (i in 8, r in 4 pw add source, s in 6 pw add source) ins(%x = %X[i, r, s]) outs([i])
       attributes {mdh.schedule = ["1: (^,^,3) (^ ; ^) (^,^,FOR.1)", "2: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    mdh.yield %x : f32
  } : (tensor<8x4x6xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @source_summed_in_a_buffer(%X: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-SOURCE: REG in step 2 holds results inside of dimension 2 (k) in step 1: each would be the sum of a part}}
  %c = mdh.compute (i in 8, k in 64 pw add source) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (^,16) (^ ; ^) (^,FOR.1)", "2: (4,^) (^ ; REG) (FOR.1,^)", "3: (1,1) (^ ; ^) (FOR.2,FOR.1)"]} {
    mdh.yield %x : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @source_in_lanes(%X: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-SOURCE: dimension 2 (k) in step 2 is on VEC.x, but}}
  %c = mdh.compute (i in 8, k in 64 pw add source) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,16) (^ ; ^) (FOR.1,FOR.2)", "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    mdh.yield %x : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
