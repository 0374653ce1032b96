// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convMid(@theta, @rho, @ka, @sg, @om, @v)" assume=true})'
// snapshot:
// rule: padExtend2D, tileStencil2D, joinSplit, splitJoin, extractFromMap, mapMapInterchange, coalesce, splitReduce, mapFission, mapFissionZip, reduceByVectors, toGlobal

// The same with all sizes and parameters as symbols. One cast is left, where tiles join to windows: that is arithmetic with
// conditions, which equality of sizes never uses. Conditions that nobody knows are assumed, and met by what is bound.
func.func @layer(%in: !array.of<@H x @W x @C x i32>, %w: !array.of<@O x @K x @K x @C x i32>, %bias: !array.of<@O x i32>) -> !array.of<@O x (@H + @pb + @pt - @K) floordiv @s + 1 x (@W + @pl + @pr - @K) floordiv @s + 1 x i32> attributes {array.bind = {pt = 1, pb = 1, pl = 1, pr = 1, s = 1, theta = 3, rho = 1, ka = 2, sg = 2, om = 4, v = 2}} {
  %z = arith.constant 0 : i32
  %pd = array.pad_nd [(@pt, @pb), (@pl, @pr)] value %z %in
  %ws = array.slide_nd [@K, @K] by [@s, @s] %pd
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
  return %o : !array.of<@O x (@H + @pb + @pt - @K) floordiv @s + 1 x (@W + @pl + @pr - @K) floordiv @s + 1 x i32>
}
// eval: @layer([[[-1, -2, 0, 2, -3, -3, 3, 1], [-3, -1, 1, -3, 1, -2, -3, -3], [0, 0, -3, -2, -3, 1, 0, -3], [3, 1, -3, -2, 2, 2, 1, -3], [1, 1, 0, -3, -2, -3, 1, 3], [-2, -1, 0, -2, 1, -3, 1, -1]], [[1, 3, 2, -2, -3, 1, 1, 2], [-2, -1, -3, 1, 2, -3, 1, -3], [1, -2, 0, 2, 1, 0, 3, -1], [0, 1, 0, -1, -1, -2, 3, -2], [2, 3, -2, -3, 1, -1, 1, 0], [-1, 2, 0, -1, 1, -3, -3, 1]], [[0, -2, 3, -1, -2, 0, 0, -3], [2, -3, 3, 1, 1, 3, 3, -1], [-1, 2, -1, 1, 0, 1, 3, 0], [-3, 3, -3, -1, 0, 2, 2, -3], [-3, 2, 2, -1, 2, 1, 2, 3], [0, -1, 2, 0, 2, -1, -3, 0]], [[-1, -2, 1, -3, 0, -3, -2, 3], [-1, -2, 2, -2, 0, 0, 3, 0], [-3, -2, 0, 0, 1, -1, -2, 3], [0, 3, 1, -1, 2, 0, -1, 2], [0, -2, -2, -3, -2, -2, -2, 2], [-2, -3, 0, 3, 1, -2, -1, -1]]], [[[[-3, -2, 0, 1, -1, 1, 1, -1], [-2, 2, 3, 1, 1, 2, 2, 2]], [[-3, 0, 3, 3, 3, 2, 3, 1], [0, 0, 0, 0, -3, 0, 2, 0]]], [[[-3, -2, -3, -2, 0, -2, -3, -1], [1, -3, -3, -3, 1, -2, 1, -3]], [[-1, 1, -3, -3, 3, -2, 1, 0], [-2, 2, -1, -1, 1, -1, 0, -3]]], [[[-3, 3, 0, 0, 0, 0, -1, -3], [-2, -3, 2, -1, 2, -1, 0, 3]], [[2, -2, 1, -3, -2, 1, -1, -2], [2, 1, -3, 3, 1, -1, 2, 3]]], [[[-3, 2, 3, -1, 1, -1, -2, -1], [3, -2, 1, 1, 3, 1, -1, 2]], [[-2, 1, 3, 3, 3, 3, -2, 3], [-2, 3, 0, 2, 3, -2, -2, 1]]]], [100, 200, 300, 400]) == [[[115, 95, 99, 71, 94, 81, 99], [110, 91, 90, 115, 84, 58, 93], [119, 78, 138, 122, 97, 97, 91], [92, 113, 124, 107, 145, 66, 106], [94, 104, 111, 118, 69, 91, 112]], [[193, 211, 222, 214, 211, 221, 217], [196, 226, 265, 244, 218, 249, 228], [183, 180, 217, 228, 226, 203, 213], [201, 207, 166, 202, 191, 198, 203], [206, 227, 191, 204, 209, 229, 214]], [[311, 263, 301, 319, 316, 295, 300], [303, 311, 298, 285, 318, 300, 298], [269, 313, 333, 267, 290, 281, 311], [292, 304, 283, 281, 330, 327, 292], [325, 304, 318, 300, 313, 301, 301]], [[392, 392, 375, 360, 377, 385, 386], [382, 388, 381, 385, 360, 393, 413], [375, 361, 417, 375, 399, 430, 431], [397, 408, 386, 405, 412, 416, 419], [404, 407, 406, 413, 409, 398, 403]]]
