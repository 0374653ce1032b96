// test: opt --split-input-file --verify-diagnostics

// M-SHAPE: reading outside.
func.func @shape(%A: tensor<16x2048xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{[E0601]: 'mdh.compute' op M-SHAPE: A dim 2 is read up to 2049 by `k + 2`, declared 2048; declare 2050}}
  %0 = mdh.compute (i in 16, k in 2048 pw add) ins(%a = %A[i, k + 2]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<16x2048xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----
func.func @open(%A: tensor<?xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{M-SHAPE: A dim 1 is no number; sizes of computations are numbers: `tensor.cast` to a type that has one}}
  %0 = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<?xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----
func.func @below(%A: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{M-SHAPE: A dim 1 is read from -1 by `i - 1`, declared 16}}
  %0 = mdh.compute (i in 16) ins(%a = %A[i - 1]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----
func.func @result(%A: tensor<16xf32>) -> tensor<20xf32> {
  // expected-error @+1 {{M-SHAPE: output 1 dim 1 is written up to 15, declared 20: nothing would be in the rest; declare 16}}
  %0 = mdh.compute (i in 16) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<16xf32>) -> tensor<20xf32>
  return %0 : tensor<20xf32>
}

// -----
func.func @rank(%A: tensor<16x2xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{M-SHAPE: A has 2 dimensions, but 1 index functions}}
  %0 = mdh.compute (i in 16) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<16x2xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----
// M-OUT: a place for two points.
func.func @out(%A: tensor<4x4xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{[E0602]: 'mdh.compute' op M-OUT: points (0, 1) and (1, 0) of (i, j) both write output 1 at [1]}}
  %0 = mdh.compute (i in 4, j in 4) ins(%a = %A[i, j]) outs([i + j]) {
    mdh.yield %a : f32
  } : (tensor<4x4xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----
func.func @unused(%A: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{M-OUT: `j` is kept, but output 1 does not depend on it: its 4 points would write the same places}}
  %0 = mdh.compute (i in 4, j in 4) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<4x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @folded(%A: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{M-OUT: output 1 depends on `j`, which is combined away (pw)}}
  %0 = mdh.compute (i in 4, j in 4 pw add) ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----
func.func @both(%A: tensor<4xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{M-OUT: points (2) and (0) of (i) both write output 1 at [2]}}
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i] | [i + 2]) {
    mdh.yield %a, %a : f32, f32
  } : (tensor<4xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----
// M-COMB: (max, +).
func.func @comb(%A: tensor<4x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0603]: 'mdh.compute' op M-COMB: `i` (pw max) and `j` (pw add) do not interchange: (a f b) g (c f d) is not (a g c) f (b g d); use two computations, the inner reduction first}}
  %0 = mdh.compute (i in 4 pw max, j in 4 pw add) ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4x4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func private @left(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, identity = [0.0 : f32]}} {
  return %a : f32
}
func.func @order(%A: tensor<4x4xf32>) -> tensor<f32> {
  // expected-error @+1 {{M-COMB: `i` and `j` are both combined by @left, which is not declared `commutative`}}
  %0 = mdh.compute (i in 4 pw @left, j in 4 pw @left) ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4x4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
// M-OPER.
func.func @missing(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0604]: 'mdh.compute' op M-OPER: @nowhere is not defined}}
  %0 = mdh.compute (i in 4 pw @nowhere) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func private @wide(%a: f64, %b: f64) -> f64 attributes {sched.operator = {associative}} {
  return %a : f64
}
func.func @types(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{M-OPER: @wide must be a function of type (f32, f32) -> f32}}
  %0 = mdh.compute (i in 4 pw @wide) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func private @plain(%a: f32, %b: f32) -> f32 {
  return %a : f32
}
func.func @undeclared(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{M-OPER: @plain is no operator: it lacks `sched.operator = {associative, …}`}}
  %0 = mdh.compute (i in 4 pw @plain) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func private @bare(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative}} {
  return %a : f32
}
func.func @identity(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{M-OPER: @bare has no identity; `where` can leave an output without contribution}}
  %0 = mdh.compute (i in 4 pw @bare) where i < 0 ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
