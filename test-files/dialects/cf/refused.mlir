// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%x: i32) {
  // expected-error@+1 {{'cf.switch' op 'case_operand_segments' must say for each of the 1 cases how many of the 0 operands are its own}}
  "cf.switch"(%x)[^a, ^a] <{case_operand_segments = array<i32: 1>, case_values = dense<7> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^a:
  return
}

// -----

func.func @f(%x: i32, %y: f32) {
  // expected-error@+1 {{'cf.switch' op type mismatch for an argument of case #0: 'f32' vs 'i32'}}
  cf.switch %x : i32, [
    default: ^a,
    1: ^b(%y : f32)
  ]
^a:
  return
^b(%z: i32):
  return
}

// -----

func.func @f(%x: i200) {
  // expected-error@+1 {{expected an integer type of at most 128 bits}}
  cf.switch %x : i200, [
    default: ^a,
    1: ^a
  ]
^a:
  return
}
