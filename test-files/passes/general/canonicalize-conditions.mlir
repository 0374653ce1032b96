// Conditions of structured control flow that are known, doubled, or only choose a value.
// test: opt --pipeline="func.func(canonicalize)"

func.func @known(%a: i32, %b: i32) -> (i32, i32) {
  %t = arith.constant true
  %f = arith.constant false
  %p = scf.if %t -> (i32) {
    %x = arith.addi %a, %b : i32
    scf.yield %x : i32
  } else {
    scf.yield %a : i32
  }
  %q = scf.if %f -> (i32) {
    scf.yield %a : i32
  } else {
    %x = arith.subi %a, %b : i32
    scf.yield %x : i32
  }
  return %p, %q : i32, i32
}
// check: func.func @known
// next: arith.addi
// next: arith.subi
// next: return
// eval: @known(5, 3) == (8, 2)

func.func @select(%c: i1, %a: i32, %b: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @select
// next: arith.select %c, %a, %b
// next: return
// eval: @select(true, 1, 2) == 1
// eval: @select(false, 1, 2) == 2

// The same value on both ways does not depend on the condition.
func.func @both(%c: i1, %a: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}
// check: func.func @both(%c: i1, %a: i32)
// next: return %a
// eval: @both(true, 7) == 7

// What traps must not be chosen from: the division stays where it is.
func.func @division(%c: i1, %a: i32, %b: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %q = arith.divsi %a, %b : i32
    scf.yield %q : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}
// check: func.func @division
// check: scf.if
// next: arith.divsi
// eval: @division(true, 7, 2) == 3
// eval: @division(false, 7, 0) == 7
// eval: @division(true, 7, 0) == trap E0301

// The condition of the inner one is known in the outer one.
func.func @inner(%c: i1, %a: i32, %b: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %s = scf.if %c -> (i32) {
      %x = arith.muli %a, %b : i32
      scf.yield %x : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %s : i32
  } else {
    %s = scf.if %c -> (i32) {
      scf.yield %a : i32
    } else {
      %x = arith.addi %a, %b : i32
      scf.yield %x : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
// check: func.func @inner
// check: scf.if
// not: scf.if
// check: return
// eval: @inner(true, 3, 4) == 12
// eval: @inner(false, 3, 4) == 7

// Turned round, the regions change places.
func.func @not(%c: i1, %m: memref<2xi32>, %x: i32) {
  %t = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.xori %c, %t : i1
  scf.if %n {
    memref.store %x, %m[%c0] : memref<2xi32>
  } else {
    memref.store %x, %m[%c1] : memref<2xi32>
  }
  return
}
// check: func.func @not
// not: arith.xori
// check: scf.if %c
// next: memref.store %x, %m[%c1]
// next: } else {
// next: memref.store %x, %m[%c0]

func.func @empty(%c: i1, %x: i32) -> i32 {
  scf.if %c {
  } else {
  }
  return %x : i32
}
// check: func.func @empty(%c: i1, %x: i32)
// next: return %x
// eval: @empty(true, 1) == 1

func.func @switch(%a: i32, %b: i32) -> i32 {
  %k = arith.constant 2 : index
  %r = scf.index_switch %k -> i32
  case 1 {
    scf.yield %a : i32
  }
  case 2 {
    %x = arith.addi %a, %b : i32
    scf.yield %x : i32
  }
  default {
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @switch
// next: arith.addi
// next: return
// eval: @switch(1, 2) == 3

func.func @switch_default(%a: i32, %b: i32) -> i32 {
  %k = arith.constant -1 : index
  %r = scf.index_switch %k -> i32
  case 1 {
    scf.yield %a : i32
  }
  default {
    scf.yield %b : i32
  }
  return %r : i32
}
// check: func.func @switch_default(%a: i32, %b: i32)
// next: return %b
// eval: @switch_default(1, 2) == 2
