// test: opt --pipeline='func.func(array-rewrite{strategy="(at(mapFusion) mapFusion)?; (at(mapFusionInZip) mapFusionInZip)?; (at(reduceMapFusion) reduceMapFusion)?; (at(foldMapFusion) foldMapFusion)?; (at(zipReduceFusion) zipReduceFusion)?; (at(fuseZipTuple) fuseZipTuple)?; (at(tupleMap) tupleMap)?"})'
// rule: mapFusion, mapFusionInZip, reduceMapFusion, foldMapFusion, zipReduceFusion, fuseZipTuple, tupleMap

// One pattern in place of two.

func.func @mapFusion(%x: !array.of<@n x i32>, %y: i32) -> !array.of<@n x i32> {
  %t = array.map %x : thread.x as %a {
    %b = arith.muli %a, %y : i32
    array.yield %b
  }
  %mapFusion = array.map "A" %t : thread.x as %a {
    %b = arith.addi %a, %a : i32
    array.yield %b
  }
  return %mapFusion : !array.of<@n x i32>
}
// check: func.func @mapFusion
// next: %mapFusion = array.map "A" %x : thread.x as %a {
// next: %b = arith.muli %a, %y : i32
// next: %b_0 = arith.addi %b, %b : i32
// next: array.yield %b_0
// next: }
// next: return %mapFusion : !array.of<@n x i32>
// next: }
// eval: @mapFusion([1, 2, 3], 4) == [8, 16, 24]

func.func @mapFusionInZip(%x: !array.of<@n x i32>, %y: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %s = array.map %x as %a {
    %b = arith.muli %a, %a : i32
    array.yield %b
  }
  %t = array.zip %s, %y
  %mapFusionInZip = array.map %t as %a, %b {
    %c = arith.addi %a, %b : i32
    array.yield %c
  }
  return %mapFusionInZip : !array.of<@n x i32>
}
// check: func.func @mapFusionInZip
// next: %0 = array.zip %x, %y
// next: %mapFusionInZip = array.map %0 as %a, %b {
// next: %b_0 = arith.muli %a, %a : i32
// next: %c = arith.addi %b_0, %b : i32
// next: array.yield %c
// next: }
// next: return %mapFusionInZip : !array.of<@n x i32>
// next: }

func.func @reduceMapFusion(%x: !array.of<@n x f32>, %z: f32) -> f32 {
  %t = array.map %x as %a {
    %b = arith.mulf %a, %a : f32
    array.yield %b
  }
  %reduceMapFusion = array.reduce add init %z : seq %t as %a {
    array.yield %a
  }
  return %reduceMapFusion : f32
}
// check: func.func @reduceMapFusion
// next: %reduceMapFusion = array.reduce add init %z : seq %x as %a {
// next: %b = arith.mulf %a, %a : f32
// next: array.yield %b
// next: }
// next: return %reduceMapFusion : f32
// next: }

func.func @foldMapFusion(%x: !array.of<@n x f32>, %z: f32) -> f32 {
  %t = array.map %x : seq as %a {
    %b = arith.mulf %a, %a : f32
    array.yield %b
  }
  %foldMapFusion = array.fold init %z %t as %acc, %a {
    %b = arith.subf %a, %acc : f32
    array.yield %b
  }
  return %foldMapFusion : f32
}
// check: func.func @foldMapFusion
// next: %foldMapFusion = array.fold init %z %x as %acc, %a {
// next: %b = arith.mulf %a, %a : f32
// next: %b_0 = arith.subf %b, %acc : f32
// next: array.yield %b_0
// next: }
// next: return %foldMapFusion : f32
// next: }

func.func @zipReduceFusion(%x: !array.of<@n x f32>, %y: !array.of<@n x i32>) -> tuple<f32, i32> {
  %s = array.reduce add %x as %a {
    array.yield %a
  }
  %t = array.reduce max %y as %a {
    array.yield %a
  }
  %zipReduceFusion = array.tuple %s, %t
  return %zipReduceFusion : tuple<f32, i32>
}
// check: func.func @zipReduceFusion
// next: %0 = array.zip %x, %y
// next: %zipReduceFusion = array.reduce add, max %0 as %a, %a_0 {
// next: array.yield %a, %a_0
// next: }
// next: return %zipReduceFusion : tuple<f32, i32>
// next: }

func.func @fuseZipTuple(%x: !array.of<@n x f32>, %y: !array.of<@n x i32>) -> !array.of<@n x tuple<i32, f32>> {
  %t = array.tuple %x, %y
  %a = array.get 1 %t
  %b = array.get 0 %t
  %fuseZipTuple = array.zip %a, %b
  return %fuseZipTuple : !array.of<@n x tuple<i32, f32>>
}
// check: func.func @fuseZipTuple
// next: %fuseZipTuple = array.zip %y, %x
// next: return %fuseZipTuple : !array.of<@n x tuple<i32, f32>>
// next: }

func.func @tupleMap(%x: !array.of<@n x f32>, %y: !array.of<@n x i32>) -> tuple<!array.of<@n x f32>, !array.of<@n x i32>> {
  %s = array.map %x as %a {
    %b = arith.addf %a, %a : f32
    array.yield %b
  }
  %t = array.map %y as %a {
    %b = arith.muli %a, %a : i32
    array.yield %b
  }
  %tupleMap = array.tuple %s, %t
  return %tupleMap : tuple<!array.of<@n x f32>, !array.of<@n x i32>>
}
// check: func.func @tupleMap
// next: %0 = array.zip %x, %y
// next: %1 = array.map %0 as %a, %a_0 {
// next: %b = arith.addf %a, %a : f32
// next: %b_1 = arith.muli %a_0, %a_0 : i32
// next: array.yield %b, %b_1
// next: }
// next: %2:2 = array.unzip %1
// next: %tupleMap = array.tuple %2#0, %2#1
// next: return %tupleMap : tuple<!array.of<@n x f32>, !array.of<@n x i32>>
// next: }
