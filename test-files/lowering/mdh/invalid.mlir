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
