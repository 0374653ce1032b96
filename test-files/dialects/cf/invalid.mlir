// test: opt --split-input-file --verify-diagnostics

func.func @count(%x: i32) {
  // expected-error @+1 {{[E0110]: 'cf.br' op passes 0 values to successor #0, which takes 1}}
  cf.br ^next
^next(%y: i32):
  return
}

// -----

func.func @types(%x: i32) {
  // expected-error @+1 {{type mismatch for argument #0 of successor #0: 'i32' vs 'f32'}}
  cf.br ^next(%x : i32)
^next(%y: f32):
  return
}

// -----

func.func @dominance(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %x = arith.constant 1 : i32
  cf.br ^b
^b:
  // expected-error @+1 {{[E0108]: 'func.return' op operand #0 (%x) does not dominate this use}}
  return %x : i32
}

// -----

func.func @no_terminator(%x: i32) {
  // expected-error @+1 {{[E0106]: 'arith.addi' op ends its block but is no terminator}}
  %y = arith.addi %x, %x : i32
}

// -----

func.func @values(%x: i32) {
  // expected-error @+1 {{'flag' type ('i32') should match case value type ('i64')}}
  "cf.switch"(%x)[^a, ^a] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  return
}

// -----

func.func @number(%x: i32) {
  // expected-error @+1 {{number of case values (2) should match number of case destinations (1)}}
  "cf.switch"(%x)[^a, ^a] <{case_operand_segments = array<i32: 0>, case_values = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  return
}

// -----

func.func @passed(%x: i32) {
  // expected-error @+1 {{case #0 passes 1 values to a block that takes 0}}
  cf.switch %x : i32, [
    default: ^a,
    1: ^a(%x : i32)
  ]
^a:
  return
}
