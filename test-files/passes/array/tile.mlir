// test: opt --pipeline='func.func(array-rewrite{strategy="(at(splitJoin) splitJoin(4))?; (at(joinSplit) joinSplit)?; (at(slideTiling) slideTiling(5, 3))?; (at(slideTilingStep) slideTilingStep(2))?; (at(padExtend) padExtend(2))?; (at(cropBack) cropBack(5))?; (at(sliceMap) sliceMap)?; (at(mapSlice) mapSlice)?; (at(tileStencil2D) tileStencil2D(5))?; (at(padExtend2D) padExtend2D(2))?; (at(tile2D) tile2D(4, 3))?; (at(tileRows) tileRows(2, strips, rows))?; (at(mapJoin) mapJoin)?"})'
// rule: splitJoin, joinSplit, slideTiling, slideTilingStep, padExtend, cropBack, sliceMap, mapSlice, tileStencil2D, padExtend2D, tile2D, tileRows, mapJoin

// Parts, windows of tiles, paddings.

func.func @splitJoin(%x: !array.of<4 * @n x i32>) -> !array.of<4 * @n x i32> {
  %splitJoin = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %splitJoin : !array.of<4 * @n x i32>
}
// check: func.func @splitJoin
// next: %0 = array.split 4 %x
// next: %1 = array.map "A" %0 as %arg0 {
// next: %2 = array.map %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %2
// next: }
// next: %splitJoin = array.join %1
// next: return %splitJoin : !array.of<4 * @n x i32>
// next: }
// eval: @splitJoin([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 4, 9, 16, 25, 36, 49, 64]

