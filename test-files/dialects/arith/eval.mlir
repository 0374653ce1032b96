// test: round-trip

func.func @floats(%x: f32, %y: f32) -> (f32, i32) {
  %r = arith.remf %x, %y : f32
  %b = arith.bitcast %x : f32 to i32
  return %r, %b : f32, i32
}
// eval: @floats(-7.5, 2.0) == (-1.5, -1058013184)
// eval: @floats(1.0, 0.0) == (0x7FC00000, 1065353216)

func.func @unsigned(%x: i8, %y: i8, %f: f32) -> (i8, i8, f32, i8) {
  %max = arith.maxui %x, %y : i8
  %min = arith.minui %x, %y : i8
  %wide = arith.uitofp %x : i8 to f32
  %short = arith.fptoui %f : f32 to i8
  return %max, %min, %wide, %short : i8, i8, f32, i8
}
// eval: @unsigned(-1, 1, 255.9) == (-1, 1, 255.0, -1)
// eval: @unsigned(7, -128, -0.9) == (-128, 7, 7.0, 0)
// eval: @unsigned(0, 0, 256.0) == (0, 0, 0.0, poison)
