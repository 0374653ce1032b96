// Calls without an end: the interpreter gives up in order.
// test: opt --pipeline="func.func(canonicalize)"

func.func @endless(%a: i32) -> i32 {
  %r = call @endless(%a) : (i32) -> i32
  %s = arith.addi %r, %a : i32
  return %s : i32
}
// eval: @endless(1) == trap E0306

// Deep, and with an end.
func.func @deep(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %done = arith.cmpi eq, %n, %zero : i32
  %r = scf.if %done -> (i32) {
    scf.yield %zero : i32
  } else {
    %m = arith.subi %n, %one : i32
    %p = func.call @deep(%m) : (i32) -> i32
    %q = arith.addi %p, %one : i32
    scf.yield %q : i32
  }
  return %r : i32
}
// eval: @deep(100) == 100
// check: func.func @deep
