// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convBlocked(3, 1, 2, 2, 4, 2)"})'
// rule: padExtend2D, tileStencil2D, joinSplit, splitJoin, extractFromMap, mapMapInterchange, coalesce, splitReduce, mapFission, mapFissionZip, reduceByVectors, toGlobal, reorderIntoZip, splitIntoZip, mapFusion, mapMapInterchangeZip, mapReduceInterchangeZip, toPrivate, introduceReuse

// The same, with partial sums of two windows and two kernels at once, in registers: listing 4, from listing 3.
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
// check: func.func @layer
// next: %z = arith.constant 0 : i32
// next: %0 = array.map %in as %arg0 {
// next: %16 = array.pad 1, 1 value %z %arg0
// next: array.yield %16
// next: }
// next: %1 = array.pad 1, 2 value %z %0
// next: %padded = array.map %1 as %arg0 {
// next: %16 = array.pad 0, 1 value %z %arg0
// next: array.yield %16
// next: }
// next: %padded_0 = array.place #gpu.address_space<global> %padded
// next: %2 = array.map %padded_0 as %arg0 {
// next: %16 = array.slide strict 3 by 2 %arg0
// next: array.yield %16
// next: }
// next: %3 = array.slide strict 3 by 2 %2
// next: %4 = array.map %3 as %arg0 {
// next: %16 = array.transpose %arg0
// next: array.yield %16
// next: }
// next: %5 = array.join %4
// next: %6 = array.zip %w, %bias
// next: %7 = array.split 2 %6
// next: %8 = array.map "tiles" %5 as %arg0 {
// next: %16 = array.map %arg0 as %arg1 {
// next: %20 = array.slide 2 by 1 %arg1
// next: array.yield %20
// next: }
// next: %17 = array.slide 2 by 1 %16
// next: %18 = array.map %17 as %arg1 {
// next: %20 = array.transpose %arg1
// next: array.yield %20
// next: }
// next: %19 = array.map "groups" %7 as %arg1 {
// next: %20 = array.map "kernel" %arg1 as %k, %b {
// next: %23 = array.join %k
// next: %24 = array.join %23
// next: %25 = array.as_vector 2 %24
// next: %26 = array.reorder strided 8 %25
// next: %kc = array.split 2 %26
// next: array.yield %kc
// next: }
// next: %21 = array.transpose %20
// next: %22 = array.map "windows" %18 as %arg2 {
// next: %23 = array.map "window" %arg2 as %win {
// next: %29 = array.join %win
// next: %30 = array.join %29
// next: %31 = array.as_vector 2 %30
// next: %32 = array.reorder strided 8 %31
// next: %wc = array.split 2 %32
// next: array.yield %wc
// next: }
// next: %24 = array.transpose %23
// next: %25 = array.zip %24, %21
// next: %26 = array.map "chunks" %25 as %arg3, %arg4 {
// next: %29 = array.transpose %arg4
// next: %30 = array.transpose %arg3
// next: %31 = array.zip %30, %29
// next: %partial = array.reduce add %31 as %arg5, %arg6 {
// next: %32 = array.map "block" %arg5 as %arg7 {
// next: %33 = array.place #gpu.address_space<private> %arg7
// next: %34 = array.map "dots" %arg6 as %arg8 {
// next: %35 = arith.muli %33, %arg8 : vector<2xi32>
// next: %36 = vector.reduction <add>, %35 : vector<2xi32> into i32
// next: array.yield %36
// next: }
// next: array.yield %34
// next: }
// next: array.yield %32
// next: }
// next: %partial_1 = array.place #gpu.address_space<private> %partial
// next: array.yield %partial_1
// next: }
// next: %27 = array.transpose %26
// next: %28 = array.map %27 as %arg3 {
// next: %29 = array.transpose %arg3
// next: array.yield %29
// next: }
// next: array.yield %28
// next: }
// next: array.yield %22
// next: }
// next: array.yield %19
// next: }
// next: %9 = array.place #gpu.address_space<global> %8
// next: %10 = array.map "sums" %9 as %arg0 {
// next: %16 = array.zip %7, %arg0
// next: %17 = array.map %16 as %arg1, %arg2 {
// next: %20 = array.map %arg2 as %arg3 {
// next: %21 = array.map %arg3 as %arg4 {
// next: %22 = array.zip %arg1, %arg4
// next: %23 = array.map %22 as %arg5, %arg6 {
// next: %24 = array.get 0 %arg5
// next: %25 = array.get 1 %arg5
// next: %s = array.reduce add init %25 %arg6 as %arg7 {
// next: array.yield %arg7
// next: }
// next: array.yield %s
// next: }
// next: array.yield %23
// next: }
// next: array.yield %21
// next: }
// next: array.yield %20
// next: }
// next: %18 = array.transpose %17
// next: %19 = array.map %18 as %arg1 {
// next: %20 = array.transpose %arg1
// next: %21 = array.map %20 as %arg2 {
// next: %r = array.join %arg2
// next: array.yield %r
// next: }
// next: array.yield %21
// next: }
// next: array.yield %19
// next: }
// next: %11 = array.place #gpu.address_space<global> %10
// next: %12 = array.split 4 %11
// next: %13 = array.map %12 as %arg0 {
// next: %16 = array.transpose %arg0
// next: %17 = array.map %16 as %arg1 {
// next: %18 = array.join %arg1
// next: array.yield %18
// next: }
// next: array.yield %17
// next: }
// next: %extended = array.join %13
// next: %14 = array.slice 0, 5 %extended
// next: %o0 = array.map %14 as %arg0 {
// next: %16 = array.slice 0, 7 %arg0
// next: array.yield %16
// next: }
// next: %15 = array.map %o0 as %arg0 {
// next: %16 = array.transpose %arg0
// next: array.yield %16
// next: }
// next: %o = array.transpose %15
// next: return %o : !array.of<4 x 5 x 7 x i32>
// next: }
// eval: @layer([[[-1, -2, 0, 2, -3, -3, 3, 1], [-3, -1, 1, -3, 1, -2, -3, -3], [0, 0, -3, -2, -3, 1, 0, -3], [3, 1, -3, -2, 2, 2, 1, -3], [1, 1, 0, -3, -2, -3, 1, 3], [-2, -1, 0, -2, 1, -3, 1, -1]], [[1, 3, 2, -2, -3, 1, 1, 2], [-2, -1, -3, 1, 2, -3, 1, -3], [1, -2, 0, 2, 1, 0, 3, -1], [0, 1, 0, -1, -1, -2, 3, -2], [2, 3, -2, -3, 1, -1, 1, 0], [-1, 2, 0, -1, 1, -3, -3, 1]], [[0, -2, 3, -1, -2, 0, 0, -3], [2, -3, 3, 1, 1, 3, 3, -1], [-1, 2, -1, 1, 0, 1, 3, 0], [-3, 3, -3, -1, 0, 2, 2, -3], [-3, 2, 2, -1, 2, 1, 2, 3], [0, -1, 2, 0, 2, -1, -3, 0]], [[-1, -2, 1, -3, 0, -3, -2, 3], [-1, -2, 2, -2, 0, 0, 3, 0], [-3, -2, 0, 0, 1, -1, -2, 3], [0, 3, 1, -1, 2, 0, -1, 2], [0, -2, -2, -3, -2, -2, -2, 2], [-2, -3, 0, 3, 1, -2, -1, -1]]], [[[[-3, -2, 0, 1, -1, 1, 1, -1], [-2, 2, 3, 1, 1, 2, 2, 2]], [[-3, 0, 3, 3, 3, 2, 3, 1], [0, 0, 0, 0, -3, 0, 2, 0]]], [[[-3, -2, -3, -2, 0, -2, -3, -1], [1, -3, -3, -3, 1, -2, 1, -3]], [[-1, 1, -3, -3, 3, -2, 1, 0], [-2, 2, -1, -1, 1, -1, 0, -3]]], [[[-3, 3, 0, 0, 0, 0, -1, -3], [-2, -3, 2, -1, 2, -1, 0, 3]], [[2, -2, 1, -3, -2, 1, -1, -2], [2, 1, -3, 3, 1, -1, 2, 3]]], [[[-3, 2, 3, -1, 1, -1, -2, -1], [3, -2, 1, 1, 3, 1, -1, 2]], [[-2, 1, 3, 3, 3, 3, -2, 3], [-2, 3, 0, 2, 3, -2, -2, 1]]]], [100, 200, 300, 400]) == [[[115, 95, 99, 71, 94, 81, 99], [110, 91, 90, 115, 84, 58, 93], [119, 78, 138, 122, 97, 97, 91], [92, 113, 124, 107, 145, 66, 106], [94, 104, 111, 118, 69, 91, 112]], [[193, 211, 222, 214, 211, 221, 217], [196, 226, 265, 244, 218, 249, 228], [183, 180, 217, 228, 226, 203, 213], [201, 207, 166, 202, 191, 198, 203], [206, 227, 191, 204, 209, 229, 214]], [[311, 263, 301, 319, 316, 295, 300], [303, 311, 298, 285, 318, 300, 298], [269, 313, 333, 267, 290, 281, 311], [292, 304, 283, 281, 330, 327, 292], [325, 304, 318, 300, 313, 301, 301]], [[392, 392, 375, 360, 377, 385, 386], [382, 388, 381, 385, 360, 393, 413], [375, 361, 417, 375, 399, 430, 431], [397, 408, 386, 405, 412, 416, 419], [404, 407, 406, 413, 409, 398, 403]]]
