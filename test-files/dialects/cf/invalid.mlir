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
