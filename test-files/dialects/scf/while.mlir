// test: opt --pipeline="func.func(canonicalize)"
// rule: while_condition_truth, while_invariant_args, while_invariant_results, while_same_comparison

// What is carried and never changes is not carried.
func.func @invariant(%x: i32, %n: i32, %k: i32) -> (i32, i32) {
  %r:2 = scf.while (%i = %x, %j = %k) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    %s = arith.addi %i, %j : i32
    scf.condition(%c) %s, %j : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %t = arith.addi %a, %b : i32
    scf.yield %t, %b : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// check: func.func @invariant
// next: %r = scf.while (%i = %x) : (i32) -> i32
// check: scf.condition(%c) %s : i32
// check: scf.yield %t : i32
// check: return %r, %k
// eval: @invariant(0, 10, 3) == (15, 3)

// What comes from outside, comes twice or is not read is not passed on.
func.func @results(%x: i32, %n: i32, %k: i32) -> (i32, i32) {
  %r:4 = scf.while (%i = %x, %u = %k) : (i32, i32) -> (i32, i32, i32, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    %p = arith.muli %i, %i : i32
    scf.condition(%c) %i, %p, %i, %k : i32, i32, i32, i32
  } do {
  ^bb0(%a: i32, %b: i32, %d: i32, %e: i32):
    %t = arith.addi %a, %d : i32
    %v = arith.addi %t, %e : i32
    scf.yield %v, %v : i32, i32
  }
  return %r#0, %r#3 : i32, i32
}
// check: func.func @results
// next: %r = scf.while (%i = %x) : (i32) -> i32
// not: muli
// check: scf.condition(%c) %i : i32
// check: return %r, %k
// eval: @results(1, 10, 2) == (10, 2)
// eval: @results(3, 0, 2) == (3, 2)

// The condition holds inside, and does not behind the loop.
func.func @truth(%x: i32, %n: i32) -> (i1, i32) {
  %r:2 = scf.while (%i = %x) : (i32) -> (i1, i32) {
    %c = arith.cmpi slt, %i, %n : i32
    scf.condition(%c) %c, %i : i1, i32
  } do {
  ^bb0(%a: i1, %b: i32):
    %less = arith.cmpi slt, %b, %n : i32
    %not = arith.cmpi sge, %b, %n : i32
    %one = arith.extui %a : i1 to i32
    %two = arith.extui %less : i1 to i32
    %none = arith.extui %not : i1 to i32
    %s = arith.addi %b, %one : i32
    %t = arith.addi %s, %two : i32
    %u = arith.addi %t, %none : i32
    scf.yield %u : i32
  }
  return %r#0, %r#1 : i1, i32
}
// check: func.func @truth
// check: scf.while (%i = %x) : (i32) -> i32
// not: sge
// eval: @truth(0, 3) == (false, 4)
