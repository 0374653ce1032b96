// test: opt --pipeline='func.func(array-expand,array-rewrite{strategy="tile1D(tile1D, 4)?; multiLevelTile1D(multiLevel, 8, 2)?; tileBoth(tile2D, 2, 3)?; tileStencil(stencil, 4)?; partialReductionTree(tree, 2, 2)?; coalesceReduce(coalesced, 4)?; vectorizeReduction(lanes, 4)?; prefetch(prefetched, local)?; partitionWeights(weights, 2)?; (tileMapMap(rows, columns, 2, 3); registerBlock(inRows, inColumns); prefetchTransposed(columnTiles, local); simplify)?; (at(y) vectorize(4))?"})'
// rule: splitJoin, tile2D, tileStencil2D, splitReduce, coalesce, reduceByVectors, introduceReuse, mapMapInterchange, mapReduceInterchangeZip, vectorize

// Named strategies.

func.func @tile1D(%x: !array.of<16 x i32>) -> !array.of<16 x i32> {
  %tile1D = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %tile1D : !array.of<16 x i32>
}
// check: func.func @tile1D
// next: %0 = array.split 4 %x
// next: %1 = array.map "outer" %0 as %arg0 {
// next: %2 = array.map "inner" %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %2
// next: }
// next: %tile1D = array.join %1
// next: return %tile1D : !array.of<16 x i32>
// next: }
// eval: @tile1D([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]) == [1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256]

func.func @multiLevel(%x: !array.of<16 x i32>) -> !array.of<16 x i32> {
  %multiLevel = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %multiLevel : !array.of<16 x i32>
}
// check: func.func @multiLevel
// next: %0 = array.split 8 %x
// next: %1 = array.map "outer" %0 as %arg0 {
// next: %2 = array.split 2 %arg0
// next: %3 = array.map "middle" %2 as %arg1 {
// next: %5 = array.map "inner" %arg1 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %5
// next: }
// next: %4 = array.join %3
// next: array.yield %4
// next: }
// next: %multiLevel = array.join %1
// next: return %multiLevel : !array.of<16 x i32>
// next: }
// eval: @multiLevel([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]) == [1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256]

