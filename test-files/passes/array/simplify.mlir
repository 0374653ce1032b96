// test: opt --pipeline='func.func(array-rewrite{strategy="(at(transposeTranspose) transposeTranspose)?; (at(joinSplitId) joinSplitId)?; (at(splitJoinId) splitJoinId)?; (at(asScalarAsVector) asScalarAsVector)?; (at(asVectorAsScalar) asVectorAsScalar)?; (at(zipUnzip) zipUnzip)?; (at(unzipZip) unzipZip)?; (at(padSlice) padSlice)?; (at(mapId) mapId)?; (at(removeDuplicateZipArg) removeDuplicateZipArg)?; (at(removeDuplicateZipArgReduce) removeDuplicateZipArgReduce)?; (at(getTuple) getTuple)?; (at(tupleGet) tupleGet)?; (at(sliceAll) sliceAll)?; (at(castCast) castCast)?"})'
// rule: transposeTranspose, joinSplitId, splitJoinId, asScalarAsVector, asVectorAsScalar, zipUnzip, unzipZip, padSlice, mapId, removeDuplicateZipArg, removeDuplicateZipArgReduce, getTuple, tupleGet, sliceAll, castCast

// Pairs that undo each other.

func.func @transposeTranspose(%x: !array.of<@n x @m x i32>) -> !array.of<@n x @m x i32> {
  %t = array.transpose %x
  %transposeTranspose = array.transpose %t
  return %transposeTranspose : !array.of<@n x @m x i32>
}
// check: func.func @transposeTranspose
// next: return %x : !array.of<@n x @m x i32>
// next: }
// eval: @transposeTranspose([[1, 2, 3]]) == [[1, 2, 3]]

func.func @joinSplitId(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %t = array.split @m %x
  %joinSplitId = array.join %t
  return %joinSplitId : !array.of<@n x i32>
}
// check: func.func @joinSplitId
// next: return %x : !array.of<@n x i32>
// next: }

func.func @splitJoinId(%x: !array.of<@n x 4 x i32>) -> !array.of<@n x 4 x i32> {
  %t = array.join %x
  %splitJoinId = array.split 4 %t
  return %splitJoinId : !array.of<@n x 4 x i32>
}
// check: func.func @splitJoinId
// next: return %x : !array.of<@n x 4 x i32>
// next: }

func.func @asScalarAsVector(%x: !array.of<4 * @n x i32>) -> !array.of<4 * @n x i32> {
  %t = array.as_vector 4 %x
  %asScalarAsVector = array.as_scalar %t
  return %asScalarAsVector : !array.of<4 * @n x i32>
}
// check: func.func @asScalarAsVector
// next: return %x : !array.of<4 * @n x i32>
// next: }

func.func @asVectorAsScalar(%x: !array.of<@n x vector<4xi32>>) -> !array.of<@n x vector<4xi32>> {
  %t = array.as_scalar %x
  %asVectorAsScalar = array.as_vector 4 %t
  return %asVectorAsScalar : !array.of<@n x vector<4xi32>>
}
// check: func.func @asVectorAsScalar
// next: return %x : !array.of<@n x vector<4xi32>>
// next: }

func.func @zipUnzip(%x: !array.of<@n x tuple<i32, f32>>) -> !array.of<@n x tuple<i32, f32>> {
  %a, %b = array.unzip %x
  %zipUnzip = array.zip %a, %b
  return %zipUnzip : !array.of<@n x tuple<i32, f32>>
}
// check: func.func @zipUnzip
// next: return %x : !array.of<@n x tuple<i32, f32>>
// next: }

func.func @unzipZip(%x: !array.of<@n x i32>, %y: !array.of<@n x f32>) -> !array.of<@n x f32> {
  %t = array.zip %x, %y
  %unzipZip, %b = array.unzip %t
  return %b : !array.of<@n x f32>
}
// check: func.func @unzipZip
// next: return %y : !array.of<@n x f32>
// next: }

func.func @padSlice(%x: !array.of<@n x i32>, %z: i32) -> !array.of<@n x i32> {
  %t = array.pad 1, 2 value %z %x
  %padSlice = array.slice 1, @n %t
  return %padSlice : !array.of<@n x i32>
}
// check: func.func @padSlice
// next: return %x : !array.of<@n x i32>
// next: }

func.func @mapId(%x: !array.of<@n x tuple<i32, i32>>) -> !array.of<@n x tuple<i32, i32>> {
  %mapId = array.map %x as %a, %b {
    array.yield %a, %b
  }
  return %mapId : !array.of<@n x tuple<i32, i32>>
}
// check: func.func @mapId
// next: return %x : !array.of<@n x tuple<i32, i32>>
// next: }

func.func @removeDuplicateZipArg(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %t = array.zip %x, %x
  %removeDuplicateZipArg = array.map %t as %a, %b {
    %c = arith.muli %a, %b : i32
    array.yield %c
  }
  return %removeDuplicateZipArg : !array.of<@n x i32>
}
// check: func.func @removeDuplicateZipArg
// next: %removeDuplicateZipArg = array.map %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: return %removeDuplicateZipArg : !array.of<@n x i32>
// next: }

func.func @removeDuplicateZipArgReduce(%x: !array.of<@n x i32>) -> i32 {
  %t = array.zip %x, %x
  %removeDuplicateZipArgReduce = array.reduce add %t as %a, %b {
    %c = arith.muli %a, %b : i32
    array.yield %c
  }
  return %removeDuplicateZipArgReduce : i32
}
// check: func.func @removeDuplicateZipArgReduce
// next: %removeDuplicateZipArgReduce = array.reduce add %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: return %removeDuplicateZipArgReduce : i32
// next: }

func.func @getTuple(%x: !array.of<@n x i32>, %y: f32) -> f32 {
  %t = array.tuple %x, %y
  %getTuple = array.get 1 %t
  return %getTuple : f32
}
// check: func.func @getTuple
// next: return %y : f32
// next: }

func.func @tupleGet(%x: tuple<i32, f32>) -> tuple<i32, f32> {
  %a = array.get 0 %x
  %b = array.get 1 %x
  %tupleGet = array.tuple %a, %b
  return %tupleGet : tuple<i32, f32>
}
// check: func.func @tupleGet
// next: return %x : tuple<i32, f32>
// next: }

func.func @sliceAll(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %sliceAll = array.slice 0, @n %x
  return %sliceAll : !array.of<@n x i32>
}
// check: func.func @sliceAll
// next: return %x : !array.of<@n x i32>
// next: }

func.func @castCast(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %t = array.cast %x to !array.of<@m x i32>
  %castCast = array.cast %t to !array.of<@n x i32>
  return %castCast : !array.of<@n x i32>
}
// check: func.func @castCast
// next: return %x : !array.of<@n x i32>
// next: }
