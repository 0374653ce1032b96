// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convMid(@theta, @rho, @ka, @sg, @om, @v)" assume=true})'
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
// check: func.func @layer
// next: %z = arith.constant 0 : i32
// next: %0 = array.map %in as %arg0 {
// next: %17 = array.pad @pl, @pr value %z %arg0
// next: array.yield %17
// next: }
// next: %1 = array.pad @pt, @pb + @rho value %z %0
// next: %padded = array.map %1 as %arg0 {
// next: %17 = array.pad 0, @rho value %z %arg0
// next: array.yield %17
// next: }
// next: %padded_0 = array.place #gpu.address_space<global> %padded
// next: %2 = array.map %padded_0 as %arg0 {
// next: %17 = array.slide strict @theta by @s - @K + @theta %arg0
// next: array.yield %17
// next: }
// next: %3 = array.slide strict @theta by @s - @K + @theta %2
// next: %4 = array.map %3 as %arg0 {
// next: %17 = array.transpose %arg0
// next: array.yield %17
// next: }
// next: %5 = array.join %4
// next: %6 = array.zip %w, %bias
// next: %7 = array.split @ka %6
// next: %8 = array.map "tiles" %5 as %arg0 {
// next: %17 = array.map %arg0 as %arg1 {
// next: %23 = array.slide @K by @s %arg1
// next: array.yield %23
// next: }
// next: %18 = array.slide @K by @s %17
// next: %19 = array.map %18 as %arg1 {
// next: %23 = array.transpose %arg1
// next: array.yield %23
// next: }
// next: %20 = array.join %19
// next: %21 = array.split @sg %20
// next: %22 = array.map "groups" %7 as %arg1 {
// next: %23 = array.map "windows" %21 as %arg2 {
// next: %24 = array.map "window" %arg2 as %win {
// next: %25 = array.map "kernel" %arg1 as %k, %b {
// next: %26 = array.join %win
// next: %27 = array.join %26
// next: %28 = array.join %k
// next: %29 = array.join %28
// next: %30 = array.as_vector @v %27
// next: %31 = array.as_vector @v %29
// next: %32 = array.zip %30, %31
// next: %33 = array.reorder strided @C * @K^2 / @om %32
// next: %34 = array.split @om / @v %33
// next: %35 = array.map "chunks" %34 as %arg3 {
// next: %36 = array.reduce add %arg3 as %arg4, %arg5 {
// next: %37 = arith.muli %arg4, %arg5 : !array.vector<@v x i32>
// next: %38 = vector.reduction <add>, %37 : !array.vector<@v x i32> into i32
// next: array.yield %38
// next: }
// next: array.yield %36
// next: }
// next: array.yield %35
// next: }
// next: array.yield %25
// next: }
// next: array.yield %24
// next: }
// next: array.yield %23
// next: }
// next: array.yield %22
// next: }
// next: %9 = array.place #gpu.address_space<global> %8
// next: %10 = array.map "sums" %9 as %arg0 {
// next: %17 = array.zip %7, %arg0
// next: %18 = array.map %17 as %arg1, %arg2 {
// next: %23 = array.map %arg2 as %arg3 {
// next: %24 = array.map %arg3 as %arg4 {
// next: %25 = array.zip %arg1, %arg4
// next: %26 = array.map %25 as %arg5, %arg6 {
// next: %27 = array.get 0 %arg5
// next: %28 = array.get 1 %arg5
// next: %s = array.reduce add init %28 %arg6 as %arg7 {
// next: array.yield %arg7
// next: }
// next: array.yield %s
// next: }
// next: array.yield %26
// next: }
// next: array.yield %24
// next: }
// next: array.yield %23
// next: }
// next: %19 = array.transpose %18
// next: %20 = array.map %19 as %arg1 {
// next: %23 = array.transpose %arg1
// next: %24 = array.map %23 as %arg2 {
// next: %r = array.join %arg2
// next: array.yield %r
// next: }
// next: array.yield %24
// next: }
// next: %21 = array.join %20
// next: %22 = array.split (@theta - @K) floordiv @s + 1 %21
// next: array.yield %22
// next: }
// next: %11 = array.place #gpu.address_space<global> %10
// next: %12 = array.split @theta / (@K - @s - @theta) - @W / (@K - @s - @theta) - @pl / (@K - @s - @theta) - @pr / (@K - @s - @theta) - @rho / (@K - @s - @theta) + 1 %11
// next: %13 = array.map %12 as %arg0 {
// next: %17 = array.transpose %arg0
// next: %18 = array.map %17 as %arg1 {
// next: %19 = array.join %arg1
// next: array.yield %19
// next: }
// next: array.yield %18
// next: }
// next: %14 = array.join %13
// next: %extended = array.cast %14 to !array.of<(@H - @K + @pb + @pt + @rho) floordiv @s + 1 x (@W - @K + @pl + @pr + @rho) floordiv @s + 1 x @O x i32>
// next: %15 = array.slice 0, (@H - @K + @pb + @pt) floordiv @s + 1 %extended
// next: %o0 = array.map %15 as %arg0 {
// next: %17 = array.slice 0, (@W - @K + @pl + @pr) floordiv @s + 1 %arg0
// next: array.yield %17
// next: }
// next: %16 = array.map %o0 as %arg0 {
// next: %17 = array.transpose %arg0
// next: array.yield %17
// next: }
// next: %o = array.transpose %16
// next: return %o : !array.of<@O x (@H - @K + @pb + @pt) floordiv @s + 1 x (@W - @K + @pl + @pr) floordiv @s + 1 x i32>
// next: }
// eval: @layer([[[-1, -2, 0, 2, -3, -3, 3, 1], [-3, -1, 1, -3, 1, -2, -3, -3], [0, 0, -3, -2, -3, 1, 0, -3], [3, 1, -3, -2, 2, 2, 1, -3], [1, 1, 0, -3, -2, -3, 1, 3], [-2, -1, 0, -2, 1, -3, 1, -1]], [[1, 3, 2, -2, -3, 1, 1, 2], [-2, -1, -3, 1, 2, -3, 1, -3], [1, -2, 0, 2, 1, 0, 3, -1], [0, 1, 0, -1, -1, -2, 3, -2], [2, 3, -2, -3, 1, -1, 1, 0], [-1, 2, 0, -1, 1, -3, -3, 1]], [[0, -2, 3, -1, -2, 0, 0, -3], [2, -3, 3, 1, 1, 3, 3, -1], [-1, 2, -1, 1, 0, 1, 3, 0], [-3, 3, -3, -1, 0, 2, 2, -3], [-3, 2, 2, -1, 2, 1, 2, 3], [0, -1, 2, 0, 2, -1, -3, 0]], [[-1, -2, 1, -3, 0, -3, -2, 3], [-1, -2, 2, -2, 0, 0, 3, 0], [-3, -2, 0, 0, 1, -1, -2, 3], [0, 3, 1, -1, 2, 0, -1, 2], [0, -2, -2, -3, -2, -2, -2, 2], [-2, -3, 0, 3, 1, -2, -1, -1]]], [[[[-3, -2, 0, 1, -1, 1, 1, -1], [-2, 2, 3, 1, 1, 2, 2, 2]], [[-3, 0, 3, 3, 3, 2, 3, 1], [0, 0, 0, 0, -3, 0, 2, 0]]], [[[-3, -2, -3, -2, 0, -2, -3, -1], [1, -3, -3, -3, 1, -2, 1, -3]], [[-1, 1, -3, -3, 3, -2, 1, 0], [-2, 2, -1, -1, 1, -1, 0, -3]]], [[[-3, 3, 0, 0, 0, 0, -1, -3], [-2, -3, 2, -1, 2, -1, 0, 3]], [[2, -2, 1, -3, -2, 1, -1, -2], [2, 1, -3, 3, 1, -1, 2, 3]]], [[[-3, 2, 3, -1, 1, -1, -2, -1], [3, -2, 1, 1, 3, 1, -1, 2]], [[-2, 1, 3, 3, 3, 3, -2, 3], [-2, 3, 0, 2, 3, -2, -2, 1]]]], [100, 200, 300, 400]) == [[[115, 95, 99, 71, 94, 81, 99], [110, 91, 90, 115, 84, 58, 93], [119, 78, 138, 122, 97, 97, 91], [92, 113, 124, 107, 145, 66, 106], [94, 104, 111, 118, 69, 91, 112]], [[193, 211, 222, 214, 211, 221, 217], [196, 226, 265, 244, 218, 249, 228], [183, 180, 217, 228, 226, 203, 213], [201, 207, 166, 202, 191, 198, 203], [206, 227, 191, 204, 209, 229, 214]], [[311, 263, 301, 319, 316, 295, 300], [303, 311, 298, 285, 318, 300, 298], [269, 313, 333, 267, 290, 281, 311], [292, 304, 283, 281, 330, 327, 292], [325, 304, 318, 300, 313, 301, 301]], [[392, 392, 375, 360, 377, 385, 386], [382, 388, 381, 385, 360, 393, 413], [375, 361, 417, 375, 399, 430, 431], [397, 408, 386, 405, 412, 416, 419], [404, 407, 406, 413, 409, 398, 403]]]
