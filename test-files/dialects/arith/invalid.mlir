// test: opt --split-input-file --verify-diagnostics

func.func @mixed(%a: i32, %b: i64) {
  // expected-error @+2 {{[E0103]: 'arith.addi' op requires the same type for `lhs` and `rhs`}}
  // expected-note @+1 {{`lhs` has type i32, `rhs` has type i64}}
  %c = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @float_in_int_op(%a: f32) {
  // expected-error @+1 {{operand #0 must be signless-integer-like, but got 'f32'}}
  %c = arith.addi %a, %a : f32
  return
}

// -----

func.func @predicate(%a: i32) {
  // expected-error @+1 {{attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases}}
  %c = "arith.cmpi"(%a, %a) <{predicate = 12 : i64}> : (i32, i32) -> i1
  return
}

// -----

func.func @no_predicate(%a: i32) {
  // expected-error @+1 {{requires attribute 'predicate'}}
  %c = "arith.cmpi"(%a, %a) : (i32, i32) -> i1
  return
}

// -----

func.func @narrow(%a: i32) {
  // expected-error @+1 {{result type 'i16' must be wider than operand type 'i32'}}
  %c = arith.extsi %a : i32 to i16
  return
}

// -----

func.func @one_operand(%a: i32) {
  // expected-error @+1 {{expected 2 operands, but found 1}}
  %c = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----

func.func @select_shape(%c: vector<2xi1>, %a: vector<4xi32>) {
  // expected-error @+1 {{expected condition type to have the same shape as the result type}}
  %r = arith.select %c, %a, %a : vector<2xi1>, vector<4xi32>
  return
}

// -----

func.func @signed_constant() {
  // expected-error @+1 {{integer return type must be signless}}
  %c = arith.constant 1 : si32
  return
}
