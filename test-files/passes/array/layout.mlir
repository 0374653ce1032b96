// test: opt --pipeline='func.func(array-rewrite{strategy="(at(slidePromotion) slidePromotion)?; (at(slideSwap) slideSwap)?; (at(joinSwap) joinSwap)?; (at(splitSwap) splitSwap)?; (at(transposeSwap) transposeSwap)?; (at(slideTransposeSwap) slideTransposeSwap)?; (at(transposeMapJoin) transposeMapJoin)?; (at(mapSplitTranspose) mapSplitTranspose)?; (at(splitTranspose) splitTranspose)?; (at(splitIntoZip) splitIntoZip)?; (at(reorderIntoZip) reorderIntoZip)?; (at(joinFromZip) joinFromZip)?; (at(reorderBothSides) reorderBothSides(4))?; (at(reorderIsTransposedSplit) reorderIsTransposedSplit)?"})'
// rule: slidePromotion, slideSwap, joinSwap, splitSwap, transposeSwap, slideTransposeSwap, transposeMapJoin, mapSplitTranspose, splitTranspose, splitIntoZip, reorderIntoZip, joinFromZip, reorderBothSides, reorderIsTransposedSplit

// Views past maps and past each other.

func.func @slidePromotion(%x: !array.of<@n + 3 x 2 x 4 x i32>) -> !array.of<@n + 1 x 3 x 8 x i32> {
  %t = array.map %x as %rows {
    %j = array.join %rows
    array.yield %j
  }
  %slidePromotion = array.slide 3 by 1 %t
  return %slidePromotion : !array.of<@n + 1 x 3 x 8 x i32>
}
// check: func.func @slidePromotion
// next: %0 = array.slide 3 by 1 %x
// next: %slidePromotion = array.map %0 as %arg0 {
// next: %1 = array.map %arg0 as %arg1 {
// next: %2 = array.join %arg1
// next: array.yield %2
// next: }
// next: array.yield %1
// next: }
// next: return %slidePromotion : !array.of<@n + 1 x 3 x 8 x i32>
// next: }

func.func @slideSwap(%x: !array.of<@n + 3 x 8 x i32>) -> !array.of<@n + 1 x 3 x 6 x 3 x i32> {
  %t = array.map %x as %row {
    %j = array.slide 3 by 1 %row
    array.yield %j
  }
  %slideSwap = array.slide 3 by 1 %t
  return %slideSwap : !array.of<@n + 1 x 3 x 6 x 3 x i32>
}
// check: func.func @slideSwap
// next: %0 = array.slide 3 by 1 %x
// next: %slideSwap = array.map %0 as %arg0 {
// next: %1 = array.map %arg0 as %row {
// next: %j = array.slide 3 by 1 %row
// next: array.yield %j
// next: }
// next: array.yield %1
// next: }
// next: return %slideSwap : !array.of<@n + 1 x 3 x 6 x 3 x i32>
// next: }

