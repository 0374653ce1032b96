// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="convMid(3, 1, 2, 2, 2, 2)"})'
// rule: padExtend2D, tileStencil2D, joinSplit, splitJoin, extractFromMap, mapMapInterchange, coalesce, splitReduce, mapFission, mapFissionZip, reduceVectorize, toGlobal

// Direct convolution in four kernels (three places, and what is returned): padding, partial sums of eight chunks, their sums
// with the biases, cutting off. Height and width differ, and a bias counted once per chunk would show.
func.func @layer(%in: !array.of<4 x 6 x 4 x i32>, %w: !array.of<4 x 2 x 2 x 4 x i32>, %bias: !array.of<4 x i32>) -> !array.of<4 x 5 x 7 x i32> {
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
// next: %20 = array.map "windows" %18 as %arg2 {
// next: %21 = array.map "window" %arg2 as %win {
// next: %22 = array.map "kernel" %arg1 as %k, %b {
// next: %23 = array.join %win
// next: %24 = array.join %23
// next: %25 = array.join %k
// next: %26 = array.join %25
// next: %27 = array.zip %24, %26
// next: %28 = array.reorder strided 8 %27
// next: %29 = array.split 2 %28
// next: %30 = array.map "chunks" %29 as %arg3 {
// next: %31:2 = array.unzip %arg3
// next: %32 = array.as_vector 2 %31#0
// next: %33 = array.as_vector 2 %31#1
// next: %34 = array.zip %32, %33
// next: %35 = array.reduce add %34 as %arg4, %arg5 {
// next: %37 = arith.muli %arg4, %arg5 : vector<2xi32>
// next: array.yield %37
// next: }
// next: %36 = vector.reduction <add>, %35 : vector<2xi32> into i32
// next: array.yield %36
// next: }
// next: array.yield %30
// next: }
// next: array.yield %22
// next: }
// next: array.yield %21
// next: }
// next: array.yield %20
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
// eval: @layer([[[-1, -2, 0, 2], [-3, -3, 3, 1], [-3, -1, 1, -3], [1, -2, -3, -3], [0, 0, -3, -2], [-3, 1, 0, -3]], [[3, 1, -3, -2], [2, 2, 1, -3], [1, 1, 0, -3], [-2, -3, 1, 3], [-2, -1, 0, -2], [1, -3, 1, -1]], [[1, 3, 2, -2], [-3, 1, 1, 2], [-2, -1, -3, 1], [2, -3, 1, -3], [1, -2, 0, 2], [1, 0, 3, -1]], [[0, 1, 0, -1], [-1, -2, 3, -2], [2, 3, -2, -3], [1, -1, 1, 0], [-1, 2, 0, -1], [1, -3, -3, 1]]], [[[[0, -2, 3, -1], [-2, 0, 0, -3]], [[2, -3, 3, 1], [1, 3, 3, -1]]], [[[-1, 2, -1, 1], [0, 1, 3, 0]], [[-3, 3, -3, -1], [0, 2, 2, -3]]], [[[-3, 2, 2, -1], [2, 1, 2, 3]], [[0, -1, 2, 0], [2, -1, -3, 0]]], [[[-1, -2, 1, -3], [0, -3, -2, 3]], [[-1, -2, 2, -2], [0, 0, 3, 0]]]], [100, 200, 300, 400]) == [[[91, 102, 113, 86, 89, 92, 88], [95, 111, 134, 100, 112, 101, 114], [118, 94, 90, 86, 122, 126, 120], [108, 102, 119, 84, 118, 76, 113], [103, 107, 120, 89, 110, 92, 96]], [[190, 192, 199, 205, 203, 222, 215], [200, 225, 208, 176, 181, 206, 188], [208, 205, 195, 214, 172, 196, 180], [214, 217, 197, 216, 184, 201, 191], [201, 208, 189, 205, 198, 192, 197]], [[300, 290, 301, 316, 305, 287, 299], [316, 289, 295, 292, 280, 285, 319], [288, 279, 304, 305, 297, 299, 300], [302, 302, 318, 284, 298, 308, 301], [298, 299, 301, 302, 294, 304, 284]], [[400, 410, 416, 404, 394, 398, 407], [403, 401, 403, 424, 413, 402, 419], [403, 385, 382, 421, 409, 422, 416], [381, 411, 417, 393, 429, 378, 402], [394, 395, 400, 400, 393, 418, 399]]]
