// Where functions leave the numbers, or have exact values; everywhere else libraries may differ in the last bit.
// test: opt --pipeline="func.func(canonicalize)"

func.func @ends(%x: f32) -> (f32, f32, f32, f32) {
  %a = math.exp %x : f32
  %b = math.exp2 %x : f32
  %c = math.tanh %x : f32
  %d = math.expm1 %x : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// eval: @ends(0.0) == (1.0, 1.0, 0.0, 0.0)
// eval: @ends(-0.0) == (1.0, 1.0, -0.0, -0.0)
// eval: @ends(0x7F800000) == (0x7F800000, 0x7F800000, 1.0, 0x7F800000)
// eval: @ends(-0x7F800000) == (0.0, 0.0, -1.0, -1.0)
// eval: @ends(1000.0) == (0x7F800000, 0x7F800000, 1.0, 0x7F800000)
// eval: @ends(-1000.0) == (0.0, 0.0, -1.0, -1.0)

func.func @logarithms(%x: f32) -> (f32, f32, f32) {
  %a = math.log %x : f32
  %b = math.log2 %x : f32
  %c = math.log10 %x : f32
  return %a, %b, %c : f32, f32, f32
}
// eval: @logarithms(1.0) == (0.0, 0.0, 0.0)
// eval: @logarithms(0.0) == (-0x7F800000, -0x7F800000, -0x7F800000)
// eval: @logarithms(-0.0) == (-0x7F800000, -0x7F800000, -0x7F800000)
// eval: @logarithms(0x7F800000) == (0x7F800000, 0x7F800000, 0x7F800000)

func.func @powers(%x: f32, %y: f32) -> f32 {
  %a = math.powf %x, %y : f32
  return %a : f32
}
// eval: @powers(2.0, 10.0) == 1024.0
// eval: @powers(0.0, 0.0) == 1.0
// eval: @powers(0x7FC00000, 0.0) == 1.0
// eval: @powers(1.0, 0x7FC00000) == 1.0
// eval: @powers(-2.0, 3.0) == -8.0
// eval: @powers(-0.0, -1.0) == -0x7F800000
// eval: @powers(4.0, 0.5) == 2.0
