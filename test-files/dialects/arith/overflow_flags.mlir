// `nsw` and `nuw` promise that the exact result fits; where it does not, the result is poison.
// test: opt --pipeline="func.func(canonicalize)"

func.func @add(%a: i8, %b: i8) -> (i8, i8, i8) {
  %s = arith.addi %a, %b overflow<nsw> : i8
  %u = arith.addi %a, %b overflow<nuw> : i8
  %both = arith.addi %a, %b overflow<nsw, nuw> : i8
  return %s, %u, %both : i8, i8, i8
}
// eval: @add(100, 27) == (127, 127, 127)
// eval: @add(100, 28) == (poison, -128, poison)
// eval: @add(-1, 1) == (0, poison, poison)
// eval: @add(-128, -1) == (poison, poison, poison)

func.func @sub(%a: i8, %b: i8) -> (i8, i8, i8) {
  %s = arith.subi %a, %b overflow<nsw> : i8
  %u = arith.subi %a, %b overflow<nuw> : i8
  %both = arith.subi %a, %b overflow<nsw, nuw> : i8
  return %s, %u, %both : i8, i8, i8
}
// eval: @sub(5, 5) == (0, 0, 0)
// eval: @sub(0, 1) == (-1, poison, poison)
// eval: @sub(-128, 1) == (poison, 127, poison)
// eval: @sub(127, -1) == (poison, poison, poison)

func.func @mul(%a: i8, %b: i8) -> (i8, i8, i8) {
  %s = arith.muli %a, %b overflow<nsw> : i8
  %u = arith.muli %a, %b overflow<nuw> : i8
  %both = arith.muli %a, %b overflow<nsw, nuw> : i8
  return %s, %u, %both : i8, i8, i8
}
// eval: @mul(11, 11) == (121, 121, 121)
// eval: @mul(16, 8) == (poison, -128, poison)
// eval: @mul(-1, -1) == (1, poison, poison)
// eval: @mul(-128, -1) == (poison, poison, poison)

// A shift left keeps the sign bit with `nsw`, and loses no one bit with `nuw`.
func.func @shl(%a: i8, %b: i8) -> (i8, i8, i8) {
  %s = arith.shli %a, %b overflow<nsw> : i8
  %u = arith.shli %a, %b overflow<nuw> : i8
  %plain = arith.shli %a, %b : i8
  return %s, %u, %plain : i8, i8, i8
}
// eval: @shl(63, 1) == (126, 126, 126)
// eval: @shl(64, 1) == (poison, -128, -128)
// eval: @shl(-64, 1) == (-128, poison, -128)
// eval: @shl(-128, 1) == (poison, poison, 0)
// eval: @shl(1, 8) == (poison, poison, poison)

// `index` overflows at 64 bits.
func.func @index(%a: index, %b: index) -> (index, index) {
  %s = arith.addi %a, %b overflow<nsw> : index
  %u = arith.addi %a, %b overflow<nuw> : index
  return %s, %u : index, index
}
// eval: @index(9223372036854775807, 1) == (poison, -9223372036854775808)
// eval: @index(-1, 1) == (0, poison)

// One bit: 1 is −1, so that −1 + −1 = −2 does not fit.
func.func @one_bit(%a: i1, %b: i1) -> (i1, i1) {
  %s = arith.addi %a, %b overflow<nsw> : i1
  %u = arith.addi %a, %b overflow<nuw> : i1
  return %s, %u : i1, i1
}
// eval: @one_bit(true, false) == (true, true)
// eval: @one_bit(true, true) == (poison, poison)

// Each element for itself.
func.func @vector(%a: vector<3xi8>, %b: vector<3xi8>) -> vector<3xi8> {
  %s = arith.addi %a, %b overflow<nsw> : vector<3xi8>
  return %s : vector<3xi8>
}
// eval: @vector([127, 1, -128], [1, 1, -1]) == [poison, 2, poison]

// Cut off bits that are not the sign, or not zero.
func.func @trunc(%a: i16) -> (i8, i8, i8) {
  %s = arith.trunci %a overflow<nsw> : i16 to i8
  %u = arith.trunci %a overflow<nuw> : i16 to i8
  %plain = arith.trunci %a : i16 to i8
  return %s, %u, %plain : i8, i8, i8
}
// eval: @trunc(127) == (127, 127, 127)
// eval: @trunc(128) == (poison, -128, -128)
// eval: @trunc(-1) == (-1, poison, -1)
// eval: @trunc(256) == (poison, poison, 0)

// With a flag or without, what can be poison is never folded to a number that it is not.
func.func @folded() -> (i8, i8) {
  %a = arith.constant 127 : i8
  %one = arith.constant 1 : i8
  %s = arith.addi %a, %one overflow<nsw> : i8
  %t = arith.addi %a, %one : i8
  return %s, %t : i8, i8
}
// eval: @folded() == (poison, -128)
