// test: opt --split-input-file --verify-diagnostics

func.func @f() -> i32 {
  // expected-error @+1 {{has 0 operands, but enclosing function (@f) returns 1}}
  return
}

// -----

func.func @f(%a: f32) -> i32 {
  // expected-error @+1 {{type of return operand 0 ('f32') doesn't match function result type ('i32') in function @f}}
  return %a : f32
}

// -----

func.func @f() {
  // expected-error @+1 {{'missing' does not reference a valid function}}
  call @missing() : () -> ()
  return
}

// -----

func.func private @g(i32)
func.func @f(%a: f32) {
  // expected-error @+1 {{operand type mismatch: expected operand type 'i32', but provided 'f32' for operand number 0}}
  call @g(%a) : (f32) -> ()
  return
}

// -----

// expected-note @+1 {{first defined here}}
func.func private @twice()
// expected-error @+1 {{[E0111]: symbol `@twice` is defined twice}}
func.func private @twice()
