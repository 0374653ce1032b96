// Bodies that do not fit their op: what they yield, their arguments, their number of blocks.
// test: opt --split-input-file --verify-diagnostics

func.func @if_yields_nothing(%c: i1, %a: i32) {
  %r = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    // expected-error @+1 {{'scf.yield' op must give the results of the op around it, in number and type}}
    scf.yield
  }
  return
}

// -----

func.func @if_type(%c: i1, %a: i32) {
  %r = scf.if %c -> (f32) {
    // expected-error @+1 {{'scf.yield' op must give the results of the op around it, in number and type}}
    scf.yield %a : i32
  } else {
    %x = arith.constant 1.0 : f32
    scf.yield %x : f32
  }
  return
}

// -----

func.func @if_condition(%c: i8) {
  // expected-error @+1 {{`%c` has type i8, used here as i1}}
  scf.if %c {
  }
  return
}

// -----

func.func @if_without_else(%c: i1, %a: i32) {
  // expected-error @+1 {{'scf.if' op must have an else block if defining values}}
  %r = scf.if %c -> (i32) {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @for_step(%n: index, %s: i32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`%s` has type i32, used here as index}}
  scf.for %i = %c0 to %n step %s {
  }
  return
}

// -----

func.func @for_carried_type(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{`%x` has type f32, used here as i32}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    scf.yield %a : i32
  }
  return
}

// -----

func.func @for_yields_too_much(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (i32) {
    // expected-error @+1 {{'scf.yield' op must give the loop's carried values, in number and type}}
    scf.yield %a, %a : i32, i32
  }
  return
}

// -----

func.func @switch_twice(%i: index) {
  // expected-error @+1 {{'scf.index_switch' op has duplicate case value: 1}}
  scf.index_switch %i
  case 1 {
    scf.yield
  }
  case 1 {
    scf.yield
  }
  default {
  }
  return
}

// -----

func.func @parallel_without_init(%n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @+1 {{'scf.reduce' op must give one value for each result, of its type}}
    scf.reduce(%x : i32) {
    ^bb0(%a: i32, %b: i32):
      scf.reduce.return %a : i32
    }
  }
  return
}

// -----

func.func @yield_elsewhere(%x: i32) {
  // expected-error @+1 {{'scf.yield' op expects parent op}}
  scf.yield %x : i32
}

// -----

func.func @number_outside(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  // expected-error @+1 {{`%i` is used and never defined}}
  return %i : index
}