func.func @tile2D(%x: !array.of<4 x 6 x i32>) -> !array.of<4 x 6 x i32> {
  %tile2D = array.map %x as %row {
    %r = array.map %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  return %tile2D : !array.of<4 x 6 x i32>
}
// check: func.func @tile2D
// next: %0 = array.split 2 %x
// next: %1 = array.map %0 as %arg0 {
// next: %4 = array.map %arg0 as %arg1 {
// next: %6 = array.split 3 %arg1
// next: array.yield %6
// next: }
// next: %5 = array.transpose %4
// next: array.yield %5
// next: }
// next: %2 = array.map "tiles" %1 as %arg0 {
// next: %4 = array.map "tile" %arg0 as %arg1 {
// next: %5 = array.split 2 %arg1
// next: %6 = array.map "rowTiles" %5 as %arg2 {
// next: %8 = array.map "inRows" %arg2 as %arg3 {
// next: %9 = array.split 3 %arg3
// next: %10 = array.map "columnTiles" %9 as %arg4 {
// next: %12 = array.map "inColumns" %arg4 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %12
// next: }
// next: %11 = array.join %10
// next: array.yield %11
// next: }
// next: array.yield %8
// next: }
// next: %7 = array.join %6
// next: array.yield %7
// next: }
// next: array.yield %4
// next: }
// next: %3 = array.map %2 as %arg0 {
// next: %4 = array.transpose %arg0
// next: %5 = array.map %4 as %arg1 {
// next: %6 = array.join %arg1
// next: array.yield %6
// next: }
// next: array.yield %5
// next: }
// next: %tile2D = array.join %3
// next: return %tile2D : !array.of<4 x 6 x i32>
// next: }
// eval: @tile2D([[1, 2, 3, 4, 5, 6], [2, 2, 2, 2, 2, 2], [3, 4, 5, 6, 7, 8], [1, 1, 1, 2, 2, 2]]) == [[1, 4, 9, 16, 25, 36], [4, 4, 4, 4, 4, 4], [9, 16, 25, 36, 49, 64], [1, 1, 1, 4, 4, 4]]

func.func @stencil(%x: !array.of<6 x 8 x i32>) -> !array.of<4 x 6 x i32> {
  %w = array.slide_nd [3, 3] by [1, 1] %x
  %stencil = array.map_nd 2 %w as %window {
    %all = array.join %window
    %s = array.reduce add %all as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %stencil : !array.of<4 x 6 x i32>
}
// check: func.func @stencil
// next: %0 = array.map %x as %arg0 {
// next: %5 = array.slide strict 4 by 2 %arg0
// next: array.yield %5
// next: }
// next: %1 = array.slide strict 4 by 2 %0
// next: %2 = array.map %1 as %arg0 {
// next: %5 = array.transpose %arg0
// next: array.yield %5
// next: }
// next: %3 = array.map "tiles" %2 as %arg0 {
// next: %5 = array.map "tile" %arg0 as %arg1 {
// next: %6 = array.map %arg1 as %arg2 {
// next: %10 = array.slide 3 by 1 %arg2
// next: array.yield %10
// next: }
// next: %7 = array.slide 3 by 1 %6
// next: %8 = array.map %7 as %arg2 {
// next: %10 = array.transpose %arg2
// next: array.yield %10
// next: }
// next: %9 = array.map "windows" %8 as %arg2 {
// next: %10 = array.map "window" %arg2 as %window {
// next: %all = array.join %window
// next: %s = array.reduce add %all as %a {
// next: array.yield %a
// next: }
// next: array.yield %s
// next: }
// next: array.yield %10
// next: }
// next: array.yield %9
// next: }
// next: array.yield %5
// next: }
// next: %4 = array.map %3 as %arg0 {
// next: %5 = array.transpose %arg0
// next: %6 = array.map %5 as %arg1 {
// next: %7 = array.join %arg1
// next: array.yield %7
// next: }
// next: array.yield %6
// next: }
// next: %stencil = array.join %4
// next: return %stencil : !array.of<4 x 6 x i32>
// next: }
// eval: @stencil([[1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2, 2, 2, 2, 2, 2], [1, 0, 1, 0, 1, 0, 1, 0], [3, 3, 3, 3, 3, 3, 3, 3], [0, 1, 0, 1, 0, 1, 0, 1], [5, 4, 3, 2, 1, 0, 1, 2]]) == [[14, 16, 20, 22, 26, 28], [17, 16, 17, 16, 17, 16], [12, 12, 12, 12, 12, 12], [22, 20, 16, 14, 12, 14]]

func.func @tree(%x: !array.of<16 x f32>, %z: f32) -> f32 {
  %tree = array.reduce add init %z %x as %a {
    %c = arith.mulf %a, %a : f32
    array.yield %c
  }
  return %tree : f32
}
// check: func.func @tree
// next: %0 = array.split 2 %x
// next: %1 = array.map %0 as %arg0 {
// next: %4 = array.reduce add %arg0 as %a {
// next: %c = arith.mulf %a, %a : f32
// next: array.yield %c
// next: }
// next: array.yield %4
// next: }
// next: %2 = array.split 2 %1
// next: %3 = array.map %2 as %arg0 {
// next: %4 = array.reduce add %arg0 as %arg1 {
// next: array.yield %arg1
// next: }
// next: array.yield %4
// next: }
// next: %tree = array.reduce add init %z %3 as %arg0 {
// next: array.yield %arg0
// next: }
// next: return %tree : f32
// next: }
// eval: @tree([1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0], 0.5) == 120.5

func.func @coalesced(%x: !array.of<12 x i32>, %z: i32) -> i32 {
  %coalesced = array.reduce add init %z %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %coalesced : i32
}
// check: func.func @coalesced
// next: %0 = array.reorder strided 3 %x
// next: %1 = array.split 4 %0
// next: %2 = array.map "chunks" %1 as %arg0 {
// next: %3 = array.reduce add %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %3
// next: }
// next: %coalesced = array.reduce add init %z %2 as %arg0 {
// next: array.yield %arg0
// next: }
// next: return %coalesced : i32
// next: }
// eval: @coalesced([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 7) == 657

func.func @lanes(%x: !array.of<12 x i32>, %z: i32) -> i32 {
  %lanes = array.reduce add init %z %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %lanes : i32
}
// check: func.func @lanes
// next: %0 = array.as_vector 4 %x
// next: %lanes = array.reduce add init %z %0 as %arg0 {
// next: %1 = arith.muli %arg0, %arg0 : vector<4xi32>
// next: %2 = vector.reduction <add>, %1 : vector<4xi32> into i32
// next: array.yield %2
// next: }
// next: return %lanes : i32
// next: }
// eval: @lanes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 7) == 657

func.func @prefetched(%x: !array.of<2 x 3 x i32>) -> !array.of<2 x i32> {
  %prefetched = array.map %x as %row {
    %s = array.reduce max %row as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %prefetched : !array.of<2 x i32>
}
// check: func.func @prefetched
// next: %prefetched = array.map %x as %arg0 {
// next: %0 = array.place #gpu.address_space<workgroup> %arg0
// next: %s = array.reduce max %0 as %a {
// next: array.yield %a
// next: }
// next: array.yield %s
// next: }
// next: return %prefetched : !array.of<2 x i32>
// next: }
// eval: @prefetched([[1, 2, 3], [6, 5, 4]]) == [3, 6]

func.func @weights(%w: !array.of<4 x 3 x i32>, %x: !array.of<3 x i32>) -> !array.of<4 x i32> {
  %weights = array.map %w as %k {
    %s = array.reduce add (array.zip %k, %x) as %a, %b {
      %c = arith.muli %a, %b : i32
      array.yield %c
    }
    array.yield %s
  }
  return %weights : !array.of<4 x i32>
}
// check: func.func @weights
// next: %0 = array.split 2 %w
// next: %1 = array.map "groups" %0 as %arg0 {
// next: %2 = array.map "kernel" %arg0 as %k {
// next: %3 = array.zip %k, %x
// next: %s = array.reduce add %3 as %a, %b {
// next: %c = arith.muli %a, %b : i32
// next: array.yield %c
// next: }
// next: array.yield %s
// next: }
// next: array.yield %2
// next: }
// next: %weights = array.join %1
// next: return %weights : !array.of<4 x i32>
// next: }
// eval: @weights([[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 1, 1]], [1, 2, 3]) == [14, 32, 50, 6]

// Rows of one matrix with rows of another: tiles, in each the products of all pairs at once, with the tile of the second fetched
// columns first.
func.func @matmul(%x: !array.of<4 x 5 x i32>, %y: !array.of<6 x 5 x i32>) -> !array.of<4 x 6 x i32> {
  %rows = array.map %x as %a {
    %columns = array.map %y as %b {
      %s = array.reduce add (array.zip %a, %b) as %p, %q {
        %c = arith.muli %p, %q : i32
        array.yield %c
      }
      array.yield %s
    }
    array.yield %columns
  }
  return %rows : !array.of<4 x 6 x i32>
}
// check: func.func @matmul
// next: %0 = array.split 2 %x
// next: %1 = array.split 3 %y
// next: %2 = array.map "rowTiles" %0 as %arg0 {
// next: %3 = array.map "columnTiles" %1 as %arg1 {
// next: %6 = array.transpose %arg1
// next: %7 = array.place #gpu.address_space<workgroup> %6
// next: %8 = array.transpose %arg0
// next: %9 = array.zip %8, %7
// next: %sum = array.reduce add %9 as %arg2, %arg3 {
// next: %10 = array.map "inRows" %arg2 as %p {
// next: %11 = array.map "inColumns" %arg3 as %q {
// next: %c = arith.muli %p, %q : i32
// next: array.yield %c
// next: }
// next: array.yield %11
// next: }
// next: array.yield %10
// next: }
// next: %sum_0 = array.place #gpu.address_space<private> %sum
// next: array.yield %sum_0
// next: }
// next: %4 = array.transpose %3
// next: %5 = array.map %4 as %arg1 {
// next: %columns = array.join %arg1
// next: array.yield %columns
// next: }
// next: array.yield %5
// next: }
// next: %rows = array.join %2
// next: return %rows : !array.of<4 x 6 x i32>
// next: }
// eval: @matmul([[1, 2, 3, 4, 5], [0, 1, 0, 1, 0], [2, 2, 2, 2, 2], [5, 4, 3, 2, 1]], [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [1, 1, 1, 1, 1], [1, 2, 3, 4, 5], [0, 0, 0, 0, 1]]) == [[1, 2, 3, 15, 55, 5], [0, 1, 0, 2, 6, 0], [2, 2, 2, 10, 30, 2], [5, 4, 3, 15, 35, 1]]

func.func @maps(%x: !array.of<8 x f32>) -> !array.of<8 x f32> {
  %y = array.map %x as %a {
    %c = arith.mulf %a, %a : f32
    array.yield %c
  }
  return %y : !array.of<8 x f32>
}
// check: func.func @maps
// next: %0 = array.as_vector 4 %x
// next: %1 = array.map %0 as %arg0 {
// next: %2 = arith.mulf %arg0, %arg0 : vector<4xf32>
// next: array.yield %2
// next: }
// next: %y = array.as_scalar %1
// next: return %y : !array.of<8 x f32>
// next: }
// eval: @maps([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]) == [1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 49.0, 64.0]
