// test: opt --explain-schedule --target=cuda
// On a grid, the model of kernels ranks what was proposed.

func.func @product(%A: tensor<1000x1000xf32>, %B: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %c = mdh.compute (i in 1000, j in 1000, k in 1000 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %c : tensor<1000x1000xf32>
}
// check: product: schedule by `staged-tiles`, first of
// check: us estimated, limited by LSU; 256 blocks of 256 threads
// check: then `staged-tiles`,
// check: of the first
// check: `along-threads` proposed nothing: it requires a reduction in any order along a dimension in which an input is contiguous
