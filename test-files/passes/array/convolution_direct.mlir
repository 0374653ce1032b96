// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convHostDirectParts(3, 2, 1, 2)"})'
// rule: extractFromMap, sumOfParts, splitJoin, mapFission, mapMapInterchange, mapReduceInterchangeZip, vectorize, reduceLayout, toPrivate, toLocal

// Without strips: windows of parts of channels are read where they are, the border as what is outside.
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

func.func @biased(%in: !array.of<4 x 6 x 2 x i32>, %w: !array.of<3 x 3 x 2 x 4 x i32>, %bias: !array.of<4 x i32>) -> !array.of<4 x 6 x 4 x i32> {
  %z = arith.constant 0 : i32
  %pd = array.pad_nd [(1, 1), (1, 1)] value %z %in
  %ws = array.slide_nd [3, 3] by [1, 1] %pd
  %ks = array.transpose_nd [3, 0, 1, 2] %w
  %out = array.map "Y" %ws as %line {
    %x = array.map "X" %line as %win {
      %o = array.map "O" (array.zip %ks, %bias) as %k, %b0 {
        %xs = array.join_nd 3 %win
        %ys = array.join_nd 3 %k
        %s = array.reduce add init %b0 (array.zip %xs, %ys) as %a, %b {
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
// eval: @biased([[[1, -1], [2, -1], [3, 2], [3, 2], [2, 1], [-3, 3]], [[0, 3], [-2, 2], [-3, -2], [-3, -1], [0, 3], [-2, 0]], [[1, -3], [1, -2], [-3, 2], [-2, 0], [-1, -2], [3, 3]], [[0, -2], [3, 3], [-3, -2], [1, 1], [0, -2], [-2, -3]]], [[[[3, -3, -2, 3], [-2, -2, 3, -2]], [[-1, -1, -2, 1], [2, 2, -2, -2]], [[2, -2, 0, -1], [-3, -1, 0, -2]]], [[[-2, -1, -3, -1], [-1, 3, 1, 1]], [[-3, 1, 2, 2], [-1, -3, -1, -1]], [[3, -1, 0, 2], [-1, -2, 0, 0]]], [[[2, -2, -3, -1], [-3, 2, -1, 3]], [[0, -3, 1, 3], [0, -1, 0, 1]], [[3, -3, 0, -3], [2, -2, 1, -2]]]], [10, -20, 30, 0]) == [[[13, -17, 35, 12], [-11, -3, 24, 27], [-18, -5, 27, 15], [2, -18, 38, -12], [-26, -14, 36, 5], [2, -19, 11, -7]], [[2, -36, 26, -3], [11, -29, 23, -11], [26, -8, 13, -14], [13, -23, 25, 6], [9, -43, 37, -21], [30, -26, 36, 1]], [[26, -12, 32, -18], [-8, -19, 40, 8], [-1, -20, 23, -29], [2, 5, 55, -8], [7, 13, 26, 9], [4, -30, 47, -21]], [[19, -30, 36, 18], [-15, -23, 22, 8], [24, -2, 14, 0], [9, -10, 54, -8], [-6, -10, 40, -14], [25, -9, 11, -5]]]
