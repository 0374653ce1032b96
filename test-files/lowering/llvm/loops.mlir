// test: opt --pipeline="scf-parallel-to-calls,convert-scf-to-cf"
// not: scf.

// A sum carried by a loop.
func.func @triangle(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (index) {
    %next = arith.addi %acc, %i : index
    scf.yield %next : index
  }
  return %sum : index
}
// eval: @triangle(0) == 0
// eval: @triangle(1) == 0
// eval: @triangle(101) == 5050

// Two ways that meet, and a loop that stops by itself.
func.func @collatz(%n: i64) -> i64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %steps = %c0) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %c1 : i64
    scf.condition(%more) %x, %steps : i64, i64
  } do {
  ^bb0(%x: i64, %steps: i64):
    %rest = arith.remui %x, %c2 : i64
    %odd = arith.cmpi ne, %rest, %c0 : i64
    %next = scf.if %odd -> (i64) {
      %p = arith.muli %x, %c3 : i64
      %q = arith.addi %p, %c1 : i64
      scf.yield %q : i64
    } else {
      %h = arith.divui %x, %c2 : i64
      scf.yield %h : i64
    }
    %up = arith.addi %steps, %c1 : i64
    scf.yield %next, %up : i64, i64
  }
  return %r#1 : i64
}
// eval: @collatz(1) == 0
// eval: @collatz(27) == 111

// Values exchanged at each step: block arguments are assigned all at once.
func.func @fibonacci(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a0 = arith.constant 0 : i64
  %b0 = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %a0, %b = %b0) -> (i64, i64) {
    %s = arith.addi %a, %b : i64
    scf.yield %b, %s : i64, i64
  }
  return %r#0 : i64
}
// eval: @fibonacci(50) == 12586269025

// Calls, several results, recursion.
func.func private @divide(%a: i32, %b: i32) -> (i32, i32) {
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  return %q, %r : i32, i32
}
func.func @gcd(%a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %done = arith.cmpi eq, %b, %c0 : i32
  %g = scf.if %done -> (i32) {
    scf.yield %a : i32
  } else {
    %q, %r = func.call @divide(%a, %b) : (i32, i32) -> (i32, i32)
    %inner = func.call @gcd(%b, %r) : (i32, i32) -> i32
    scf.yield %inner : i32
  }
  return %g : i32
}
// eval: @gcd(91, 35) == 7
// eval: @gcd(97, 89) == 1

// A function chosen at run time.
func.func private @plus(%a: i8, %b: i8) -> i8 {
  %r = arith.addi %a, %b : i8
  return %r : i8
}
func.func private @times(%a: i8, %b: i8) -> i8 {
  %r = arith.muli %a, %b : i8
  return %r : i8
}
func.func @choose(%c: i1, %a: i8, %b: i8) -> i8 {
  %f = func.constant @plus : (i8, i8) -> i8
  %g = func.constant @times : (i8, i8) -> i8
  %h = arith.select %c, %f, %g : (i8, i8) -> i8
  %r = func.call_indirect %h(%a, %b) : (i8, i8) -> i8
  return %r : i8
}
// eval: @choose(true, 100, 100) == -56
// eval: @choose(false, 7, 11) == 77

// One block from two cases with different values.
func.func @switch(%x: i32) -> i32 {
  %a = arith.constant 10 : i32
  %b = arith.constant 20 : i32
  cf.switch %x : i32, [
    default: ^other,
    -3: ^join(%a : i32),
    42: ^join(%b : i32),
    7: ^other
  ]
^other:
  cf.br ^join(%x : i32)
^join(%r: i32):
  return %r : i32
}
// eval: @switch(-3) == 10
// eval: @switch(42) == 20
// eval: @switch(7) == 7
// eval: @switch(8) == 8

// Powers of integers, one over them too.
func.func @powers(%x: i32, %n: i32) -> i32 {
  %r = math.ipowi %x, %n : i32
  return %r : i32
}
// eval: @powers(3, 5) == 243
// eval: @powers(-2, 31) == -2147483648
// eval: @powers(5, 0) == 1
// eval: @powers(1, -4) == 1
// eval: @powers(-1, -5) == -1
// eval: @powers(9, -1) == 0
