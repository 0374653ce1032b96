// test: opt --pipeline="builtin.module(func.func(canonicalize))"
// rule: execute_region_blocks, execute_region_one_block, for_carried, if_after_if, if_condition_truth, if_of_if
// rule: if_of_not, if_result_to_select, index_switch_unused_results, parallel_of_parallel, parallel_one_trip
// rule: execute_region_unused_results, parallel_zero_trips

// Values from outside need no branch; equal ones no choice either.
func.func @choose(%c: i1, %m: memref<i32>, %a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    memref.store %a, %m[] : memref<i32>
    scf.yield %a, %b : i32, i32
  } else {
    scf.yield %b, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
func.func @chosen(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %m = memref.alloca() : memref<i32>
  %r:2 = call @choose(%c, %m, %a, %b) : (i1, memref<i32>, i32, i32) -> (i32, i32)
  return %r#0, %r#1 : i32, i32
}
// check: func.func @choose
// next: arith.select %c, %a, %b
// next: scf.if %c {
// next: memref.store
// next: }
// next: return
// eval: @chosen(true, 1, 2) == (1, 2)
// eval: @chosen(false, 1, 2) == (2, 2)

// Two in a row are one, also on the opposite condition.
func.func @rows(%c: i1, %a: i32) -> i32 {
  %true = arith.constant true
  %m = memref.alloca() : memref<i32>
  %n = arith.xori %c, %true : i1
  %x = scf.if %c -> (i32) {
    memref.store %a, %m[] : memref<i32>
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  } else {
    scf.yield %a : i32
  }
  scf.if %n {
    memref.store %x, %m[] : memref<i32>
  }
  %z = scf.if %c -> (i32) {
    %l = memref.load %m[] : memref<i32>
    %p = arith.muli %l, %x : i32
    scf.yield %p : i32
  } else {
    %l = memref.load %m[] : memref<i32>
    scf.yield %l : i32
  }
  return %z : i32
}
// check: func.func @rows
// check: scf.if %c
// not: scf.if
// eval: @rows(true, 3) == 18
// eval: @rows(false, 3) == 3

// Inside, the condition is known.
func.func @known(%c: i1, %m: memref<i32>) -> i1 {
  %r = scf.if %c -> (i1) {
    scf.if %c {
      %one = arith.constant 1 : i32
      memref.store %one, %m[] : memref<i32>
    } else {
      %two = arith.constant 2 : i32
      memref.store %two, %m[] : memref<i32>
    }
    scf.yield %c : i1
  } else {
    scf.yield %c : i1
  }
  return %r : i1
}
// check: func.func @known
// check: scf.if %c {
// next: memref.store %one
// next: }
// next: return %c

// A condition that is all of another one's region.
func.func @both(%c: i1, %d: i1, %m: memref<i32>, %a: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %i = scf.if %d -> (i32) {
      memref.store %a, %m[] : memref<i32>
      %s = arith.addi %a, %a : i32
      scf.yield %s : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %i : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}
// check: func.func @both
// next: arith.andi %c, %d
// next: scf.if
// not: scf.if

func.func @exchange(%c: i1, %m: memref<i32>, %a: i32, %b: i32) {
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  scf.if %n {
    memref.store %a, %m[] : memref<i32>
  } else {
    memref.store %b, %m[] : memref<i32>
  }
  return
}
// check: func.func @exchange
// next: scf.if %c {
// next: memref.store %b
// next: } else {
// next: memref.store %a

// What is carried and does not change, is not read, or is another one, is not carried.
func.func @carried(%n: index, %a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:5 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a, %u = %a, %v = %b) -> (i32, i32, i32, i32, i32) {
    %s = arith.addi %z, %x : i32
    scf.yield %x, %b, %s, %s, %s : i32, i32, i32, i32, i32
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, i32, i32, i32
}
// check: func.func @carried
// check: scf.for %i = %c0 to %n step %c1 iter_args(%z = %a) -> (i32) {
// next: %s = arith.addi %z, %a
// check: return %a, %b, %0, %0
// eval: @carried(3, 5, 7) == (5, 7, 20, 20)
// eval: @carried(0, 5, 7) == (5, 7, 5, 5)

func.func @nothing(%n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    scf.yield %x : i32
  }
  return %r : i32
}
// check: func.func @nothing
// next: return %a
// eval: @nothing(3, 4) == 4

// Dimensions of one iteration go, empty loops too; what is reduced stays right.
func.func @boxes(%n: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %a = scf.parallel (%i, %j) = (%c0, %c2) to (%n, %c5) step (%c1, %c5) init (%c1) -> index {
    %s = arith.addi %i, %j : index
    scf.reduce(%s : index) {
    ^bb0(%x: index, %y: index):
      %t = arith.addi %x, %y : index
      scf.reduce.return %t : index
    }
  }
  %b = scf.parallel (%i) = (%c2) to (%c5) step (%c5) init (%n) -> index {
    scf.reduce(%i : index) {
    ^bb0(%x: index, %y: index):
      %t = arith.subi %x, %y : index
      scf.reduce.return %t : index
    }
  }
  %c = scf.parallel (%i, %j) = (%c0, %c5) to (%n, %c2) step (%c1, %c1) init (%c5) -> index {
    scf.reduce(%i : index) {
    ^bb0(%x: index, %y: index):
      %t = arith.muli %x, %y : index
      scf.reduce.return %t : index
    }
  }
  return %a, %b, %c : index, index, index
}
// check: func.func @boxes
// check: scf.parallel (%i) = (%c0) to (%n)
// next: arith.addi %i, %c2
// not: scf.parallel
// check: return %a, %{{.*}}, %c5
// eval: @boxes(3) == (10, 1, 5)

// A loop that is all of another one's body makes one box.
func.func @nested(%m: memref<?x?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c1) to (%n) step (%c1) {
      memref.store %i, %m[%i, %j] : memref<?x?xindex>
      scf.reduce
    }
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      memref.store %i, %m[%i, %j] : memref<?x?xindex>
      scf.reduce
    }
    scf.reduce
  }
  return
}
// check: func.func @nested
// check: scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c1, %c1) {
// check: scf.parallel (%i) = (%c0) to (%n)
// next: scf.parallel (%j) = (%c0) to (%i)

