// test: opt --pipeline="func.func(array-bind{sizes=n=8,s=2})"
// Numbers for sizes, in types and properties; the rest stays.

func.func @tiled(%x: !array.of<@n x f32>, %w: !array.of<@k x f32>) -> (!array.of<@n x f32>, !array.of<@k + 4 x f32>) {
  %z = arith.constant 0.0 : f32
  %0 = array.split @s %x
  %1 = array.map %0 as %c {
    %2 = array.split @s / 2 %c
    %3 = array.join %2
    array.yield %3
  }
  %4 = array.join %1
  %5 = array.pad @s, @s value %z %w
  %6 = array.cast %5 to !array.of<@k + 4 x f32>
  return %4, %6 : !array.of<@n x f32>, !array.of<@k + 4 x f32>
}
// check: func.func @tiled(%x: !array.of<8 x f32>, %w: !array.of<@k x f32>) -> (!array.of<8 x f32>, !array.of<@k + 4 x f32>)
// check: array.split 2 %x
// check: array.split 1 %c
// check: array.pad 2, 2 value %z %w

// The function's own numbers are used too, and go.
// check: func.func @own
// not: array.bind
// check: array.slide 3 by 1 %x
// check: return {{.*}} : !array.of<4 x 3 x f32>
func.func @own(%x: !array.of<@m x f32>) -> !array.of<@m - @k + 1 x @k x f32> attributes {array.bind = {k = 3, m = 6}} {
  %0 = array.slide @k by 1 %x
  return %0 : !array.of<@m - @k + 1 x @k x f32>
}

// Vectors become those of the builtin dialect.
// check: func.func @lanes
// check: array.as_vector 4 %x
// check: arith.addf %a, %a : vector<4xf32>
func.func @lanes(%x: !array.of<16 x f32>) -> !array.of<16 x f32> attributes {array.bind = {v = 4}} {
  %0 = array.as_vector @v %x
  %1 = array.map %0 as %a {
    %2 = arith.addf %a, %a : !array.vector<@v x f32>
    array.yield %2
  }
  %3 = array.as_scalar %1
  return %3 : !array.of<16 x f32>
}
