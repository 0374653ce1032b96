// test: opt --pipeline=sccp

// One way only: the branch leads to ^yes, and what the other would bring counts for nothing.
func.func @branch(%a: i32) -> i32 {
  %c = arith.constant true
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^yes, ^no(%a : i32)
^yes:
  cf.br ^no(%one : i32)
^no(%r: i32):
  return %r : i32
}
// check: func.func @branch
// check: ^no(%r: i32):
// next: return %one : i32
// eval: @branch(7) == 1

// A loop that hands on what it got.
func.func @ring(%n: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%c3, %c0 : i32, i32)
^head(%x: i32, %i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^done
^body:
  %y = arith.muli %x, %c1 : i32
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%y, %j : i32, i32)
^done:
  return %x, %i : i32, i32
}
// check: func.func @ring
// check: ^body:
// next: %j = arith.addi %i, %c1
// next: cf.br ^head(%c3, %j
// check: return %c3, %i
// eval: @ring(4) == (3, 4)

// Regions: both ways of the condition give the same, the loop keeps what it starts with.
func.func @regions(%c: i1, %n: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %x = scf.if %c -> i32 {
    %s = arith.addi %two, %three : i32
    scf.yield %s : i32
  } else {
    scf.yield %five : i32
  }
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> i32 {
    %t = arith.subi %v, %two : i32
    %u = arith.addi %t, %two : i32
    scf.yield %u : i32
  }
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> i32 {
    %t = arith.addi %v, %two : i32
    scf.yield %t : i32
  }
  return %x, %y, %z : i32, i32, i32
}
// check: func.func @regions
// not: scf.if
// check: %z = scf.for
// next: %t = arith.addi %v, %two
// check: return %five, %five, %z
// eval: @regions(true, 3) == (5, 5, 11)

// All callers give the same: the argument is that, and so is what comes back. A user outside may call @public.
func.func private @same(%x: i32, %y: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %r = arith.addi %x, %c1 : i32
  return %r : i32
}
// check: func.func private @same
// check: %r = arith.constant 3 : i32
// check: return %r : i32
func.func @public(%x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %a = func.call @same(%c2, %x) : (i32, i32) -> i32
  %b = func.call @same(%c2, %a) : (i32, i32) -> i32
  %c = func.call @public(%c2) : (i32) -> i32
  %r = arith.addi %b, %x : i32
  return %r : i32
}
// check: func.func @public(%x: i32)
// check: %a = arith.constant 3 : i32
// check: call @same(%c2, %x)
// next: %b = call @same(%c2, %a)
// next: call @public
// next: %r = arith.addi %a, %x

// An unknown op may lead anywhere and give anything.
func.func @unknown(%m: memref<?xi32>, %i: index) -> i32 {
  %c1 = arith.constant 1 : i32
  %v = memref.load %m[%i] : memref<?xi32>
  cf.switch %v : i32, [
    default: ^end(%c1 : i32),
    2: ^end(%v : i32)
  ]
^end(%r: i32):
  return %r : i32
}
// check: func.func @unknown
// check: ^end(%r: i32):
// next: return %r

// Recursion without end: nothing is ever returned, and nothing is claimed of it.
func.func private @endless() -> i32 {
  %r = func.call @endless() : () -> i32
  return %r : i32
}
// check: func.func private @endless
// next: %r = call @endless
// next: return %r
func.func @calls_it() -> i32 {
  %r = func.call @endless() : () -> i32
  return %r : i32
}
