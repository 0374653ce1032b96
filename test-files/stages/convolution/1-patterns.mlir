// test: round-trip
// A convolution with borders and biases as patterns. Each file beside it is what the step before makes of it; the steps are in
// `tools/filetest/tests/stages.rs`.

func.func @conv(%in: !array.of<4 x 6 x 8 x f32>, %w: !array.of<4 x 2 x 2 x 8 x f32>, %bias: !array.of<4 x f32>) -> !array.of<4 x 5 x 7 x f32> {
  %z = arith.constant 0.0 : f32
  %pd = array.pad_nd [(1, 1), (1, 1)] value %z %in
  %ws = array.slide_nd [2, 2] by [1, 1] %pd
  %o0 = array.map_nd 2 %ws as %win {
    %r = array.map (array.zip %w, %bias) as %k, %b {
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {
        %m = arith.mulf %x, %y : f32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %r
  }
  %o = array.transpose_nd [2, 0, 1] %o0
  return %o : !array.of<4 x 5 x 7 x f32>
}
