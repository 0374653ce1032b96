// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convHost(2, 3, 2, 2)"})'
// rule: tileRows, splitJoin, extractFromMap, mapFission, mapMapInterchange, mapReduceInterchangeZip, vectorize, reduceLayout, toPrivate, toLocal, introduceReuse

// Direct convolution for a processor: strips of two rows, tiles of three windows, panels of two kernels, which are one vector.
// The copy of a panel has its kernels side by side, that of a strip the padding around it; sums stay in registers.
func.func @layer(%in: !array.of<4 x 6 x 2 x i32>, %w: !array.of<3 x 3 x 2 x 4 x i32>) -> !array.of<4 x 6 x 4 x i32> {
  %z = arith.constant 0 : i32
  %pd = array.pad_nd [(1, 1), (1, 1)] value %z %in
  %ws = array.slide_nd [3, 3] by [1, 1] %pd
  %ks = array.transpose_nd [3, 0, 1, 2] %w
  %out = array.map "Y" %ws as %line {
    %x = array.map "X" %line as %win {
      %o = array.map "O" %ks as %k {
        %xs = array.join_nd 3 %win
        %ys = array.join_nd 3 %k
        %s = array.reduce add init %z (array.zip %xs, %ys) as %a, %b {
          %m = arith.muli %a, %b : i32
          array.yield %m
        }
        array.yield %s
      }
      array.yield %o
    }
    array.yield %x
  }
  return %out : !array.of<4 x 6 x 4 x i32>
}
// eval: @layer([[[1, -1], [2, -1], [3, 2], [3, 2], [2, 1], [-3, 3]], [[0, 3], [-2, 2], [-3, -2], [-3, -1], [0, 3], [-2, 0]], [[1, -3], [1, -2], [-3, 2], [-2, 0], [-1, -2], [3, 3]], [[0, -2], [3, 3], [-3, -2], [1, 1], [0, -2], [-2, -3]]], [[[[3, -3, -2, 3], [-2, -2, 3, -2]], [[-1, -1, -2, 1], [2, 2, -2, -2]], [[2, -2, 0, -1], [-3, -1, 0, -2]]], [[[-2, -1, -3, -1], [-1, 3, 1, 1]], [[-3, 1, 2, 2], [-1, -3, -1, -1]], [[3, -1, 0, 2], [-1, -2, 0, 0]]], [[[2, -2, -3, -1], [-3, 2, -1, 3]], [[0, -3, 1, 3], [0, -1, 0, 1]], [[3, -3, 0, -3], [2, -2, 1, -2]]]]) == [[[3, 3, 5, 12], [-21, 17, -6, 27], [-28, 15, -3, 15], [-8, 2, 8, -12], [-36, 6, 6, 5], [-8, 1, -19, -7]], [[-8, -16, -4, -3], [1, -9, -7, -11], [16, 12, -17, -14], [3, -3, -5, 6], [-1, -23, 7, -21], [20, -6, 6, 1]], [[16, 8, 2, -18], [-18, 1, 10, 8], [-11, 0, -7, -29], [-8, 25, 25, -8], [-3, 33, -4, 9], [-6, -10, 17, -21]], [[9, -10, 6, 18], [-25, -3, -8, 8], [14, 18, -16, 0], [-1, 10, 24, -8], [-16, 10, 10, -14], [15, 11, -19, -5]]]
