// A reduction that goes through a large buffer in order asks for lines 4 KB ahead; where rows are short and follow each other, for those of a
// later row. What a cache holds, and rows that do not follow each other, are left as they are.
// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4 units=1},mdh-to-sched,sched-fuse)"

func.func @long(%X: tensor<512x36560xf32>) -> tensor<512xf32> {
  %r = mdh.compute "long" (i in 512, j in 36560 pw max) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<512x36560xf32>) -> tensor<512xf32>
  return %r : tensor<512xf32>
}
// check: @long
// check: sched.read %X[%i1, %j1 + %j2 + %j3] {sched.ahead = array<i64: 1, 1024>}
// not: sched.ahead

func.func @short(%X: tensor<32768x512xf32>) -> tensor<32768xf32> {
  %r = mdh.compute "short" (i in 32768, j in 512 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<32768x512xf32>) -> tensor<32768xf32>
  return %r : tensor<32768xf32>
}
// check: @short
// check: sched.read %X[%i1, %j1 + %j2 + %j3] {sched.ahead = array<i64: 0, 2>}
// not: sched.ahead

func.func @rows_into_one(%X: tensor<86528x255xf32>) -> tensor<255xf32> {
  %r = mdh.compute "rows_into_one" (j in 255, i in 86528 pw add) ins(%x = %X[i, j]) outs([j]) {
    mdh.yield %x : f32
  } : (tensor<86528x255xf32>) -> tensor<255xf32>
  return %r : tensor<255xf32>
}
// check: @rows_into_one
// check: sched.read %X[%i1, %j2 + %j3 + %j4] {sched.ahead = array<i64: 0, 5>}
// not: sched.ahead

func.func @apart(%X: tensor<32768x1024xf32>) -> tensor<32768xf32> {
  %r = mdh.compute "apart" (i in 32768, j in 512 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<32768x1024xf32>) -> tensor<32768xf32>
  return %r : tensor<32768xf32>
}
// check: @apart
// not: sched.ahead

func.func @columns(%X: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %r = mdh.compute "columns" (j in 4096, i in 4096 pw add) ins(%x = %X[i, j]) outs([j]) {
    mdh.yield %x : f32
  } : (tensor<4096x4096xf32>) -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}
// check: @columns
// not: sched.ahead

func.func @small(%X: tensor<64x36560xf32>) -> tensor<64xf32> {
  %r = mdh.compute "small" (i in 64, j in 36560 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<64x36560xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
// check: @small
// not: sched.ahead
