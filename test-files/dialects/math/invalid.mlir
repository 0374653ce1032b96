// test: opt --split-input-file --verify-diagnostics

func.func @int_in_float_op(%a: i32) {
  // expected-error @+1 {{operand #0 must be floating-point-like, but got 'i32'}}
  %r = math.sqrt %a : i32
  return
}

// -----

func.func @float_in_int_op(%a: f32) {
  // expected-error @+1 {{operand #0 must be signless-integer-like, but got 'f32'}}
  %r = math.ctpop %a : f32
  return
}

// -----

func.func @shapes(%v: vector<4xf32>, %n: i32) {
  // expected-error @+1 {{requires the same shape for `lhs` and `rhs`}}
  %r = math.fpowi %v, %n : vector<4xf32>, i32
  return
}

// -----

func.func @answer(%a: f32) {
  // expected-error @+1 {{result #0 must be bool-like, but got 'i32'}}
  %r = "math.isnan"(%a) : (f32) -> i32
  return
}
