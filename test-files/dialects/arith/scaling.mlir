// test: round-trip

// A scale is a power of two, with no sign and no zero.
func.func @widen(%a: vector<2xf4E2M1FN>, %s: f8E8M0FNU) -> vector<2xf32> {
  %r = arith.scaling_extf %a, %s : vector<2xf4E2M1FN>, f8E8M0FNU to vector<2xf32>
  return %r : vector<2xf32>
}
// eval: @widen([1.5, -6.0], 4.0) == [6.0, -24.0]

func.func @narrow(%a: f32, %s: f32) -> (f8E5M2, f8E5M2) {
  %r = arith.scaling_truncf %a, %s : f32, f32 to f8E5M2
  %u = arith.scaling_truncf %a, %s to_nearest_even : f32, f32 to f8E5M2
  return %r, %u : f8E5M2, f8E5M2
}
// eval: @narrow(20.0, 4.0) == (5.0, 5.0)
// eval: @narrow(18.0, 4.0) == (4.0, 4.0)
