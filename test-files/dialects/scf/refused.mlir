// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%a: index, %x: i32) {
  // expected-error@+1 {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  "scf.for"(%a, %a, %a, %x) ({
  ^bb0(%i: index, %c: i32):
    "scf.yield"(%c) : (i32) -> ()
  }) : (index, index, index, i32) -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'scf.for' op expected body to have 1 arguments, but it has 0}}
  "scf.for"(%a, %a, %a) ({
  ^bb0:
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
  "scf.for"(%a, %a, %a) ({
  ^bb0(%i: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  // expected-error@+1 {{'scf.for' op types mismatch between carried values, region arguments and results}}
  %r = "scf.for"(%a, %a, %a, %x) ({
  ^bb0(%i: index, %c: f32):
    "scf.yield"(%c) : (f32) -> ()
  }) : (index, index, index, i32) -> i32
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  %r = scf.for %i = %a to %a step %a iter_args(%c = %x) -> (i32) {
    // expected-error@+1 {{'scf.yield' op must give the loop's carried values, in number and type}}
    scf.yield
  }
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  // expected-error@+1 {{1 values are carried, but 2 types are given}}
  %r = scf.for %i = %a to %a step %a iter_args(%c = %x) -> (i32, i32) {
    scf.yield %c : i32
  }
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{expected as many input types as operands (expected 1 got 2)}}
  %r = scf.while (%a = %x) : (i32, i32) -> i32 {
    %t = arith.constant true
    scf.condition(%t) %a : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return
}

// -----

func.func @f(%x: i32) {
  // expected-error@+1 {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
  %r = "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.yield"(%a) : (i32) -> ()
  }, {
  ^bb0(%b: i32):
    "scf.yield"(%b) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%x: i32, %t: i1) {
  // expected-error@+1 {{'scf.while' op expects the 'after' region to terminate with 'scf.yield'}}
  %r = "scf.while"(%x) ({
  ^bb0(%a: i32):
    "scf.condition"(%t, %a) : (i1, i32) -> ()
  }, {
  ^bb0(%b: i32):
    "scf.condition"(%t, %b) : (i1, i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{2 induction variables, but 1 bounds}}
  scf.parallel (%i, %j) = (%a) to (%a) step (%a) {
  }
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  // expected-error@+1 {{1 initial values, but 2 result types}}
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> (i32, i32) {
    scf.reduce(%x, %x : i32, i32) {
    }, {
    }
  }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
  "scf.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
    "scf.reduce"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'scf.parallel' op needs as many lower and upper bounds as steps}}
  "scf.parallel"(%a, %a) <{operandSegmentSizes = array<i32: 0, 1, 1, 0>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index) -> ()
  return
}

// -----

func.func @f(%a: index) {
  // expected-error@+1 {{'scf.parallel' op expects one index argument of the body for each step}}
  "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: i32):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  // expected-error@+1 {{'scf.parallel' op expects the initial values to have the types of the results}}
  %r = "scf.parallel"(%a, %a, %a, %x) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index, i32) -> f32
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> i32 {
    // expected-error@+1 {{'scf.reduce' op must give one value for each result, of its type}}
    scf.reduce
  }
  return
}

// -----

func.func @f(%a: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'scf.parallel' op constant step operand must be positive}}
  scf.parallel (%i) = (%a) to (%a) step (%c0) {
  }
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> i32 {
    // expected-error@+1 {{'scf.reduce' op expects one region for each value}}
    "scf.reduce"(%x) : (i32) -> ()
  }
  return
}

// -----

func.func @f(%a: index, %x: i32) {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%x) -> i32 {
    // expected-error@+1 {{'scf.reduce' op expects region #0 to take two values of type 'i32' and give one}}
    "scf.reduce"(%x) ({
    ^bb0(%l: i32):
      "scf.reduce.return"(%l) : (i32) -> ()
    }) : (i32) -> ()
  }
  return
}

// -----

func.func @f(%x: index) {
  // expected-error@+1 {{'scf.index_switch' op has 1 case regions but 2 case values}}
  "scf.index_switch"(%x) <{cases = array<i64: 1, 2>}> ({
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{2 induction variables, but 1 bounds}}
  scf.forall (%i, %j) in (%n) {
  }
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'scf.forall' op expected 1 upper bound values of which 1 are operands, got 1 and 2}}
  "scf.forall"(%n, %n) <{operandSegmentSizes = array<i32: 0, 2, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({
  ^bb0(%i: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index, index) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{'scf.forall' op produces 0 results, but has 1 outputs}}
  "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4xf32>) {
  // expected-error@+1 {{'scf.forall' op type mismatch between result 0 and output 0}}
  %r = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb0(%i: index, %o: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'scf.forall' op argument #0 of the body must be of type 'index'}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({
  ^bb0(%i: i32):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%i) in (%n) {
  } {mapping = [1, 2]}
  return
}

// -----

func.func @f(%n: index, %t: tensor<4xf32>) {
  // expected-error@+1 {{1 shared outputs, but 2 types}}
  %r:2 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}
