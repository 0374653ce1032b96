// Calls: several results, none, functions as values, depth, names that have to be quoted.
// test: opt --pipeline="builtin.module(canonicalize,inline,cse)"

func.func private @three(%a: i32) -> (i32, i64, f32) {
  %b = arith.extsi %a : i32 to i64
  %c = arith.sitofp %a : i32 to f32
  return %a, %b, %c : i32, i64, f32
}
func.func @kinds(%a: i32) -> (f32, i64, i32) {
  %r:3 = call @three(%a) : (i32) -> (i32, i64, f32)
  return %r#2, %r#1, %r#0 : f32, i64, i32
}
// eval: @kinds(-2147483648) == (-2147483648.0, -2147483648, -2147483648)

func.func private @nothing() {
  return
}
func.func @no_result(%a: i32) -> i32 {
  call @nothing() : () -> ()
  return %a : i32
}
// eval: @no_result(3) == 3

func.func private @"a name, quoted"(%a: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = arith.addi %a, %one : i32
  return %r : i32
}
func.func @quoted(%a: i32) -> i32 {
  %r = call @"a name, quoted"(%a) : (i32) -> i32
  return %r : i32
}
// eval: @quoted(1) == 2

func.func private @inc(%a: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = arith.addi %a, %one : i32
  return %r : i32
}
func.func private @dec(%a: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = arith.subi %a, %one : i32
  return %r : i32
}
func.func @chosen(%c: i1, %a: i32) -> i32 {
  %f = constant @inc : (i32) -> i32
  %g = constant @dec : (i32) -> i32
  %h = arith.select %c, %f, %g : (i32) -> i32
  %r = call_indirect %h(%a) : (i32) -> i32
  return %r : i32
}
// eval: @chosen(true, 10) == 11
// eval: @chosen(false, 10) == 9

func.func private @apply(%f: (i32) -> i32, %a: i32) -> i32 {
  %x = call_indirect %f(%a) : (i32) -> i32
  %y = call_indirect %f(%x) : (i32) -> i32
  return %y : i32
}
func.func @handed_on(%a: i32) -> i32 {
  %f = constant @dec : (i32) -> i32
  %r = call @apply(%f, %a) : ((i32) -> i32, i32) -> i32
  return %r : i32
}
// eval: @handed_on(10) == 8

// Ackermann's function: deep, and with a call as an argument of one.
func.func @ackermann(%m: i32, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m0 = arith.cmpi eq, %m, %zero : i32
  cf.cond_br %m0, ^add, ^test
^add:
  %p = arith.addi %n, %one : i32
  return %p : i32
^test:
  %k = arith.subi %m, %one : i32
  %n0 = arith.cmpi eq, %n, %zero : i32
  cf.cond_br %n0, ^first, ^second
^first:
  %q = call @ackermann(%k, %one) : (i32, i32) -> i32
  return %q : i32
^second:
  %l = arith.subi %n, %one : i32
  %r = call @ackermann(%m, %l) : (i32, i32) -> i32
  %s = call @ackermann(%k, %r) : (i32, i32) -> i32
  return %s : i32
}
// eval: @ackermann(0, 5) == 6
// eval: @ackermann(1, 5) == 7
// eval: @ackermann(2, 3) == 9
// eval: @ackermann(3, 3) == 61
