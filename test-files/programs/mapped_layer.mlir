// test: round-trip
// A small layer that is rewritten into four kernels, and mapped by lot.
func.func @layer(%in: !array.of<4 x 6 x 8 x i32>, %w: !array.of<4 x 2 x 2 x 8 x i32>, %bias: !array.of<4 x i32>) -> !array.of<4 x 5 x 7 x i32> {
  %z = arith.constant 0 : i32
  %pd = array.pad_nd [(1, 1), (1, 1)] value %z %in
  %ws = array.slide_nd [2, 2] by [1, 1] %pd
  %o0 = array.map_nd 2 %ws as %win {
    %r = array.map (array.zip %w, %bias) as %k, %b {
      %s = array.reduce add init %b (array.zip (array.join_nd 3 %win), (array.join_nd 3 %k)) as %x, %y {
        %m = arith.muli %x, %y : i32
        array.yield %m
      }
      array.yield %s
    }
    array.yield %r
  }
  %o = array.transpose_nd [2, 0, 1] %o0
  return %o : !array.of<4 x 5 x 7 x i32>
}