func.func @joinSplit(%x: !array.of<@n x 4 x i32>) -> !array.of<@n x 4 x i32> {
  %joinSplit = array.map "A" %x as %row {
    %r = array.map %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  return %joinSplit : !array.of<@n x 4 x i32>
}
// check: func.func @joinSplit
// next: %0 = array.join %x
// next: %1 = array.map "A" %0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %joinSplit = array.split 4 %1
// next: return %joinSplit : !array.of<@n x 4 x i32>
// next: }

func.func @slideTiling(%x: !array.of<3 * @n + 5 x i32>) -> !array.of<3 * @n + 3 x 3 x i32> {
  %slideTiling = array.slide 3 by 1 %x
  return %slideTiling : !array.of<3 * @n + 3 x 3 x i32>
}
// check: func.func @slideTiling
// next: %0 = array.slide strict 5 by 3 %x
// next: %1 = array.map %0 as %arg0 {
// next: %2 = array.slide 3 by 1 %arg0
// next: array.yield %2
// next: }
// next: %slideTiling = array.join %1
// next: return %slideTiling : !array.of<3 * @n + 3 x 3 x i32>
// next: }
// eval: @slideTiling([1, 2, 3, 4, 5, 6, 7, 8]) == [[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7], [6, 7, 8]]

func.func @slideTilingStep(%x: !array.of<23 x i32>) -> !array.of<10 x 4 x i32> {
  %slideTilingStep = array.slide 4 by 2 %x
  return %slideTilingStep : !array.of<10 x 4 x i32>
}
// check: func.func @slideTilingStep
// next: %0 = array.slide 6 by 4 %x
// next: %1 = array.map %0 as %arg0 {
// next: %2 = array.slide 4 by 2 %arg0
// next: array.yield %2
// next: }
// next: %slideTilingStep = array.join %1
// next: return %slideTilingStep : !array.of<10 x 4 x i32>
// next: }

func.func @padExtend(%x: !array.of<@n + 3 x i32>, %z: i32) -> !array.of<@n + 3 x i32> {
  %p = array.pad 1, 1 value %z %x
  %w = array.slide 3 by 1 %p
  %padExtend = array.map "A" %w as %window {
    %s = array.reduce add %window as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %padExtend : !array.of<@n + 3 x i32>
}
// check: func.func @padExtend
// next: %0 = array.pad 1, 3 value %z %x
// next: %1 = array.slide 3 by 1 %0
// next: %2 = array.map "A" %1 as %window {
// next: %s = array.reduce add %window as %a {
// next: array.yield %a
// next: }
// next: array.yield %s
// next: }
// next: %padExtend = array.slice 0, @n + 3 %2
// next: return %padExtend : !array.of<@n + 3 x i32>
// next: }
// eval: @padExtend([1, 2, 3, 4], 0) == [3, 6, 9, 7]

func.func @cropBack(%x: !array.of<@n + 3 x i32>) -> !array.of<@n + 3 x i32> {
  %cropBack = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %cropBack : !array.of<@n + 3 x i32>
}
// check: func.func @cropBack
// next: %0 = array.pad 0, 5 clamp %x
// next: %1 = array.map "A" %0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %cropBack = array.slice 0, @n + 3 %1
// next: return %cropBack : !array.of<@n + 3 x i32>
// next: }

func.func @sliceMap(%x: !array.of<@n + 3 x i32>) -> !array.of<@n x i32> {
  %t = array.slice 1, @n %x
  %sliceMap = array.map "A" %t as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %sliceMap : !array.of<@n x i32>
}
// check: func.func @sliceMap
// next: %0 = array.map "A" %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %sliceMap = array.slice 1, @n %0
// next: return %sliceMap : !array.of<@n x i32>
// next: }

func.func @mapSlice(%x: !array.of<@n + 3 x i32>) -> !array.of<@n x i32> {
  %t = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  %mapSlice = array.slice 1, @n %t
  return %mapSlice : !array.of<@n x i32>
}
// check: func.func @mapSlice
// next: %0 = array.slice 1, @n %x
// next: %mapSlice = array.map "A" %0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: return %mapSlice : !array.of<@n x i32>
// next: }

func.func @tileStencil2D(%x: !array.of<3 * @n + 5 x 8 x i32>) -> !array.of<3 * @n + 3 x 6 x i32> {
  %r0 = array.map %x as %row {
    %t = array.slide 3 by 1 %row
    array.yield %t
  }
  %r1 = array.slide 3 by 1 %r0
  %w = array.map %r1 as %row {
    %t = array.transpose %row
    array.yield %t
  }
  %tileStencil2D = array.map %w as %row {
    %r = array.map %row as %window {
      %all = array.join %window
      %s = array.reduce add %all as %a {
        array.yield %a
      }
      array.yield %s
    }
    array.yield %r
  }
  return %tileStencil2D : !array.of<3 * @n + 3 x 6 x i32>
}
// check: func.func @tileStencil2D
// next: %0 = array.map %x as %arg0 {
// next: %5 = array.slide strict 5 by 3 %arg0
// next: array.yield %5
// next: }
// next: %1 = array.slide strict 5 by 3 %0
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
// next: %tileStencil2D = array.join %4
// next: return %tileStencil2D : !array.of<3 * @n + 3 x 6 x i32>
// next: }

func.func @padExtend2D(%x: !array.of<@n + 5 x @m + 3 x i32>) -> !array.of<@n + 3 x @m + 1 x i32> {
  %r0 = array.map %x as %row {
    %t = array.slide 3 by 1 %row
    array.yield %t
  }
  %r1 = array.slide 3 by 1 %r0
  %w = array.map %r1 as %row {
    %t = array.transpose %row
    array.yield %t
  }
  %padExtend2D = array.map %w as %row {
    %r = array.map %row as %window {
      %all = array.join %window
      %s = array.reduce add %all as %a {
        array.yield %a
      }
      array.yield %s
    }
    array.yield %r
  }
  return %padExtend2D : !array.of<@n + 3 x @m + 1 x i32>
}
// check: func.func @padExtend2D
// next: %0 = array.pad 0, 2 clamp %x
// next: %padded = array.map %0 as %arg0 {
// next: %5 = array.pad 0, 2 clamp %arg0
// next: array.yield %5
// next: }
// next: %1 = array.map %padded as %arg0 {
// next: %5 = array.slide 3 by 1 %arg0
// next: array.yield %5
// next: }
// next: %2 = array.slide 3 by 1 %1
// next: %3 = array.map %2 as %arg0 {
// next: %5 = array.transpose %arg0
// next: array.yield %5
// next: }
// next: %extended = array.map "windows" %3 as %arg0 {
// next: %5 = array.map "window" %arg0 as %window {
// next: %all = array.join %window
// next: %s = array.reduce add %all as %a {
// next: array.yield %a
// next: }
// next: array.yield %s
// next: }
// next: array.yield %5
// next: }
// next: %4 = array.slice 0, @n + 3 %extended
// next: %padExtend2D = array.map %4 as %arg0 {
// next: %5 = array.slice 0, @m + 1 %arg0
// next: array.yield %5
// next: }
// next: return %padExtend2D : !array.of<@n + 3 x @m + 1 x i32>
// next: }

func.func @tile2D(%x: !array.of<4 * @n x 6 x i32>) -> !array.of<4 * @n x 6 x i32> {
  %tile2D = array.map "A" %x as %row {
    %r = array.map "B" %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  return %tile2D : !array.of<4 * @n x 6 x i32>
}
// check: func.func @tile2D
// next: %0 = array.split 4 %x
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
// next: %5 = array.map "A" %arg1 as %arg2 {
// next: %6 = array.map "B" %arg2 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %6
// next: }
// next: array.yield %5
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
// next: return %tile2D : !array.of<4 * @n x 6 x i32>
// next: }

func.func @mapJoin(%x: !array.of<@n x 4 x i32>) -> !array.of<4 * @n x i32> {
  %t = array.join %x
  %mapJoin = array.map "A" %t as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %mapJoin : !array.of<4 * @n x i32>
}
// check: func.func @mapJoin
// next: %0 = array.map "A" %x as %arg0 {
// next: %1 = array.map %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %1
// next: }
// next: %mapJoin = array.join %0
// next: return %mapJoin : !array.of<4 * @n x i32>
// next: }

func.func @tileRows(%x: !array.of<6 x 4 x i32>) -> !array.of<4 x 2 x i32> {
  %r0 = array.map %x as %row {
    %t = array.slide 3 by 1 %row
    array.yield %t
  }
  %r1 = array.slide 3 by 1 %r0
  %ws = array.map %r1 as %row {
    %t = array.transpose %row
    array.yield %t
  }
  %tileRows = array.map "A" %ws as %line {
    %0 = array.map %line as %w {
      %all = array.join %w
      %s = array.reduce add %all as %a {
        array.yield %a
      }
      array.yield %s
    }
    array.yield %0
  }
  return %tileRows : !array.of<4 x 2 x i32>
}
// eval: @tileRows([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 16], [17, 18, 19, 20], [21, 22, 23, 24]]) == [[54, 63], [90, 99], [126, 135], [162, 171]]
