// test: opt --pipeline="func.func(mdh-schedule{target=opencl})"
// Points that name their bins, on a grid.

// Each block has bins in shared memory, and adds them to all of them once.
func.func @histogram(%A: tensor<1048576xi32>) -> tensor<256xi32> {
  %r = mdh.compute (e in 1048576 pw add, b in 256) ins(%a = %A[e]) outs([b]) {
    %b = mdh.index 1
    %at = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.extui %hit : i1 to i32
    mdh.yield %n : i32
  } : (tensor<1048576xi32>) -> tensor<256xi32>
  return %r : tensor<256xi32>
}
// check: mdh.scatter = array<i64: 1>, mdh.schedule = ["1: (4096,^) (^ ; ^) (BLK.x(atomic),^)", "2: (^,^) (^ ; SM) (^,^)"

// More bins than shared memory holds: straight to where they are.
func.func @many(%A: tensor<1048576xi32>) -> tensor<131072xi32> {
  %r = mdh.compute (e in 1048576 pw add, b in 131072) ins(%a = %A[e]) outs([b]) {
    %b = mdh.index 1
    %at = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.extui %hit : i1 to i32
    mdh.yield %n : i32
  } : (tensor<1048576xi32>) -> tensor<131072xi32>
  return %r : tensor<131072xi32>
}
// check: @many
// check: mdh.scatter
// check-not: SM
// check: return

// Sums of floats are the same in each run unless their order is free.
func.func @weights(%A: tensor<4096xi32>, %W: tensor<4096xf32>) -> tensor<64xf32> {
  %r = mdh.compute (e in 4096 pw add, b in 64) ins(%a = %A[e], %w = %W[e]) outs([b]) {
    %b = mdh.index 1
    %at = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %z = arith.constant 0.0 : f32
    %n = arith.select %hit, %w, %z : f32
    mdh.yield %n : f32
  } : (tensor<4096xi32>, tensor<4096xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
// check: @weights
// check-not: mdh.scatter
// check: return

func.func @free(%A: tensor<4096xi32>, %W: tensor<4096xf32>) -> tensor<64xf32> {
  %r = mdh.compute (e in 4096 pw add free, b in 64) ins(%a = %A[e], %w = %W[e]) outs([b]) {
    %b = mdh.index 1
    %at = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %z = arith.constant 0.0 : f32
    %n = arith.select %hit, %w, %z : f32
    mdh.yield %n : f32
  } : (tensor<4096xi32>, tensor<4096xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
// check: @free
// check: mdh.scatter
