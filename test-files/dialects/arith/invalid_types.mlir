// Types that an op does not take, each with the place of the message.
// test: opt --split-input-file --verify-diagnostics

func.func @ints_of_floats(%a: f32) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %r = "arith.addi"(%a, %a) : (f32, f32) -> f32
  return
}

// -----

func.func @floats_of_ints(%a: i32) {
  // expected-error @+1 {{'arith.addf' op operand #0 must be floating-point-like, but got 'i32'}}
  %r = "arith.addf"(%a, %a) : (i32, i32) -> i32
  return
}

// -----

func.func @two_types(%a: i32, %b: i64) {
  // expected-error @+1 {{'arith.addi' op requires the same type for `lhs` and `rhs`}}
  %r = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}

// -----

func.func @result_type(%a: i32) {
  // expected-error @+1 {{'arith.addi' op requires the same type for `lhs` and `result`}}
  %r = "arith.addi"(%a, %a) : (i32, i32) -> i64
  return
}

// -----

func.func @use_of_another_type(%a: i32, %b: i64) {
  // expected-error @+1 {{`%b` has type i64, used here as i32}}
  %r = arith.addi %a, %b : i32
  return
}

// -----

func.func @signed(%a: si32) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'si32'}}
  %r = "arith.addi"(%a, %a) : (si32, si32) -> si32
  return
}

// -----

func.func @not_wider(%a: i32) {
  // expected-error @+1 {{result type 'i32' must be wider than operand type 'i32'}}
  %r = arith.extsi %a : i32 to i32
  return
}

// -----

func.func @narrower_extension(%a: i32) {
  // expected-error @+1 {{result type 'i16' must be wider than operand type 'i32'}}
  %r = arith.extui %a : i32 to i16
  return
}

// -----

func.func @not_shorter(%a: i32) {
  // expected-error @+1 {{result type 'i64' must be shorter than operand type 'i32'}}
  %r = arith.trunci %a : i32 to i64
  return
}

// -----

func.func @shapes(%a: vector<4xi8>) {
  // expected-error @+1 {{'arith.extsi' op requires the same shape for `input` and `out`}}
  %r = arith.extsi %a : vector<4xi8> to vector<2xi16>
  return
}

// -----

func.func @bitcast(%a: i32) {
  // expected-error @+1 {{'arith.bitcast' op result type 'f64' must be as wide as operand type 'i32'}}
  %r = arith.bitcast %a : i32 to f64
  return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{'arith.constant' op attribute 'value' and `result` must have the same type}}
  %r = "arith.constant"() <{value = 1 : i32}> : () -> i64
  return
}

// -----

func.func @no_such_predicate(%a: i32) {
  // expected-error @+1 {{expected one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge for `arith.cmpi_predicate`}}
  %r = arith.cmpi lt, %a, %a : i32
  return
}

// -----

func.func @predicate_of_floats(%a: i32) {
  // expected-error @+1 {{expected one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge for `arith.cmpi_predicate`}}
  %r = arith.cmpi olt, %a, %a : i32
  return
}

// -----

func.func @unknown_op(%a: i32) {
  // expected-error @+1 {{dialect `arith` has no op `arith.add3`}}
  %r = "arith.add3"(%a, %a) : (i32, i32) -> i32
  return
}

// -----

func.func @number_too_large() {
  // expected-error @+1 {{`256` is out of range of i8}}
  %r = arith.constant 256 : i8
  return
}

// -----

func.func @float_as_int() {
  // expected-error @+1 {{a float can't have the type i32}}
  %r = arith.constant 1.5 : i32
  return
}
