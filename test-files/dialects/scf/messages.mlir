// test: opt --split-input-file --verify-diagnostics

func.func @while_before(%x: i32) {
  // expected-error @+1 {{arguments of the 'before' region must have the types of the operands}}
  %r = "scf.while"(%x) ({
  ^bb0(%a: f32):
    %c = arith.constant true
    "scf.condition"(%c, %x) : (i1, i32) -> ()
  }, {
  ^bb0(%b: i32):
    "scf.yield"(%b) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @while_condition(%x: i32, %y: f32) {
  // expected-error @+1 {{values of 'scf.condition' must have the types of the results}}
  %r = "scf.while"(%x) ({
  ^bb0(%a: i32):
    %c = arith.constant true
    "scf.condition"(%c, %y) : (i1, f32) -> ()
  }, {
  ^bb0(%b: i32):
    "scf.yield"(%b) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @while_after(%x: i32) {
  // expected-error @+1 {{arguments of the 'after' region must have the types of the results}}
  %r = "scf.while"(%x) ({
  ^bb0(%a: i32):
    %c = arith.constant true
    "scf.condition"(%c, %a) : (i1, i32) -> ()
  }, {
  ^bb0(%b: f32):
    "scf.yield"(%x) : (i32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @while_yield(%x: i32, %y: f32) {
  // expected-error @+1 {{values of 'scf.yield' must have the types of the operands}}
  %r = "scf.while"(%x) ({
  ^bb0(%a: i32):
    %c = arith.constant true
    "scf.condition"(%c, %a) : (i1, i32) -> ()
  }, {
  ^bb0(%b: i32):
    "scf.yield"(%y) : (f32) -> ()
  }) : (i32) -> i32
  return
}

// -----

func.func @in_parallel(%t: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<8xf32>) {
    // expected-error @+1 {{expected only tensor.parallel_insert_slice ops}}
    scf.forall.in_parallel {
      %c = arith.constant 0 : index
    }
  }
  return %r : tensor<8xf32>
}
