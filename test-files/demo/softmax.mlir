// Softmax of rows: a graph of four computations.
// test: round-trip

func.func @softmax(%X: tensor<1280x1000xf32> {terrace.name = "X"}) -> (tensor<1280x1000xf32> {terrace.name = "Y"}) {
  %m = mdh.compute "max" (i in 1280, j in 1000 pw max) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<1280x1000xf32>) -> tensor<1280xf32>
  %e = mdh.compute "exp" (i in 1280, j in 1000) ins(%x = %X[i, j], %most = %m[i]) outs([i, j]) {
    %d = arith.subf %x, %most : f32
    %p = math.exp %d : f32
    mdh.yield %p : f32
  } : (tensor<1280x1000xf32>, tensor<1280xf32>) -> tensor<1280x1000xf32>
  %s = mdh.compute "sum" (i in 1280, j in 1000 pw add) ins(%x = %e[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<1280x1000xf32>) -> tensor<1280xf32>
  %Y = mdh.compute "scale" (i in 1280, j in 1000) ins(%x = %e[i, j], %sum = %s[i]) outs([i, j]) {
    %q = arith.divf %x, %sum : f32
    mdh.yield %q : f32
  } : (tensor<1280x1000xf32>, tensor<1280xf32>) -> tensor<1280x1000xf32>
  return %Y : tensor<1280x1000xf32>
}
