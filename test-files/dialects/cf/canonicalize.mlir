// test: opt --pipeline="func.func(canonicalize)"
// rule: cond_br_const, cond_br_same, cond_br_pass_through, br_pass_through

// The way not taken is gone with its block.
func.func @const(%x: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^a, ^b
^a:
  return %x : i32
^b:
  %y = arith.addi %x, %x : i32
  return %y : i32
}
// eval: @const(7) == 7
// check: func.func @const
// not: arith.addi
// check: return %x

func.func @same(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a(%x : i32), ^a(%x : i32)
^a(%y: i32):
  return %y : i32
}
// eval: @same(true, 7) == 7
// check: func.func @same
// not: cond_br
// check: return %x

func.func @through(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^join(%x : i32)
^b:
  cf.br ^join(%y : i32)
^join(%z: i32):
  return %z : i32
}
// eval: @through(true, 1, 2) == 1
// eval: @through(false, 1, 2) == 2
// check: func.func @through
// check: cf.cond_br %c, ^{{.*}}(%x : i32), ^{{.*}}(%y : i32)

func.func @chain(%x: i32) -> i32 {
  cf.br ^a(%x : i32)
^a(%y: i32):
  cf.br ^b(%y : i32)
^b(%z: i32):
  return %z : i32
}
// eval: @chain(-3) == -3
// check: func.func @chain
// check: return %x

// A block with one predecessor that leads nowhere else is joined to it; one with two stays.
func.func @join(%c: i1, %x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.br ^next(%a : i32)
^next(%y: i32):
  %b = arith.muli %y, %x : i32
  cf.cond_br %c, ^next2, ^end(%b : i32)
^next2:
  %d = arith.subi %b, %x : i32
  cf.br ^end(%d : i32)
^end(%z: i32):
  return %z : i32
}
// check: func.func @join
// next: %a = arith.addi %x, %x
// next: %b = arith.muli %a, %x
// next: cf.cond_br
// eval: @join(true, 3) == 15
// eval: @join(false, 3) == 18

// Rings of empty blocks: who enters one stays there.
func.func @ring(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^end
^a:
  cf.br ^b
^b:
  cf.br ^a
^end:
  %one = arith.constant 1 : i32
  return %one : i32
}
// check: func.func @ring
// eval: @ring(false) == 1
