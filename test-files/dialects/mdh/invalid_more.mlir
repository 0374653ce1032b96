// test: opt --split-input-file --verify-diagnostics
// Combinations, places and shapes that computations may not have; strides, start values, operators on pairs.

func.func @prefixes_of_sums(%A: tensor<4x4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{[E0603]: 'mdh.compute' op M-COMB: `i` (ps add) and `j` (pw max) do not interchange}}
  %0 = mdh.compute (i in 4 ps add, j in 4 pw max) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<4x4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----
func.func @two_prefixes(%A: tensor<4x4xi32>) -> tensor<4x4xi32> {
  // expected-error @+1 {{M-COMB: `i` (ps min) and `j` (ps max) do not interchange}}
  %0 = mdh.compute (i in 4 ps min, j in 4 ps max) ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : i32
  } : (tensor<4x4xi32>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// -----
// A product of 2×2 matrices does not interchange with itself; here maps x -> a x + b.
func.func private @compose(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32)
    attributes {sched.operator = {associative, identity = [1 : i32, 0 : i32]}} {
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}
func.func @pairs(%A: tensor<2x3xi32>, %B: tensor<2x3xi32>) -> (tensor<i32>, tensor<i32>) {
  // expected-error @+1 {{M-COMB: `i` and `j` are both combined by @compose, which is not declared `commutative`}}
  %u, %v = mdh.compute (i in 2 pw @compose, j in 3 pw @compose) ins(%a = %A[i, j], %b = %B[i, j]) outs([], []) {
    mdh.yield %a, %b : i32, i32
  } : (tensor<2x3xi32>, tensor<2x3xi32>) -> (tensor<i32>, tensor<i32>)
  return %u, %v : tensor<i32>, tensor<i32>
}

// -----
// One component of several is enough.
func.func @components(%A: tensor<2x3xi32>) -> (tensor<i32>, tensor<i32>) {
  // expected-error @+1 {{M-COMB: `i` (pw (add, max)) and `j` (pw (add, min)) do not interchange}}
  %u, %v = mdh.compute (i in 2 pw (add, max), j in 3 pw (add, min)) ins(%a = %A[i, j]) outs([], []) {
    mdh.yield %a, %a : i32, i32
  } : (tensor<2x3xi32>) -> (tensor<i32>, tensor<i32>)
  return %u, %v : tensor<i32>, tensor<i32>
}

// -----
// Places by strides that meet.
func.func @strides(%A: tensor<4x3xf32>) -> tensor<13xf32> {
  // expected-error @+1 {{[E0602]: 'mdh.compute' op M-OUT: points (0, 2) and (3, 0) of (i, j) both write output 1 at [6]}}
  %0 = mdh.compute (i in 4, j in 3) ins(%a = %A[i, j]) outs([2 * i + 3 * j]) {
    mdh.yield %a : f32
  } : (tensor<4x3xf32>) -> tensor<13xf32>
  return %0 : tensor<13xf32>
}

// -----
// Rows of 3 with room for 3: none meet.
func.func @rows(%A: tensor<4x3xf32>) -> tensor<12xf32> {
  %0 = mdh.compute (i in 4, j in 3) ins(%a = %A[i, j]) outs([3 * i + j]) {
    mdh.yield %a : f32
  } : (tensor<4x3xf32>) -> tensor<12xf32>
  return %0 : tensor<12xf32>
}

// -----
func.func @strided_read(%A: tensor<8xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{[E0601]: 'mdh.compute' op M-SHAPE: A dim 1 is read up to 9 by `2 * i + 1`, declared 8; declare 10}}
  %0 = mdh.compute (i in 5) ins(%a = %A[2 * i + 1]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----
func.func @backwards(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{M-SHAPE: A dim 1 is read from -1 by `-i + 6`, declared 8}}
  %0 = mdh.compute (i in 8) ins(%a = %A[6 - i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----
// A condition cuts what is read; a point too many is one.
func.func @cut(%A: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{M-SHAPE: A dim 1 is read up to 8 by `i + k`, declared 8; declare 9}}
  %0 = mdh.compute (i in 8, k in 3 pw add) where i + k < 9 ins(%a = %A[i + k]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----
func.func @cut_enough(%A: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mdh.compute (i in 8, k in 3 pw add) where i + k < 8 ins(%a = %A[i + k]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----
func.func @start_values(%A: tensor<4xf32>, %I: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{M-SHAPE: I dim 1 is read up to 3 by `i`, declared 3; declare 4}}
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i] into %I[i]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @mixed_outputs(%A: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  // expected-error @+1 {{M-OUT: output 2 depends on `j`, which is combined away (pw)}}
  %0:2 = mdh.compute (i in 4, j in 4 pw (add, add)) ins(%a = %A[i, j]) outs([i], [i, j]) {
    mdh.yield %a, %a : f32, f32
  } : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4x4xf32>
}

// -----
func.func @bits_of_floats(%A: tensor<4xbf16>) -> tensor<bf16> {
  // expected-error @+1 {{[E0604]: 'mdh.compute' op M-OPER: `or` does not take bf16}}
  %0 = mdh.compute (i in 4 pw or) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : bf16
  } : (tensor<4xbf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----
func.func @another_kind(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0604]: 'mdh.compute' op M-OPER: `add` is accumulated in i32, and the result is f32: both are floats or both are integers}}
  %0 = mdh.compute (i in 4 pw add acc i32) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @exact_product(%A: tensor<4xf64>) -> tensor<f64> {
  // expected-error @+1 {{[E0611]: 'mdh.compute' op M-BITS: `i` is `exact`, but `mul` of f64 is not: sums of f16, bf16, f32 and f64 are}}
  %0 = mdh.compute (i in 4 pw mul exact) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f64
  } : (tensor<4xf64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// -----
func.func @exact_in_f64(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0611]: 'mdh.compute' op M-BITS: `i` is `exact`, which has accumulators of its own}}
  %0 = mdh.compute (i in 4 pw add acc f64 exact) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @too_many(%A: tensor<2000000000xf32>) -> tensor<f32> {
  // expected-error @+1 {{M-BITS: `i` is `exact`, and 2000000000 terms are too many: 1073741824 at most}}
  %0 = mdh.compute (i in 2000000000 pw add exact) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<2000000000xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @compensated_products(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0604]: 'mdh.compute' op M-OPER: `mul` of f32 is not `compensated`: sums of floats are}}
  %0 = mdh.compute (i in 4 pw mul compensated) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func private @mean(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, identity = [0.0 : f32]}} {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func @exact_function(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0611]: 'mdh.compute' op M-BITS: `i` is `exact`, but @mean is not declared so: `exact` in its `sched.operator` states that it does not round}}
  %0 = mdh.compute (i in 4 pw @mean exact) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// An operator and a function, next to each other: the message is of the one that rounds, and the other may stay exact.
func.func private @greatest(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, exact, identity = [0xFF800000 : f32]}} {
  %s = arith.maximumf %a, %b : f32
  return %s : f32
}
func.func @exact_product_next_to_a_function(%A: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  // expected-error @+1 {{[E0611]: 'mdh.compute' op M-BITS: `i` is `exact`, but `mul` of f32 is not: sums of f16, bf16, f32 and f64 are, and operators that do not round; use `invariant` for all outputs, or a computation of its own}}
  %0, %1 = mdh.compute (i in 4 pw (mul, @greatest) exact) ins(%a = %A[i]) outs([], []) {
    mdh.yield %a, %a : f32, f32
  } : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  return %0, %1 : tensor<f32>, tensor<f32>
}

// -----

func.func private @mean(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, identity = [0.0 : f32]}} {
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func @exact_sum_next_to_a_function(%A: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  // expected-error @+1 {{but @mean is not declared so: `exact` in its `sched.operator` states that it does not round, as one that only compares and chooses; other functions take `fixed`, `invariant` or `source` for all outputs, or a computation of its own}}
  %0, %1 = mdh.compute (i in 4 pw (add, @mean) exact) ins(%a = %A[i]) outs([], []) {
    mdh.yield %a, %a : f32, f32
  } : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  return %0, %1 : tensor<f32>, tensor<f32>
}
