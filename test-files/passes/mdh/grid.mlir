// test: opt --pipeline="func.func(mdh-schedule{target=cuda})"
// What accesses say about a schedule on a grid.

// Operands are used again along rows and columns: staged tiles, sixteen elements per thread.
func.func @product(%A: tensor<1024x512xf32>, %B: tensor<512x1024xf32>) -> tensor<1024x1024xf32> {
  %c = mdh.compute (i in 1024, j in 1024, k in 512 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<1024x512xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}
// check: mdh.schedule = ["1: (64,64,^) (^,^ ; ^) (BLK.y,BLK.x,^)", "5: (16,16,^) (^,^ ; ^) (UNR.1,UNR.2,^)", "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)", "3: (^,^,16) (SM,SM ; ^) (^,^,FOR.1)", "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]

// A contiguous reduction: a block per row, rounds of its threads inside.
func.func @rows(%A: tensor<64x5000xf32>) -> tensor<64xf32> {
  %c = mdh.compute (i in 64, k in 5000 pw add) ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<64x5000xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
// check: mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "3: (^,128~limit) (^ ; ^) (^,FOR.1)", "2: (^,1) (^ ; ^) (^,THR.x)"]

// A thread per result, side by side along the contiguous dimension.
func.func @stencil(%A: tensor<514x500xf32>) -> tensor<512x500xf32> {
  %s = mdh.compute (i in 512, j in 500) ins(%u = %A[i, j], %d = %A[i + 2, j]) outs([i, j]) {
    %0 = arith.addf %u, %d : f32
    mdh.yield %0 : f32
  } : (tensor<514x500xf32>, tensor<514x500xf32>) -> tensor<512x500xf32>
  return %s : tensor<512x500xf32>
}
// check: mdh.schedule = ["1: (1,128~limit) (^ ; ^) (BLK.y,BLK.x)", "2: (^,1) (^ ; ^) (^,THR.x)"]

// Nothing is kept: parts, then the parts together. The last part is shorter, and start values come once.
func.func @whole(%A: tensor<100000xf32>, %I: tensor<f32>) -> tensor<f32> {
  %c = mdh.compute "whole" (k in 100000 pw add) ins(%a = %A[k]) outs([] into %I) {
    mdh.yield %a : f32
  } : (tensor<100000xf32>, tensor<f32>) -> tensor<f32>
  return %c : tensor<f32>
}
// check: %0 = mdh.compute "whole_parts" (part in 391, k in 256 pw add) where 256 * part + k < 100000 ins(%a = %A[256 * part + k]) outs([part])
// check: mdh.compute "whole" (part in 391 pw add) ins(%arg0 = %0[part]) outs([] into %I)