func.func @regions(%c: i1, %a: i32) -> (i32, i32) {
  %x = scf.execute_region -> i32 {
    %s = arith.addi %a, %a : i32
    scf.yield %s : i32
  }
  %y = scf.execute_region -> i32 {
    cf.cond_br %c, ^yes, ^no
  ^yes:
    %s = arith.muli %a, %a : i32
    scf.yield %s : i32
  ^no:
    %t = arith.subi %a, %x : i32
    scf.yield %t : i32
  }
  return %x, %y : i32, i32
}
// check: func.func @regions
// not: scf
// eval: @regions(true, 3) == (6, 9)
// eval: @regions(false, 3) == (6, -3)

func.func @cases(%n: index, %a: i32) -> i32 {
  %r:2 = scf.index_switch %n -> i32, i32
  case 2 {
    scf.yield %a, %a : i32, i32
  }
  default {
    %x = arith.addi %a, %a : i32
    %y = arith.muli %a, %a : i32
    scf.yield %x, %y : i32, i32
  }
  return %r#1 : i32
}
// check: func.func @cases
// next: scf.index_switch %n -> i32
// not: arith.addi
// eval: @cases(2, 5) == 5
// eval: @cases(1, 5) == 25

// What a loop gives becomes known only once what is inside is simple; an empty loop goes with what it was for.
func.func @late(%a: i32, %c: i1) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%i = %c0, %x = %a) : (index, i32) -> (index, i32) {
    %n = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %i, %c3 : index
    scf.condition(%more) %n, %x : index, i32
  } do {
  ^bb0(%j: index, %y: i32):
    %z = arith.addi %y, %zero : i32
    %w = scf.if %c -> (i32) {
      scf.yield %z : i32
    } else {
      scf.yield %y : i32
    }
    scf.yield %j, %w : index, i32
  }
  %u = scf.execute_region -> i32 {
    scf.for %i = %c0 to %c3 step %c1 {
      %t = arith.addi %i, %i : index
    }
    scf.yield %a : i32
  }
  return %r#1, %u : i32, i32
}
// check: func.func @late
// next: return %a, %a
// eval: @late(5, true) == (5, 5)

func.func @unused(%n: index, %c: i1, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (i32) {
    %u:2 = scf.execute_region -> (i32, i32) {
      cf.cond_br %c, ^yes, ^no
    ^yes:
      %s = arith.muli %x, %x : i32
      scf.yield %s, %x : i32, i32
    ^no:
      %t = arith.subi %x, %a : i32
      %v = arith.addi %t, %t : i32
      scf.yield %v, %t : i32, i32
    }
    scf.yield %u#1 : i32
  }
  return %r : i32
}
// check: func.func @unused
// check: scf.execute_region -> i32 {
// not: arith.muli
// eval: @unused(2, true, 5) == 5
// eval: @unused(2, false, 5) == -5
