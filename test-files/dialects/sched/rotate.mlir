// test: round-trip
// Lanes that move by a number that is known when the program runs: the last become the first.
// eval: @floats(0) == 1.0
// eval: @floats(1) == 3.0
// eval: @floats(2) == 2.0
// eval: @floats(4) == 3.0
// eval: @floats(-1) == 2.0

func.func @floats(%by: index) -> f32 {
  %v = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %r = sched.rotate %v by %by : vector<3xf32>
  %first = vector.extract %r[0] : f32 from vector<3xf32>
  return %first : f32
}
