// test: opt --pipeline="func.func(cse)"

// Equal ops are one, operands swapped or not.
func.func @equal(%a: i32, %b: i32) -> (i32, i32, i32) {
  %x = arith.addi %a, %b : i32
  %y = arith.addi %b, %a : i32
  %z = arith.subi %a, %b : i32
  %w = arith.subi %b, %a : i32
  %s = arith.addi %z, %w : i32
  return %x, %y, %s : i32, i32, i32
}
// eval: @equal(9, 4) == (13, 13, 0)
// check: func.func @equal
// next: %x = arith.addi %a, %b
// next: %z = arith.subi %a, %b
// next: %w = arith.subi %b, %a
// next: %s = arith.addi %z, %w
// next: return %x, %x, %s

// Another flag is another op.
func.func @flags(%a: i32, %b: i32) -> (i32, i32) {
  %x = arith.addi %a, %b overflow<nsw> : i32
  %y = arith.addi %a, %b : i32
  return %x, %y : i32, i32
}
// eval: @flags(9, 4) == (13, 13)
// eval: @flags(2147483647, 1) == (poison, -2147483648)
// check: func.func @flags
// check: arith.addi
// next: arith.addi

// What dominates may be used below; a sibling may not.
func.func @scopes(%c: i1, %a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  %r = scf.if %c -> (i32) {
    %y = arith.addi %a, %a : i32
    %m = arith.muli %a, %y : i32
    scf.yield %m : i32
  } else {
    %m = arith.muli %a, %x : i32
    scf.yield %m : i32
  }
  return %r : i32
}
// eval: @scopes(true, 3) == 18
// eval: @scopes(false, 3) == 18
// check: func.func @scopes
// check: %x = arith.addi
// not: arith.addi
// check: arith.muli %a, %x
// check: arith.muli %a, %x
// check: return

// The same along a control flow graph.
func.func @blocks(%c: i1, %a: i32) -> i32 {
  %x = arith.addi %a, %a : i32
  cf.cond_br %c, ^l, ^r
^l:
  %y = arith.addi %a, %a : i32
  return %y : i32
^r:
  return %x : i32
}
// eval: @blocks(true, 3) == 6
// eval: @blocks(false, 3) == 6
// check: func.func @blocks
// check: %x = arith.addi
// not: arith.addi
// check: return %x
// check: return %x
