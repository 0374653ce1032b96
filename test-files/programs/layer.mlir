// test: round-trip
// A layer of a convolutional network: zeros around the input, windows, and for each window and kernel a sum that starts with
// the bias. `@p` and `@s` are border and stride; the levels of the maps Y, X and O are given by `array-map`.

#oh = #array.nat<(@H + 2 * @p - @K) floordiv @s + 1>
#ow = #array.nat<(@W + 2 * @p - @K) floordiv @s + 1>

func.func @layer(%in: !array.of<@H x @W x @C x f32>, %w: !array.of<@O x @K x @K x @C x f32>, %bias: !array.of<@O x f32>) -> !array.of<#oh x #ow x @O x f32> {
  %z = arith.constant 0.0 : f32
  %pd = array.pad_nd [(@p, @p), (@p, @p)] value %z %in
  %ws = array.slide_nd [@K, @K] by [@s, @s] %pd
  %out = array.map "Y" %ws as %line {
    %x = array.map "X" %line as %win {
      %o = array.map "O" (array.zip %w, %bias) as %k, %b {
        %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %a, %c {
          %m = arith.mulf %a, %c : f32
          array.yield %m
        }
        array.yield %s
      }
      array.yield %o
    }
    array.yield %x
  }
  return %out : !array.of<#oh x #ow x @O x f32>
}
