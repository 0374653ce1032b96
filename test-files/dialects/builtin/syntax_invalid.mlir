// Mistakes that the parser finds: values, blocks, types, brackets. Each has its place.
// test: opt --split-input-file --verify-diagnostics

func.func @undefined(%a: i32) -> i32 {
  // expected-error @+1 {{`%b` is used and never defined}}
  %r = arith.addi %a, %b : i32
  return %r : i32
}

// -----

func.func @twice(%a: i32) -> i32 {
  %r = arith.addi %a, %a : i32
  // expected-error @+1 {{`%r` is defined twice}}
  %r = arith.muli %a, %a : i32
  return %r : i32
}

// -----

func.func @later(%c: i1) -> i32 {
  // expected-error @+1 {{'math.absi' op operand #0 (%x) does not dominate this use}}
  %r = math.absi %x : i32
  %x = arith.constant 1 : i32
  return %r : i32
}

// -----

func.func @from_a_region(%c: i1) -> i32 {
  scf.if %c {
    %x = arith.constant 1 : i32
  }
  // expected-error @+1 {{`%x` is used and never defined}}
  return %x : i32
}

// -----

func.func @one_branch_only(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %x = arith.constant 1 : i32
  cf.br ^b
^b:
  // expected-error @+1 {{'func.return' op operand #0 (%x) does not dominate this use}}
  return %x : i32
}

// -----

func.func @no_such_block(%c: i1) {
  // expected-error @+1 {{block `^nowhere` is not defined}}
  cf.cond_br %c, ^here, ^nowhere
^here:
  return
}

// -----

func.func @same_block_twice() {
  cf.br ^a
^a:
  cf.br ^a
// expected-error @+1 {{block `^a` is defined twice}}
^a:
  return
}

// -----

// expected-error @+1 {{unknown type `i32x`}}
func.func @unknown_type(%a: i32x) {
  return
}

// -----

// expected-error @+1 {{expected a type, found `-`}}
func.func @negative_size(%a: tensor<-1xf32>) {
  return
}

// -----

// expected-error @+1 {{vector types must have positive constant sizes}}
func.func @empty_vector(%a: vector<0xf32>) {
  return
}

// -----

func.func @result_count(%a: i32) {
  // expected-error @+1 {{the op has 1 results, but 2 are named}}
  %x, %y = arith.addi %a, %a : i32
  return
}

// -----

func.func @result_number(%a: i8) -> i8 {
  %x:2 = arith.mulsi_extended %a, %a : i8
  // expected-error @+1 {{result number 2 of 2, counted from 0}}
  return %x#2 : i8
}

// -----

func.func @operand_count(%a: i32) {
  // expected-error @+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %r = "arith.addi"(%a) : (i32) -> i32
  return
}

// -----

func.func @wrong_type(%a: i32) -> f32 {
  // expected-error @+1 {{type of return operand 0 ('i32') doesn't match function result type ('f32') in function @wrong_type}}
  return %a : i32
}

// -----

func.func @f() {
  return
}
// expected-error @+1 {{symbol `@f` is defined twice}}
func.func @f() {
  return
}

// -----

func.func @no_end(%a: i32) {
  // expected-error @+1 {{'arith.addi' op ends its block but is no terminator}}
  %r = arith.addi %a, %a : i32
}

// -----

func.func @in_the_middle(%a: i32) {
  // expected-error @+1 {{'func.return' op must be the last op of its block}}
  "func.return"() : () -> ()
  %r = arith.addi %a, %a : i32
  return
}
