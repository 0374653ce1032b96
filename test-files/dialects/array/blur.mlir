// test: round-trip
// The example of docs/arrays.md.

#gray = #array.nat<(@h - @k) floordiv @s + 1>

// Weighted means of k times k windows, s rows and columns apart.
func.func @blur(%image: !array.of<@h x @w x f32>, %weights: !array.of<@k x @k x f32>) -> !array.of<#gray x (@w - @k) floordiv @s + 1 x f32> attributes {array.bind = {s = 2}} {
  %zero = arith.constant 0.0 : f32
  %windows = array.slide_nd [@k, @k] by [@s, @s] %image
  %blurred = array.map_nd 2 %windows as %window {
    %sum = array.dot init %zero (array.join %window), (array.join %weights)
    array.yield %sum
  }
  return %blurred : !array.of<#gray x (@w - @k) floordiv @s + 1 x f32>
}
// eval: @blur([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[1.0, 0.0], [0.0, 2.0]]) == [[11.0]]
// eval: @blur([[1.0, 2.0]], [[1.0, 0.0], [0.0, 2.0]]) == trap E0684