func.func @bits(%A: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{M-OPER: `xor` does not take f32}}
  %0 = mdh.compute (i in 4 pw xor) ins(%a = %A[i]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----
// M-KIND.
func.func @kind(%A: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  // expected-error @+1 {{[E0605]: 'mdh.compute' op M-KIND: `i` is pw add: 1 operators for 2 outputs}}
  %0:2 = mdh.compute (i in 4 pw add) ins(%a = %A[i]) outs([], []) {
    mdh.yield %a, %a : f32, f32
  } : (tensor<4xf32>) -> (tensor<f32>, tensor<f32>)
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// -----
// M-BODY.
func.func private @effect()
func.func @body(%A: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    // expected-error @+1 {{[E0606]: 'func.call' op M-BODY: has effects; the body only computes}}
    func.call @effect() : () -> ()
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @loop(%A: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{'scf.for' op M-BODY: is a loop; give it a dimension instead}}
    scf.for %j = %c0 to %c1 step %c1 {
    }
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @yields(%A: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    // expected-error @+1 {{'mdh.yield' op M-BODY: yields (f32, f32), but the outputs' accesses take (f32)}}
    mdh.yield %a, %a : f32, f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
func.func @coordinate(%A: tensor<4xf32>) -> tensor<4xindex> {
  %0 = mdh.compute (i in 4) ins(%a = %A[i]) outs([i]) {
    // expected-error @+1 {{M-BODY: there are 1 dimensions, counted from 0}}
    %j = mdh.index 1
    mdh.yield %j : index
  } : (tensor<4xf32>) -> tensor<4xindex>
  return %0 : tensor<4xindex>
}

// -----
// M-WHERE.
func.func @where(%A: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{[E0607]: 'mdh.compute' op M-WHERE: `where` mentions `i`, a `ps` dimension}}
  %0 = mdh.compute (i in 4 ps add) where i < 3 ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// The generic form can say what the custom one can't.
func.func @form(%A: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{[E0608]: 'mdh.compute' op `combine` and `dim_names` must have 1 entries, as many as `sizes`}}
  %0 = "mdh.compute"(%A) <{sizes = array<i64: 4>, combine = [], maps = [affine_map<(d0) -> (d0)>], outs = [[affine_map<(d0) -> (d0)>]], operandSegmentSizes = array<i32: 1, 0, 0, 0>}> ({
  ^bb0(%a: f32):
    mdh.yield %a : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----
// Numbers that no pass could calculate with: points, elements, values of index functions.
func.func @points(%A: tensor<4294967296xf32>) -> tensor<4294967296x1000000xf32> {
  // expected-error @+1 {{[E0610]: 'mdh.compute' op 4294967296 × 1000000 points are too many: 2^48 at most}}
  %0 = mdh.compute (i in 4294967296, j in 1000000) ins(%a = %A[i]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<4294967296xf32>) -> tensor<4294967296x1000000xf32>
  return %0 : tensor<4294967296x1000000xf32>
}

// -----
func.func @elements(%A: tensor<9223372036854775807x2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{tensor<9223372036854775807x2xf32> has too many elements: 2^48 at most}}
  %0 = mdh.compute (i in 2) ins(%a = %A[i, i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<9223372036854775807x2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
func.func @bounds(%A: tensor<16xf32>, %z: f32) -> tensor<16xf32> {
  // expected-error @+1 {{`9223372036854775807 * i` has no bounds that can be calculated with}}
  %0 = mdh.compute (i in 16) ins(%a = %A[i * 9223372036854775807] else %z) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<16xf32>, f32) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----
// Places of a result are there without points too.
func.func @nothing(%A: tensor<0xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{M-SHAPE: output 1 dim 1 is written up to -1, declared 1: nothing would be in the rest; declare 0}}
  %0 = mdh.compute (i in 0) ins(%a = %A[i]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<0xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----
func.func @beyond(%A: tensor<3x0xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{M-SHAPE: output 1 dim 1 is written at 2, declared 2}}
  %0 = mdh.compute (i in 3, j in 0 pw add) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<3x0xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----
// Conditions of several dimensions, and more points than are tried.
func.func @triangle(%A: tensor<500x500xf32>) -> tensor<500x500xf32> {
  // expected-error @+1 {{M-SHAPE: output 1 has no value at [0, 499]: `where` leaves out i = 0, j = 499}}
  %0 = mdh.compute (i in 500, j in 500) where j < i + 1 ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<500x500xf32>) -> tensor<500x500xf32>
  return %0 : tensor<500x500xf32>
}

// -----
func.func @remainders(%A: tensor<300x300xf32>) -> tensor<300x300xf32> {
  // expected-error @+1 {{M-SHAPE: it can't be shown that `where` leaves a value for each place of output 1}}
  %0 = mdh.compute (i in 300, j in 300) where i mod 7 + j < 300 ins(%a = %A[i, j]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<300x300xf32>) -> tensor<300x300xf32>
  return %0 : tensor<300x300xf32>
}
