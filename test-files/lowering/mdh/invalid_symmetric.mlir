// test: opt --pipeline="func.func(mdh-to-sched)" --split-input-file --verify-diagnostics
// What is stated next to a schedule is checked again.

func.func @product(%A: tensor<32x16xf32>, %B: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %B[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 0, 1>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @no_dimension(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 0, 7>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @negative(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: -1, 1>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @reduced(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 0, 2>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @itself(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 0, 0>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @inner_first(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 1, 0>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @one(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = array<i64: 0>} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}

// -----

func.func @no_numbers(%A: tensor<32x16xf32>) -> tensor<32x32xf32> {
  // expected-error@+1 {{S-SYMMETRIC: the result does not stay the same when these dimensions are exchanged}}
  %c = mdh.compute (i in 32, j in 32, k in 16 pw add) ins(%x = %A[i, k], %y = %A[j, k]) outs([i, j]) attributes {mdh.symmetric = "rows"} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
