// test: round-trip

func.func @loops(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.000000e+00 : f32
  scf.for %i = %c0 to %n step %c1 {
    %y = arith.addf %x, %x : f32
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %next = arith.addf %acc, %x : f32
    scf.yield %next : f32
  }
  %p = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%zero) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.reduce
  }
  %t = arith.addf %r, %p : f32
  return %t : f32
}

func.func @typed_bounds(%a: i32, %b: i32, %s: i32) {
  scf.for %i = %a to %b step %s  : i32 {
  }
  return
}

func.func @conditions(%c: i1, %x: i32, %n: i32) -> i32 {
  scf.if %c {
    %y = arith.addi %x, %x : i32
  }
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  %w = scf.while (%i = %r) : (i32) -> i32 {
    %go = arith.cmpi slt, %i, %n : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%j: i32):
    %k = arith.addi %j, %x : i32
    scf.yield %k : i32
  }
  %e = scf.execute_region -> i32 {
    scf.yield %w : i32
  }
  return %e : i32
}