func.func @joinSwap(%x: !array.of<@n x @m x i32>) -> !array.of<@n * @m x i32> {
  %t = array.map "A" %x as %row {
    %r = array.map "B" %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  %joinSwap = array.join %t
  return %joinSwap : !array.of<@n * @m x i32>
}
// check: func.func @joinSwap
// next: %0 = array.join %x
// next: %joinSwap = array.map "A" %0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: return %joinSwap : !array.of<@m * @n x i32>
// next: }

func.func @splitSwap(%x: !array.of<4 * @n x i32>) -> !array.of<@n x 4 x i32> {
  %t = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  %splitSwap = array.split 4 %t
  return %splitSwap : !array.of<@n x 4 x i32>
}
// check: func.func @splitSwap
// next: %0 = array.split 4 %x
// next: %splitSwap = array.map %0 as %arg0 {
// next: %1 = array.map "A" %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %1
// next: }
// next: return %splitSwap : !array.of<@n x 4 x i32>
// next: }

func.func @transposeSwap(%x: !array.of<@n x @m x i32>) -> !array.of<@m x @n x i32> {
  %t = array.map "A" %x as %row {
    %r = array.map "B" %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  %transposeSwap = array.transpose %t
  return %transposeSwap : !array.of<@m x @n x i32>
}
// check: func.func @transposeSwap
// next: %0 = array.transpose %x
// next: %transposeSwap = array.map "B" %0 as %arg0 {
// next: %1 = array.map "A" %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %1
// next: }
// next: return %transposeSwap : !array.of<@m x @n x i32>
// next: }

func.func @slideTransposeSwap(%x: !array.of<@n x @m + 3 x i32>) -> !array.of<@m + 1 x 3 x @n x i32> {
  %t = array.transpose %x
  %slideTransposeSwap = array.slide 3 by 1 %t
  return %slideTransposeSwap : !array.of<@m + 1 x 3 x @n x i32>
}
// check: func.func @slideTransposeSwap
// next: %0 = array.map %x as %arg0 {
// next: %2 = array.slide 3 by 1 %arg0
// next: array.yield %2
// next: }
// next: %1 = array.transpose %0
// next: %slideTransposeSwap = array.map %1 as %arg0 {
// next: %2 = array.transpose %arg0
// next: array.yield %2
// next: }
// next: return %slideTransposeSwap : !array.of<@m + 1 x 3 x @n x i32>
// next: }

func.func @transposeMapJoin(%x: !array.of<@n x @m x 4 x i32>) -> !array.of<4 * @m x @n x i32> {
  %t = array.map %x as %rows {
    %j = array.join %rows
    array.yield %j
  }
  %transposeMapJoin = array.transpose %t
  return %transposeMapJoin : !array.of<4 * @m x @n x i32>
}
// check: func.func @transposeMapJoin
// next: %0 = array.transpose %x
// next: %1 = array.map %0 as %arg0 {
// next: %2 = array.transpose %arg0
// next: array.yield %2
// next: }
// next: %transposeMapJoin = array.join %1
// next: return %transposeMapJoin : !array.of<4 * @m x @n x i32>
// next: }

func.func @mapSplitTranspose(%x: !array.of<4 * @n x @m x i32>) -> !array.of<@m x @n x 4 x i32> {
  %t = array.transpose %x
  %mapSplitTranspose = array.map %t as %column {
    %p = array.split 4 %column
    array.yield %p
  }
  return %mapSplitTranspose : !array.of<@m x @n x 4 x i32>
}
// check: func.func @mapSplitTranspose
// next: %0 = array.split 4 %x
// next: %1 = array.map %0 as %arg0 {
// next: %2 = array.transpose %arg0
// next: array.yield %2
// next: }
// next: %mapSplitTranspose = array.transpose %1
// next: return %mapSplitTranspose : !array.of<@m x @n x 4 x i32>
// next: }

func.func @splitTranspose(%x: !array.of<@n x 4 * @m x i32>) -> !array.of<@m x 4 x @n x i32> {
  %t = array.transpose %x
  %splitTranspose = array.split 4 %t
  return %splitTranspose : !array.of<@m x 4 x @n x i32>
}
// check: func.func @splitTranspose
// next: %0 = array.map %x as %arg0 {
// next: %2 = array.split 4 %arg0
// next: array.yield %2
// next: }
// next: %1 = array.transpose %0
// next: %splitTranspose = array.map %1 as %arg0 {
// next: %2 = array.transpose %arg0
// next: array.yield %2
// next: }
// next: return %splitTranspose : !array.of<@m x 4 x @n x i32>
// next: }

func.func @splitIntoZip(%x: !array.of<4 * @n x i32>, %y: !array.of<4 * @n x f32>) -> !array.of<@n x 4 x tuple<i32, f32>> {
  %t = array.zip %x, %y
  %splitIntoZip = array.split 4 %t
  return %splitIntoZip : !array.of<@n x 4 x tuple<i32, f32>>
}
// check: func.func @splitIntoZip
// next: %0 = array.split 4 %x
// next: %1 = array.split 4 %y
// next: %2 = array.zip %0, %1
// next: %splitIntoZip = array.map %2 as %arg0, %arg1 {
// next: %3 = array.zip %arg0, %arg1
// next: array.yield %3
// next: }
// next: return %splitIntoZip : !array.of<@n x 4 x tuple<i32, f32>>
// next: }

func.func @reorderIntoZip(%x: !array.of<12 x i32>, %y: !array.of<12 x f32>) -> !array.of<12 x tuple<i32, f32>> {
  %t = array.zip %x, %y
  %reorderIntoZip = array.reorder strided 4 %t
  return %reorderIntoZip : !array.of<12 x tuple<i32, f32>>
}
// check: func.func @reorderIntoZip
// next: %0 = array.reorder strided 4 %x
// next: %1 = array.reorder strided 4 %y
// next: %reorderIntoZip = array.zip %0, %1
// next: return %reorderIntoZip : !array.of<12 x tuple<i32, f32>>
// next: }

func.func @joinFromZip(%x: !array.of<@n x 4 x i32>, %y: !array.of<@n x 4 x f32>) -> !array.of<4 * @n x tuple<i32, f32>> {
  %a = array.join %x
  %b = array.join %y
  %joinFromZip = array.zip %a, %b
  return %joinFromZip : !array.of<4 * @n x tuple<i32, f32>>
}
// check: func.func @joinFromZip
// next: %0 = array.zip %x, %y
// next: %1 = array.map %0 as %arg0, %arg1 {
// next: %2 = array.zip %arg0, %arg1
// next: array.yield %2
// next: }
// next: %joinFromZip = array.join %1
// next: return %joinFromZip : !array.of<4 * @n x tuple<i32, f32>>
// next: }
// eval: @joinFromZip([[1, 2, 3, 4]], [[1.0, 2.0, 3.0, 4.0]]) == [[1, 1.0], [2, 2.0], [3, 3.0], [4, 4.0]]

func.func @reorderBothSides(%x: !array.of<12 x i32>) -> !array.of<12 x i32> {
  %reorderBothSides = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %reorderBothSides : !array.of<12 x i32>
}
// check: func.func @reorderBothSides
// next: %0 = array.reorder strided 4 %x
// next: %1 = array.map "A" %0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %reorderBothSides = array.reorder strided 3 %1
// next: return %reorderBothSides : !array.of<12 x i32>
// next: }

func.func @reorderIsTransposedSplit(%x: !array.of<4 * @n x i32>) -> !array.of<4 * @n x i32> {
  %reorderIsTransposedSplit = array.reorder strided 4 %x
  return %reorderIsTransposedSplit : !array.of<4 * @n x i32>
}
// check: func.func @reorderIsTransposedSplit
// next: %0 = array.split 4 %x
// next: %1 = array.transpose %0
// next: %reorderIsTransposedSplit = array.join %1
// next: return %reorderIsTransposedSplit : !array.of<4 * @n x i32>
// next: }
