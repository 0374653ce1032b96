// test: opt --pipeline="func.func(canonicalize)"
// rule: if_const, if_empty_else, for_zero_trips, for_one_trip
// rule: forall_const_bounds, index_switch_const

func.func @const(%x: i32) -> i32 {
  %true = arith.constant true
  %r = scf.if %true -> (i32) {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}
// eval: @const(21) == 42
// check: func.func @const
// next: %y = arith.addi %x, %x
// next: return %y

func.func @trips(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = scf.for %i = %c5 to %c0 step %c1 iter_args(%a = %x) -> (i32) {
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  %once = scf.for %i = %c0 to %c1 step %c5 iter_args(%a = %x) -> (i32) {
    %b = arith.muli %a, %a : i32
    scf.yield %b : i32
  }
  return %none, %once : i32, i32
}
// eval: @trips(7) == (7, 49)
// check: func.func @trips
// not: scf.for
// check: %b = arith.muli %x, %x
// next: return %x, %b

func.func @empty_else(%c: i1) {
  scf.if %c {
    func.call @declared() : () -> ()
  } else {
  }
  return
}
func.func private @declared()
// eval: @empty_else(false) == ()
// eval: @empty_else(true) == trap E0303
// check: func.func @empty_else
// check: scf.if
// not: else
// check: func.func private @declared

func.func @switch(%a: i32, %b: i32) -> i32 {
  %c2 = arith.constant 2 : index
  %r = scf.index_switch %c2 -> i32
  case 2 {
    scf.yield %a : i32
  }
  default {
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @switch
// next: return %a : i32

func.func @bounds(%m: memref<8xi32>, %x: i32, %n: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.forall (%i, %j) = (%c0, 0) to (%n, %n) step (%c1, 1) {
    memref.store %x, %m[%i] : memref<8xi32>
  } {kept}
  return
}
// check: func.func @bounds
// next: scf.forall (%i, %j) in (%n, %n)
