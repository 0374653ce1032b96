// Integers made wider, narrower, into an index and back.
// test: opt --pipeline="func.func(canonicalize)"

func.func @wider(%a: i8) -> (i16, i16, i64, i64) {
  %p = arith.extsi %a : i8 to i16
  %q = arith.extui %a : i8 to i16
  %r = arith.extsi %a : i8 to i64
  %s = arith.extui %a : i8 to i64
  return %p, %q, %r, %s : i16, i16, i64, i64
}
// eval: @wider(-1) == (-1, 255, -1, 255)
// eval: @wider(-128) == (-128, 128, -128, 128)
// eval: @wider(127) == (127, 127, 127, 127)

// One bit: −1 with its sign, 1 with zeros.
func.func @from_bit(%a: i1) -> (i8, i8, i64) {
  %p = arith.extsi %a : i1 to i8
  %q = arith.extui %a : i1 to i8
  %r = arith.extsi %a : i1 to i64
  return %p, %q, %r : i8, i8, i64
}
// eval: @from_bit(true) == (-1, 1, -1)
// eval: @from_bit(false) == (0, 0, 0)

func.func @narrower(%a: i64) -> (i1, i8, i16, i32) {
  %p = arith.trunci %a : i64 to i1
  %q = arith.trunci %a : i64 to i8
  %r = arith.trunci %a : i64 to i16
  %s = arith.trunci %a : i64 to i32
  return %p, %q, %r, %s : i1, i8, i16, i32
}
// eval: @narrower(-1) == (true, -1, -1, -1)
// eval: @narrower(9223372036854775807) == (true, -1, -1, -1)
// eval: @narrower(-9223372036854775808) == (false, 0, 0, 0)
// eval: @narrower(98432) == (false, -128, -32640, 98432)

// There and back is the value; the other way round bits are lost.
func.func @there_and_back(%a: i8, %w: i16) -> (i8, i8, i16, i16) {
  %p = arith.extsi %a : i8 to i16
  %q = arith.trunci %p : i16 to i8
  %r = arith.extui %a : i8 to i16
  %s = arith.trunci %r : i16 to i8
  %t = arith.trunci %w : i16 to i8
  %u = arith.extsi %t : i8 to i16
  %v = arith.extui %t : i8 to i16
  return %q, %s, %u, %v : i8, i8, i16, i16
}
// check: func.func @there_and_back
// check: return %a, %a,
// eval: @there_and_back(-128, 511) == (-128, -128, -1, 255)
// eval: @there_and_back(5, 128) == (5, 5, -128, 128)

// Zeros first, sign after: the top bit is zero by then.
func.func @twice(%a: i8) -> (i32, i32, i32) {
  %p = arith.extui %a : i8 to i16
  %q = arith.extsi %p : i16 to i32
  %r = arith.extsi %a : i8 to i16
  %s = arith.extui %r : i16 to i32
  %t = arith.extsi %r : i16 to i32
  return %q, %s, %t : i32, i32, i32
}
// check: func.func @twice
// check: arith.extui %a : i8 to i32
// check: arith.extsi %a : i8 to i32
// eval: @twice(-1) == (255, 65535, -1)

// From a middle width: what is cut off again was made from fewer bits, or from more.
func.func @through(%a: i8, %b: i16) -> (i12, i4, i4) {
  %p = arith.extsi %a : i8 to i32
  %q = arith.trunci %p : i32 to i12
  %r = arith.extui %b : i16 to i32
  %s = arith.trunci %r : i32 to i4
  %t = arith.extsi %a : i8 to i16
  %u = arith.trunci %t : i16 to i4
  return %q, %s, %u : i12, i4, i4
}
// eval: @through(-128, 255) == (-128, -1, 0)
// eval: @through(127, 16) == (127, 0, -1)

func.func @index(%a: i8, %i: index) -> (index, index, i8, i8, i128) {
  %p = arith.index_cast %a : i8 to index
  %q = arith.index_castui %a : i8 to index
  %r = arith.index_cast %i : index to i8
  %s = arith.index_castui %i : index to i8
  %t = arith.index_cast %i : index to i128
  return %p, %q, %r, %s, %t : index, index, i8, i8, i128
}
// eval: @index(-1, 255) == (-1, 255, -1, -1, 255)
// eval: @index(127, -128) == (127, 127, -128, -128, -128)
// eval: @index(0, 9223372036854775807) == (0, 0, -1, -1, 9223372036854775807)

func.func @index_from_bit(%a: i1) -> (index, index) {
  %p = arith.index_cast %a : i1 to index
  %q = arith.index_castui %a : i1 to index
  return %p, %q : index, index
}
// eval: @index_from_bit(true) == (-1, 1)
// eval: @index_from_bit(false) == (0, 0)

func.func @index_there_and_back(%i: index, %a: i32) -> (index, i32) {
  %p = arith.index_cast %i : index to i64
  %q = arith.index_cast %p : i64 to index
  %r = arith.index_cast %a : i32 to index
  %s = arith.index_cast %r : index to i32
  return %q, %s : index, i32
}
// eval: @index_there_and_back(-9223372036854775808, -2147483648) == (-9223372036854775808, -2147483648)
// eval: @index_there_and_back(4294967296, 2147483647) == (4294967296, 2147483647)

// Through 32 bits an index is not itself any more.
func.func @index_through_narrow(%i: index) -> index {
  %p = arith.index_cast %i : index to i32
  %q = arith.index_cast %p : i32 to index
  return %q : index
}
// check: func.func @index_through_narrow
// check: arith.index_cast
// eval: @index_through_narrow(4294967297) == 1
// eval: @index_through_narrow(2147483648) == -2147483648

func.func @elements(%a: vector<3xi8>) -> (vector<3xi16>, vector<3xi16>, vector<3xi1>) {
  %p = arith.extsi %a : vector<3xi8> to vector<3xi16>
  %q = arith.extui %a : vector<3xi8> to vector<3xi16>
  %r = arith.trunci %a : vector<3xi8> to vector<3xi1>
  return %p, %q, %r : vector<3xi16>, vector<3xi16>, vector<3xi1>
}
// eval: @elements([-1, 2, -127]) == ([-1, 2, -127], [255, 2, 129], [true, false, true])

func.func @folded() -> (i16, i16, i4, index, index) {
  %a = arith.constant -100 : i8
  %p = arith.extsi %a : i8 to i16
  %q = arith.extui %a : i8 to i16
  %r = arith.trunci %a : i8 to i4
  %s = arith.index_cast %a : i8 to index
  %t = arith.index_castui %a : i8 to index
  return %p, %q, %r, %s, %t : i16, i16, i4, index, index
}
// check: func.func @folded
// not: arith.ext
// not: arith.trunci
// not: arith.index_cast
// check: return
// eval: @folded() == (-100, 156, -4, -100, 156)
