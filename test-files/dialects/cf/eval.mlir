// test: opt --pipeline="func.func(canonicalize, cse, dce)"
// rule: switch_pass_through

// A loop of blocks.
func.func @power(%x: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  cf.br ^head(%n, %c1 : i32, i32)
^head(%left: i32, %product: i32):
  %more = arith.cmpi sgt, %left, %c0 : i32
  cf.cond_br %more, ^body, ^done
^body:
  %next = arith.muli %product, %x : i32
  %less = arith.subi %left, %c1 : i32
  cf.br ^head(%less, %next : i32, i32)
^done:
  return %product : i32
}
// eval: @power(3, 4) == 81
// eval: @power(2, 31) == -2147483648

func.func @asserted(%c: i1) -> i32 {
  cf.assert %c, "must hold"
  %c7 = arith.constant 7 : i32
  return %c7 : i32
}
// eval: @asserted(true) == 7
// eval: @asserted(false) == trap E0311
// eval: @asserted(poison) == trap E0307

// Calls without end use up the depth that is allowed, not the stack.
func.func @deep(%x: i32) -> i32 {
  %r = call @deep(%x) : (i32) -> i32
  return %r : i32
}
// eval: @deep(1) == trap E0306

// One way of several, by value; what is not named goes the default way.
func.func @switch(%x: i8, %a: i32) -> i32 {
  %c7 = arith.constant 7 : i32
  cf.switch %x : i8, [
    default: ^given(%a : i32),
    1: ^one,
    -1: ^given(%c7 : i32),
    127: ^two(%a, %c7 : i32, i32)
  ]
^one:
  %c1 = arith.constant 1 : i32
  cf.br ^given(%c1 : i32)
^two(%p: i32, %q: i32):
  %s = arith.addi %p, %q : i32
  return %s : i32
^given(%r: i32):
  return %r : i32
}
// eval: @switch(0, 5) == 5
// eval: @switch(1, 5) == 1
// eval: @switch(-1, 5) == 7
// eval: @switch(127, 5) == 12
// eval: @switch(poison, 5) == trap E0307
