// Small floats as integers: the same numbers before and after, at the ends of each format.
// test: opt --pipeline="builtin.module(expand-floats)"

func.func @f8E5M2(%x: f32) -> f32 {
  %a = arith.truncf %x : f32 to f8E5M2
  %b = arith.extf %a : f8E5M2 to f32
  return %b : f32
}
// eval: @f8E5M2(1.0) == 1.0
// eval: @f8E5M2(1.125) == 1.0
// eval: @f8E5M2(1.375) == 1.5
// eval: @f8E5M2(57344.0) == 57344.0
// eval: @f8E5M2(61440.0) == 0x7F800000
// eval: @f8E5M2(61439.0) == 57344.0
// eval: @f8E5M2(-0.0) == -0.0
// eval: @f8E5M2(0x37800000) == 0x37800000
// eval: @f8E5M2(0x37000000) == 0.0
// eval: @f8E5M2(-0x7F800000) == -0x7F800000

func.func @f8E4M3FN(%x: f32) -> f32 {
  %a = arith.truncf %x : f32 to f8E4M3FN
  %b = arith.extf %a : f8E4M3FN to f32
  return %b : f32
}
// eval: @f8E4M3FN(448.0) == 448.0
// eval: @f8E4M3FN(1.0625) == 1.0
// eval: @f8E4M3FN(1.1875) == 1.25
// eval: @f8E4M3FN(-0.0) == -0.0
// eval: @f8E4M3FN(0.001953125) == 0.001953125
// eval: @f8E4M3FN(0.0009765625) == 0.0

func.func @f4E2M1FN(%x: f32) -> f32 {
  %a = arith.truncf %x : f32 to f4E2M1FN
  %b = arith.extf %a : f4E2M1FN to f32
  return %b : f32
}
// eval: @f4E2M1FN(0.25) == 0.0
// eval: @f4E2M1FN(0.75) == 1.0
// eval: @f4E2M1FN(2.5) == 2.0
// eval: @f4E2M1FN(3.5) == 4.0
// eval: @f4E2M1FN(6.0) == 6.0
// eval: @f4E2M1FN(-1.25) == -1.0

func.func @f6E2M3FN(%x: f32) -> f32 {
  %a = arith.truncf %x : f32 to f6E2M3FN
  %b = arith.extf %a : f6E2M3FN to f32
  return %b : f32
}
// eval: @f6E2M3FN(7.5) == 7.5
// eval: @f6E2M3FN(0.125) == 0.125
// eval: @f6E2M3FN(0.0625) == 0.0
// eval: @f6E2M3FN(1.0625) == 1.0
// eval: @f6E2M3FN(-3.125) == -3.0

func.func @f6E3M2FN(%x: f32) -> f32 {
  %a = arith.truncf %x : f32 to f6E3M2FN
  %b = arith.extf %a : f6E3M2FN to f32
  return %b : f32
}
// eval: @f6E3M2FN(28.0) == 28.0
// eval: @f6E3M2FN(0.0625) == 0.0625
// eval: @f6E3M2FN(1.125) == 1.0
// eval: @f6E3M2FN(-0.03125) == -0.0

// Every product of two is rounded into the format.
func.func @product(%x: f32, %y: f32) -> f32 {
  %a = arith.truncf %x : f32 to f8E5M2
  %b = arith.truncf %y : f32 to f8E5M2
  %c = arith.mulf %a, %b : f8E5M2
  %d = arith.extf %c : f8E5M2 to f32
  return %d : f32
}
// eval: @product(1.5, 1.5) == 2.0
// eval: @product(1.25, 1.25) == 1.5
// eval: @product(57344.0, 2.0) == 0x7F800000
// eval: @product(-0.0, 3.0) == -0.0
