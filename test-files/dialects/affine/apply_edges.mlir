// Quotients round down or up, and `mod` is never negative, on both sides of zero.
// test: opt --pipeline="func.func(canonicalize)"
// test: opt --pipeline="func.func(lower-affine)"

func.func @quotients(%i: index) -> (index, index, index, index, index, index) {
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 ceildiv 3)>(%i)
  %c = affine.apply affine_map<(d0) -> (d0 mod 3)>(%i)
  %d = affine.apply affine_map<(d0) -> (d0 floordiv 1)>(%i)
  %e = affine.apply affine_map<(d0) -> (d0 ceildiv 1)>(%i)
  %f = affine.apply affine_map<(d0) -> (d0 mod 1)>(%i)
  return %a, %b, %c, %d, %e, %f : index, index, index, index, index, index
}
// eval: @quotients(0) == (0, 0, 0, 0, 0, 0)
// eval: @quotients(1) == (0, 1, 1, 1, 1, 0)
// eval: @quotients(2) == (0, 1, 2, 2, 2, 0)
// eval: @quotients(3) == (1, 1, 0, 3, 3, 0)
// eval: @quotients(-1) == (-1, 0, 2, -1, -1, 0)
// eval: @quotients(-2) == (-1, 0, 1, -2, -2, 0)
// eval: @quotients(-3) == (-1, -1, 0, -3, -3, 0)
// eval: @quotients(-4) == (-2, -1, 2, -4, -4, 0)
// eval: @quotients(9223372036854775807) == (3074457345618258602, 3074457345618258603, 1, 9223372036854775807, 9223372036854775807, 0)

// i = (i floordiv n) · n + i mod n, for every n that is a size.
func.func @recombined(%i: index, %n: index) -> (index, index) {
  %q = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%i)[%n]
  %r = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%i)[%n]
  %p = arith.muli %q, %n : index
  %s = arith.addi %p, %r : index
  return %s, %r : index, index
}
// eval: @recombined(17, 5) == (17, 2)
// eval: @recombined(-17, 5) == (-17, 3)
// eval: @recombined(-1, 1) == (-1, 0)
// eval: @recombined(6, 7) == (6, 6)

// Quotients in quotients, and in products.
func.func @nested(%i: index, %j: index) -> (index, index) {
  %a = affine.apply affine_map<(d0, d1) -> ((d0 floordiv 4) mod 3 + d1 * 2)>(%i, %j)
  %b = affine.apply affine_map<(d0, d1) -> (((d0 + d1) mod 8) floordiv 2 - d1)>(%i, %j)
  return %a, %b : index, index
}
// eval: @nested(11, 1) == (4, 1)
// eval: @nested(-5, 0) == (1, 1)
// eval: @nested(-5, -3) == (-5, 3)

// Maps of several results become several applies; each takes one.
func.func @symbols_only(%n: index, %m: index) -> index {
  %a = affine.apply affine_map<()[s0, s1] -> (s0 * 3 - s1 * 2 + 7)>()[%n, %m]
  return %a : index
}
// eval: @symbols_only(0, 0) == 7
// eval: @symbols_only(1, 5) == 0
// eval: @symbols_only(-1, -1) == 6

func.func @constant() -> index {
  %a = affine.apply affine_map<() -> (42)>()
  return %a : index
}
// eval: @constant() == 42

// The same operand in two places.
func.func @twice(%i: index) -> (index, index) {
  %a = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%i, %i)
  %b = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1 * -4)>(%i, %i)
  return %a, %b : index, index
}
// eval: @twice(9) == (0, 9)
// eval: @twice(-9) == (0, -9)

func.func @extremes(%i: index, %n: index) -> (index, index, index) {
  %a = affine.min affine_map<(d0)[s0] -> (d0, s0, -d0, 10)>(%i)[%n]
  %b = affine.max affine_map<(d0)[s0] -> (d0, s0, -d0, -10)>(%i)[%n]
  %c = affine.min affine_map<(d0)[s0] -> (s0 - d0 * 4, 4)>(%i)[%n]
  return %a, %b, %c : index, index, index
}
// eval: @extremes(0, 0) == (0, 0, 0)
// eval: @extremes(3, 14) == (-3, 14, 2)
// eval: @extremes(-20, 5) == (-20, 20, 4)
// eval: @extremes(12, -30) == (-30, 12, -78)
