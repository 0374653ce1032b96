// `if`, `index_switch`, `while` and `execute_region`: each of their ways out.
// test: opt --pipeline="func.func(canonicalize,cse)"
// test: opt --pipeline="convert-scf-to-cf"

func.func @nested(%a: i1, %b: i1) -> i32 {
  %r = scf.if %a -> (i32) {
    %s = scf.if %b -> (i32) {
      %x = arith.constant 11 : i32
      scf.yield %x : i32
    } else {
      %x = arith.constant 10 : i32
      scf.yield %x : i32
    }
    scf.yield %s : i32
  } else {
    %s = scf.if %b -> (i32) {
      %x = arith.constant 1 : i32
      scf.yield %x : i32
    } else {
      %x = arith.constant 0 : i32
      scf.yield %x : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
// eval: @nested(false, false) == 0
// eval: @nested(false, true) == 1
// eval: @nested(true, false) == 10
// eval: @nested(true, true) == 11

// Only the region that is taken runs: the other one would divide by zero.
func.func @guarded(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %fine = arith.cmpi ne, %b, %zero : i32
  %r = scf.if %fine -> (i32) {
    %q = arith.divsi %a, %b : i32
    scf.yield %q : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
// eval: @guarded(7, 2) == 3
// eval: @guarded(7, 0) == 0

// Without a second region nothing happens.
func.func @effect(%c: i1) -> i32 {
  %m = memref.alloca() : memref<i32>
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  memref.store %one, %m[] : memref<i32>
  scf.if %c {
    memref.store %two, %m[] : memref<i32>
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// eval: @effect(false) == 1
// eval: @effect(true) == 2

func.func @swapped(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  %r:2 = scf.if %c -> (i32, i32) {
    scf.yield %b, %a : i32, i32
  } else {
    scf.yield %a, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// eval: @swapped(true, 1, 2) == (2, 1)
// eval: @swapped(false, 1, 2) == (1, 2)

// Cases at the ends of the type, and none but the default.
func.func @ends(%i: index) -> i32 {
  %r = scf.index_switch %i -> i32
  case 9223372036854775807 {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }
  case -9223372036854775808 {
    %x = arith.constant 2 : i32
    scf.yield %x : i32
  }
  case 0 {
    %x = arith.constant 3 : i32
    scf.yield %x : i32
  }
  default {
    %x = arith.constant 4 : i32
    scf.yield %x : i32
  }
  return %r : i32
}
// eval: @ends(9223372036854775807) == 1
// eval: @ends(-9223372036854775808) == 2
// eval: @ends(0) == 3
// eval: @ends(-1) == 4

func.func @default_only(%i: index, %a: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  default {
    scf.yield %a : i32
  }
  return %r : i32
}
// eval: @default_only(0, 5) == 5
// eval: @default_only(-1, 5) == 5

func.func @switch_effect(%i: index) -> i32 {
  %m = memref.alloca() : memref<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  memref.store %zero, %m[] : memref<i32>
  scf.index_switch %i
  case 3 {
    memref.store %one, %m[] : memref<i32>
    scf.yield
  }
  default {
  }
  %r = memref.load %m[] : memref<i32>
  return %r : i32
}
// eval: @switch_effect(3) == 1
// eval: @switch_effect(2) == 0

// The first region runs once more than the second, and what it gives at last is the result.
func.func @while_gives(%n: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%a = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
    %b = arith.subi %a, %one : i32
    %m = arith.addi %k, %one : i32
    %more = arith.cmpi sge, %b, %zero : i32
    scf.condition(%more) %b, %m : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    scf.yield %x, %y : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// eval: @while_gives(0) == (-1, 1)
// eval: @while_gives(3) == (-1, 4)
// eval: @while_gives(-5) == (-6, 1)

// Types may differ between what comes in, what goes to the second region, and what comes back.
func.func @while_types(%n: i32) -> i64 {
  %zero = arith.constant 0 : i32
  %ten = arith.constant 10 : i64
  %one = arith.constant 1 : i32
  %r = scf.while (%a = %n) : (i32) -> i64 {
    %w = arith.extsi %a : i32 to i64
    %sq = arith.muli %w, %w : i64
    %more = arith.cmpi slt, %sq, %ten : i64
    scf.condition(%more) %sq : i64
  } do {
  ^bb0(%x: i64):
    %t = arith.trunci %x : i64 to i32
    %u = arith.addi %t, %one : i32
    scf.yield %u : i32
  }
  return %r : i64
}
// eval: @while_types(0) == 25
// eval: @while_types(4) == 16
// eval: @while_types(2147483647) == 4611686014132420609

// Division by subtraction: greatest common divisor.
func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %m = arith.remsi %x, %y : i32
    scf.yield %y, %m : i32, i32
  }
  return %r#0 : i32
}
// eval: @gcd(0, 0) == 0
// eval: @gcd(12, 18) == 6
// eval: @gcd(17, 5) == 1
// eval: @gcd(9, 0) == 9

// Several blocks where one op stands.
func.func @region(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r = scf.execute_region -> i32 {
    %neg = arith.cmpi slt, %a, %zero : i32
    cf.cond_br %neg, ^flip, ^keep
  ^flip:
    %n = arith.subi %zero, %a : i32
    scf.yield %n : i32
  ^keep:
    scf.yield %a : i32
  }
  return %r : i32
}
// eval: @region(-7) == 7
// eval: @region(7) == 7
// eval: @region(-2147483648) == -2147483648
