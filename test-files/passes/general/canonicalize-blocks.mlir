// Blocks that nothing reaches go, those with one way in are joined, and conditions that are known decide.
// test: opt --pipeline="func.func(canonicalize)"

func.func @unreachable(%a: i32) -> i32 {
  return %a : i32
^never(%x: i32):
  %y = arith.addi %x, %a : i32
  cf.br ^never(%y : i32)
}
// check: func.func @unreachable(%a: i32)
// next: return %a
// next: }
// eval: @unreachable(3) == 3

func.func @chain(%a: i32) -> i32 {
  cf.br ^one(%a : i32)
^one(%x: i32):
  %y = arith.muli %x, %x : i32
  cf.br ^two(%y : i32)
^two(%z: i32):
  %w = arith.addi %z, %a : i32
  cf.br ^three
^three:
  return %w : i32
}
// check: func.func @chain(%a: i32)
// next: arith.muli %a, %a
// next: arith.addi
// next: return
// eval: @chain(5) == 30

func.func @known(%a: i32, %b: i32) -> i32 {
  %t = arith.constant false
  cf.cond_br %t, ^yes, ^no
^yes:
  return %a : i32
^no:
  return %b : i32
}
// check: func.func @known(%a: i32, %b: i32)
// next: return %b
// eval: @known(1, 2) == 2

// A choice of two values is no choice of two blocks.
func.func @select(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^end(%a : i32), ^end(%b : i32)
^end(%r: i32):
  return %r : i32
}
// check: func.func @select
// next: arith.select %c, %a, %b
// next: return
// eval: @select(true, 1, 2) == 1
// eval: @select(false, 1, 2) == 2

// In the block of a truth the condition is true.
func.func @truth(%c: i1) -> (i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  cf.cond_br %c, ^yes, ^no
^yes:
  return %c, %t : i1, i1
^no:
  return %f, %c : i1, i1
}
// eval: @truth(true) == (true, true)
// eval: @truth(false) == (false, false)

// A loop that a constant enters once, and that a constant ends.
func.func @loop(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %s: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body(%s : i32), ^end(%s : i32)
^body(%t: i32):
  %u = arith.addi %t, %i : i32
  %j = arith.addi %i, %one : i32
  cf.br ^head(%j, %u : i32, i32)
^end(%r: i32):
  return %r : i32
}
// check: func.func @loop
// check: cf.cond_br
// eval: @loop(0) == 0
// eval: @loop(5) == 10

func.func @switch(%a: i32, %b: i32) -> i32 {
  %k = arith.constant 7 : i32
  cf.switch %k : i32, [
    default: ^end(%a : i32),
    6: ^end(%a : i32),
    7: ^end(%b : i32)
  ]
^end(%r: i32):
  return %r : i32
}
// check: func.func @switch(%a: i32, %b: i32)
// next: return %b
// eval: @switch(1, 2) == 2
