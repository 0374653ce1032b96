// test: opt --pipeline="func.func(canonicalize)"
// rule: cond_br_const, cond_br_same, cond_br_pass_through, br_pass_through, cond_br_to_select, cond_br_truth, cond_br_unreachable, assert_true

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
// next: %z = arith.select %c, %x, %y

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

// One block that nobody else leads to: values are chosen instead of ways.
func.func @choose(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^x(%a, %b : i32, i32), ^x(%b, %b : i32, i32)
^x(%y: i32, %z: i32):
  %w = arith.subi %y, %z : i32
  return %w : i32
}
// check: func.func @choose
// next: arith.select %c, %a, %b
// next: arith.subi
// next: return
// eval: @choose(true, 7, 2) == 5
// eval: @choose(false, 7, 2) == 0

// Where only one way leads, the condition is known.
func.func @known(%c: i1, %m: memref<i32>, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^p, ^q
^p:
  memref.store %a, %m[] : memref<i32>
  cf.cond_br %c, ^r, ^s
^q:
  memref.store %b, %m[] : memref<i32>
  cf.cond_br %c, ^r, ^s
^r:
  return %a : i32
^s:
  return %b : i32
}
func.func @known_too(%c: i1, %a: i32, %b: i32) -> i32 {
  %m = memref.alloca() : memref<i32>
  %r = call @known(%c, %m, %a, %b) : (i1, memref<i32>, i32, i32) -> i32
  return %r : i32
}
// check: func.func @known
// next: cf.cond_br
// not: cf.cond_br
// eval: @known_too(true, 1, 2) == 1
// eval: @known_too(false, 1, 2) == 2

// What is passed around only to compute itself goes.
func.func @for_itself(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^l(%zero, %n : i32, i32)
^l(%i: i32, %x: i32):
  %y = arith.muli %x, %x : i32
  %z = arith.addi %y, %i : i32
  %j = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %j, %n : i32
  cf.cond_br %more, ^l(%j, %z : i32, i32), ^e
^e:
  return %j : i32
}
// check: func.func @for_itself
// check: cf.br ^l(%zero : i32)
// not: arith.muli
// eval: @for_itself(5) == 5

// A way that is never taken, an assertion that holds, a block that became empty.
func.func @plain(%c: i1, %a: i32) -> i32 {
  %true = arith.constant true
  cf.assert %true, "holds"
  cf.cond_br %c, ^never, ^go
^never:
  ub.unreachable
^go:
  %d = arith.cmpi slt, %a, %a : i32
  %e = arith.xori %d, %c : i1
  cf.cond_br %e, ^x, ^y
^x:
  %unused = arith.addi %a, %a : i32
  cf.br ^z
^y:
  cf.br ^z
^z:
  return %a : i32
}
// check: func.func @plain
// next: return %a
// eval: @plain(false, 3) == 3

// What cannot be reached may use itself: it goes before a rule sees it.
func.func @never(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  return %x : i32
^dead:
  %d = arith.addi %d, %one : i32
  cf.br ^dead
}
// eval: @never(7) == 7
// check: func.func @never
// not: arith
// check: return %x

// The same in a region inside.
func.func @never_inside(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %y = scf.execute_region -> i32 {
    scf.yield %x : i32
  ^dead:
    %d = arith.muli %d, %one : i32
    %e = arith.addi %d, %e : i32
    cf.br ^dead
  }
  return %y : i32
}
// eval: @never_inside(7) == 7
// check: func.func @never_inside
// not: arith
// check: return %x
