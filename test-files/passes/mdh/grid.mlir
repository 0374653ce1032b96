// test: opt --pipeline="func.func(mdh-schedule{target=cuda})"
// snapshot:
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

// Blocks of wide tiles fill the device: two groups of four rows and columns per thread, the left operand transposed.
func.func @large(%A: tensor<2048x512xf32>, %B: tensor<512x2048xf32>) -> tensor<2048x2048xf32> {
  %c = mdh.compute (i in 2048, j in 2048, k in 512 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<2048x512xf32>, tensor<512x2048xf32>) -> tensor<2048x2048xf32>
  return %c : tensor<2048x2048xf32>
}
// check: mdh.schedule = ["1: (128,128,^) (^,^ ; ^) (BLK.y,BLK.x,^)", "5: (64,64,^) (^,^ ; ^) (UNR.1,UNR.2,^)", "2: (4,4,^) (^,^ ; RM) (THR.y,THR.x,^)", "6: (1,1,^) (^,^ ; ^) (UNR.1,UNR.2,^)", "3: (^,^,8) (SM[2,1],SM ; ^) (^,^,FOR.1)", "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]

// Columns become rows: squares in shared memory, each row rotated against the one before.
func.func @columns(%A: tensor<512x600xf32>) -> tensor<600x512xf32> {
  %c = mdh.compute (i in 600, j in 512) ins(%a = %A[j, i]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<512x600xf32>) -> tensor<600x512xf32>
  return %c : tensor<600x512xf32>
}
// check: SM swizzle 1

// A contiguous reduction: a block per row, rounds of its threads inside, whose lanes exchange sums.
func.func @rows(%A: tensor<64x5000xf32>) -> tensor<64xf32> {
  %c = mdh.compute (i in 64, k in 5000 pw add) ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<64x5000xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
// check: mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "3: (^,512~limit) (^ ; ^) (^,FOR.1)", "2: (^,4) (^ ; ^) (^,THR.x(shuffle))", "4: (^,1) (^ ; ^) (^,VEC.x)"]

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
func.func @whole(%A: tensor<1000000xf32>, %I: tensor<f32>) -> tensor<f32> {
  %c = mdh.compute "whole" (k in 1000000 pw add) ins(%a = %A[k]) outs([] into %I) {
    mdh.yield %a : f32
  } : (tensor<1000000xf32>, tensor<f32>) -> tensor<f32>
  return %c : tensor<f32>
}
// check: mdh.compute "whole_parts" (part in 98, k in 10240 pw add) where 10240 * part + k < 1000000 ins(%a = %A[10240 * part + k]) outs([part])
// check: mdh.compute "whole" (part in 98 pw add) ins(%arg0 = %0[part]) outs([] into %I)

// Two blocks for all results: parts side by side, a multiple of a staged tile deep.
func.func @small_product(%A: tensor<128x1024xf32>, %B: tensor<1024x32xf32>) -> tensor<128x32xf32> {
  %c = mdh.compute "small" (i in 128, j in 32, k in 1024 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<128x1024xf32>, tensor<1024x32xf32>) -> tensor<128x32xf32>
  return %c : tensor<128x32xf32>
}
// check: mdh.compute "small_parts" (part in 16, i in 128, j in 32, k in 64 pw add) ins(%a = %A[i, 64 * part + k], %b = %B[64 * part + k, j]) outs([part, i, j])
// check: mdh.compute "small" (i in 128, j in 32, part in 16 pw add) ins(%arg0 = %0[part, i, j]) outs([i, j])

// Coordinates as values are those of the whole, and parts keep their order.
func.func @last_even(%A: tensor<100000xi32>) -> tensor<i32> {
  %c = mdh.compute "last" (k in 100000 pw max) ins(%a = %A[k]) outs([]) {
    %k = mdh.index 0
    %i = arith.index_cast %k : index to i32
    %s = arith.andi %a, %i : i32
    mdh.yield %s : i32
  } : (tensor<100000xi32>) -> tensor<i32>
  return %c : tensor<i32>
}
// check: mdh.compute "last_parts" (part in 10, k in 10240 pw max) where 10240 * part + k < 100000 ins(%a = %A[10240 * part + k]) outs([part])
// check: %{{.*}} = mdh.index 0
// check: arith.muli
// check: mdh.compute "last" (part in 10 pw max) ins(%arg0 = %0[part]) outs([])

// Columns and rows are short: other dimensions of the same operand lengthen a thread's tile, and blocks are along all of them.
func.func @contraction(%X: tensor<24x24x16x16xf32>, %Y: tensor<16x16x24x24xf32>) -> tensor<16x16x24x24x16x16xf32> {
  %z = mdh.compute "contraction" (a in 16, b in 16, c in 24, d in 24, e in 16, f in 16, g in 24 pw add)
       ins(%x = %X[g, d, a, b], %y = %Y[e, f, g, c]) outs([a, b, c, d, e, f]) {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<24x24x16x16xf32>, tensor<16x16x24x24xf32>) -> tensor<16x16x24x24x16x16xf32>
  return %z : tensor<16x16x24x24x16x16xf32>
}
// check: mdh.schedule = ["1: (1,1,^,^,1,^,^) (^,^ ; ^) (BLK.x,BLK.y,^,^,BLK.z,^,^)", "2: (^,^,4,^,^,^,^) (^,^ ; ^) (^,^,FOR.1,^,^,^,^)", "6: (^,^,1,8,^,^,^) (^,^ ; ^) (^,^,UNR.2,UNR.1,^,^,^)", "3: (^,^,^,1,^,1,^) (^,^ ; RM) (^,^,^,THR.y,^,THR.x,^)", "4: (^,^,^,^,^,^,16~limit) (SM,SM[1,3,4,2] ; ^) (^,^,^,^,^,^,FOR.1)", "5: (^,^,^,^,^,^,1) (^,^ ; ^) (^,^,^,^,^,^,FOR.1)"]

// Edges: tiles of memory do not follow them, a thread's elements stay in registers.
func.func @edges(%A: tensor<112x112x64xf32>, %B: tensor<3x3x64x128xf32>) -> tensor<112x112x128xf32> {
  %o = mdh.compute "conv" (p in 112, q in 112, k in 128, r in 3 pw add, s in 3 pw add, c in 64 pw add)
       where 0 <= p + r - 1 < 112, 0 <= q + s - 1 < 112
       ins(%a = %A[p + r - 1, q + s - 1, c], %b = %B[r, s, c, k]) outs([p, q, k]) {
    %m = arith.mulf %a, %b : f32
    mdh.yield %m : f32
  } : (tensor<112x112x64xf32>, tensor<3x3x64x128xf32>) -> tensor<112x112x128xf32>
  return %o : tensor<112x112x128xf32>
}
// check: mdh.schedule = ["1: (1,16,^,^,^,^) (^,^ ; ^) (BLK.y,BLK.x,^,^,^,^)", "4: (^,4,32,^,^,^) (^,^ ; ^) (^,UNR.1,UNR.2,^,^,^)", "2: (^,1,1,^,^,^) (^,^ ; RM) (^,THR.y,THR.x,^,^,^)", "3: (^,^,^,1,1,1) (^,^ ; ^) (^,^,^,FOR.1,FOR.2,FOR.3)"]
