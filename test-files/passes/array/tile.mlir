// test: opt --pipeline='func.func(array-rewrite{strategy="(at(splitJoin) splitJoin(4))?; (at(joinSplit) joinSplit)?; (at(slideTiling) slideTiling(5, 3))?; (at(slideTilingStep) slideTilingStep(2))?; (at(padExtend) padExtend(2))?; (at(cropBack) cropBack(5))?; (at(sliceMap) sliceMap)?; (at(mapSlice) mapSlice)?"})'
// rule: splitJoin, joinSplit, slideTiling, slideTilingStep, padExtend, cropBack, sliceMap, mapSlice

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
