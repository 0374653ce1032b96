// Structured ops inside each other become blocks; no structured op is left, and values stay.
// test: opt --pipeline="convert-scf-to-cf"
// not: scf.

func.func @if_in_for(%n: index, %limit: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%small = %c0, %large = %c0) -> (index, index) {
    %is = arith.cmpi slt, %i, %limit : index
    %s:2 = scf.if %is -> (index, index) {
      %t = arith.addi %small, %i : index
      scf.yield %t, %large : index, index
    } else {
      %t = arith.addi %large, %i : index
      scf.yield %small, %t : index, index
    }
    scf.yield %s#0, %s#1 : index, index
  }
  return %r#0, %r#1 : index, index
}
// eval: @if_in_for(0, 0) == (0, 0)
// eval: @if_in_for(5, 2) == (1, 9)
// eval: @if_in_for(5, 100) == (10, 0)
// eval: @if_in_for(5, -1) == (0, 10)

func.func @for_in_if(%c: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %c -> (index) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {
      %b = arith.addi %a, %a : index
      scf.yield %b : index
    }
    scf.yield %s : index
  } else {
    scf.yield %n : index
  }
  return %r : index
}
// eval: @for_in_if(true, 0) == 1
// eval: @for_in_if(true, 10) == 1024
// eval: @for_in_if(false, 10) == 10

// Three loops, the innermost with bounds from both of the others.
func.func @three(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (index) {
      %e = arith.addi %i, %j : index
      %t = scf.for %k = %j to %e step %c1 iter_args(%d = %b) -> (index) {
        %u = arith.addi %d, %k : index
        scf.yield %u : index
      }
      scf.yield %t : index
    }
    scf.yield %s : index
  }
  return %r : index
}
// eval: @three(0) == 0
// eval: @three(1) == 0
// eval: @three(3) == 12

func.func @while_in_for(%n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = scf.for %i = %c1 to %n step %c1 iter_args(%steps = %c0) -> (i32) : i32 {
    %w:2 = scf.while (%x = %i, %k = %steps) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %x, %c1 : i32
      scf.condition(%more) %x, %k : i32, i32
    } do {
    ^bb0(%x: i32, %k: i32):
      %h = arith.divsi %x, %c2 : i32
      %l = arith.addi %k, %c1 : i32
      scf.yield %h, %l : i32, i32
    }
    scf.yield %w#1 : i32
  }
  return %r : i32
}
// eval: @while_in_for(1) == 0
// eval: @while_in_for(9) == 13

// A body of several blocks around a loop.
func.func @around(%c: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^loop(%n : index), ^end(%c0 : index)
^loop(%m: index):
  %r = scf.for %i = %c0 to %m step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  cf.br ^end(%r : index)
^end(%x: index):
  return %x : index
}
// eval: @around(true, 5) == 10
// eval: @around(false, 5) == 0

func.func @switch_in_loop(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (i32) {
    %m = arith.remui %i, %c3 : index
    %d = scf.index_switch %m -> i32
    case 0 {
      %x = arith.constant 7 : i32
      scf.yield %x : i32
    }
    case 2 {
      %x = arith.constant 9 : i32
      scf.yield %x : i32
    }
    default {
      %x = arith.constant 8 : i32
      scf.yield %x : i32
    }
    %b = arith.muli %a, %ten : i32
    %e = arith.addi %b, %d : i32
    scf.yield %e : i32
  }
  return %r : i32
}
// eval: @switch_in_loop(0) == 0
// eval: @switch_in_loop(4) == 7897

// Parallel loops become loops one in the other; a reduction is carried.
func.func @parallel(%n: index, %m: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %m) step (%c2, %c1) init (%c0, %c1) -> (index, index) {
    %x = arith.addi %i, %j : index
    scf.reduce(%x, %j : index, index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }, {
    ^bb0(%a: index, %b: index):
      %p = arith.muli %a, %b : index
      scf.reduce.return %p : index
    }
  }
  return %r#0, %r#1 : index, index
}
// eval: @parallel(0, 5) == (0, 1)
// eval: @parallel(5, 1) == (0, 1)
// eval: @parallel(3, 4) == (18, 36)
