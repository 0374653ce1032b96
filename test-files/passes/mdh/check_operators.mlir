// test: opt --pipeline=check-operators --split-input-file --verify-diagnostics
// Declared properties are tried on values.

func.func private @difference(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative}} {
  // expected-error @-1 {{[E0672]: 'func.func' op M-PROP: @difference is declared associative, but (a ⊕ b) ⊕ c = -1 and a ⊕ (b ⊕ c) = 1 for a = 0, b = 0, c = 1}}
  %0 = arith.subi %a, %b : i32
  return %0 : i32
}

// -----
// expected-error @+1 {{M-PROP: @first is declared commutative, but a ⊕ b = 0 and b ⊕ a = 1 for a = 0, b = 1}}
func.func private @first(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, commutative}} {
  return %a : i32
}

// -----
// expected-error @+1 {{M-PROP: 1 is declared the identity of @sum, but with a = 0 it gives 1}}
func.func private @sum(%a: i64, %b: i64) -> i64 attributes {sched.operator = {associative, commutative, identity = [1 : i64]}} {
  %0 = arith.addi %a, %b : i64
  return %0 : i64
}

// -----
// Bracketing of floats changes bits: `exact` is wrong, the rest is right.
// expected-error @+1 {{M-PROP: @rounded is declared associative, but}}
func.func private @rounded(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, exact}} {
  %0 = arith.addf %a, %b : f32
  return %0 : f32
}

// -----
// The mean is commutative only.
// expected-error @+1 {{M-PROP: @mean is declared associative}}
func.func private @mean(%a: f64, %b: f64) -> f64 attributes {sched.operator = {associative, commutative}} {
  %half = arith.constant 0.5 : f64
  %0 = arith.addf %a, %b : f64
  %1 = arith.mulf %0, %half : f64
  return %1 : f64
}

// -----
func.func private @added(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, identity = [0.0 : f32]}} {
  %0 = arith.addf %a, %b : f32
  return %0 : f32
}
func.func private @composed(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32)
    attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}
