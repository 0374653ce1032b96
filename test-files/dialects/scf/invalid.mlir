// test: opt --split-input-file --verify-diagnostics

func.func @step(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{constant step operand must be positive}}
  scf.for %i = %c0 to %n step %c0 {
  }
  return
}

// -----

func.func @no_else(%c: i1, %x: i32) -> i32 {
  // expected-error @+1 {{must have an else block if defining values}}
  %r = "scf.if"(%c) ({
    scf.yield %x : i32
  }, {
  }) : (i1) -> i32
  return %r : i32
}

// -----

func.func @yield(%c: i1, %x: f32) {
  scf.if %c {
    // expected-error @+1 {{must give the results of the op around it, in number and type}}
    scf.yield %x : f32
  }
  return
}

// -----

func.func @outside(%x: f32) {
  // expected-error @+1 {{[E0112]: 'scf.yield' op expects parent op 'scf.for' or 'scf.if'}}
  scf.yield %x : f32
}

// -----

func.func @cases(%x: index) {
  // expected-error @+1 {{has duplicate case value: 2}}
  scf.index_switch %x
  case 2 {
    scf.yield
  }
  case 2 {
    scf.yield
  }
  default {
  }
  return
}

// -----

func.func @arguments(%n: index) {
  // expected-error @+1 {{region expects 1 arguments}}
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}
