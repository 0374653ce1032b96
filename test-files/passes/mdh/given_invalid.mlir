// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched)" --split-input-file --verify-diagnostics
// What a schedule that is given may not say to a host.

func.func @blocks(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-LAYER: BLK in step 1: x86-64-v4 has CPU, THR, FOR, UNR, VEC (no blocks); use THR}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (8) (^ ; ^) (BLK.x)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @unread(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-SYNTAX: `0` is no positive number}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (0) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @short(%A: tensor<64x8xf32>) -> tensor<64x8xf32> {
  // expected-error@+1 {{S-ARITY: step 1 has 1 sizes, the computation takes 2}}
  %c = mdh.compute (i in 64, j in 8) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = ["1: (1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<64x8xf32>) -> tensor<64x8xf32>
  return %c : tensor<64x8xf32>
}

// -----

func.func @divides(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-DIV: 7 does not divide 64 (dimension 1, step 1); `7~limit`, `7~peel` and `7~pad` need not; 4 and 8 divide it}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (7) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @shared(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-REGION: SM}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (8) (SM ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @open(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-HOLE: size `?` is open}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (?) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @kept(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-ATOMIC: `(atomic)` of dimension 1, which is kept: nothing of it meets}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (8) (^ ; ^) (THR.x(atomic))", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @lanes(%A: tensor<64xf32>) -> tensor<64xf32> {
  // expected-error@+1 {{S-VEC: lanes of dimension 1 stand around another loop of it; label VEC last}}
  %c = mdh.compute (i in 64) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (8) (^ ; ^) (VEC.x)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}

// -----

func.func @prefixes(%A: tensor<64xi32>) -> tensor<64xi32> {
  // expected-error@+1 {{S-ORDER: dimension 1 (i) in step 1 is a prefix sum, whose parts follow each other; use FOR or UNR}}
  %c = mdh.compute (i in 64 ps add) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (8) (^ ; ^) (THR.x)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : i32
  } : (tensor<64xi32>) -> tensor<64xi32>
  return %c : tensor<64xi32>
}

// -----

func.func @entries(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-BUF: there is no buffer `Q`}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (Q:L2 ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
