// Poison of each kind of type, and places that nothing reaches.
// test: opt --pipeline="func.func(canonicalize)"

func.func @scalars() -> (i1, i64, index, f32) {
  %a = ub.poison : i1
  %b = ub.poison : i64
  %c = ub.poison : index
  %d = ub.poison : f32
  return %a, %b, %c, %d : i1, i64, index, f32
}
// eval: @scalars() == (poison, poison, poison, poison)

func.func @elements(%x: i32) -> vector<2xi32> {
  %p = ub.poison : vector<2xi32>
  %v = vector.insert %x, %p [1] : i32 into vector<2xi32>
  return %v : vector<2xi32>
}
// eval: @elements(3) == [poison, 3]

// Poison that is only computed with and not used does nothing.
func.func @unused(%x: i32) -> i32 {
  %p = ub.poison : i32
  %q = arith.addi %p, %x : i32
  return %x : i32
}
// check: func.func @unused(%x: i32)
// next: return %x
// eval: @unused(4) == 4

func.func @reached(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^fine, ^never
^fine:
  return %x : i32
^never:
  ub.unreachable
}
// eval: @reached(true, 5) == 5
// check: func.func @reached(%c: i1, %x: i32)
// next: return %x
