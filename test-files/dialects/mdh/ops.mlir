// test: round-trip
// The case studies of the paper and of the design, at their sizes.

func.func @dot(%A: tensor<16777216xf32>, %B: tensor<16777216xf32>) -> tensor<f32> {
  %d = mdh.compute "dot" (k in 16777216 pw add) ins(%a = %A[k], %b = %B[k]) outs([]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16777216xf32>, tensor<16777216xf32>) -> tensor<f32>
  return %d : tensor<f32>
}

func.func @matvec(%M: tensor<4096x4096xf32>, %V: tensor<4096xf32>) -> tensor<4096xf32> {
  %w = mdh.compute "matvec" (i in 4096, k in 4096 pw add) ins(%m = %M[i, k], %v = %V[k]) outs([i]) {
    %p = arith.mulf %m, %v : f32
    mdh.yield %p : f32
  } : (tensor<4096x4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
  return %w : tensor<4096xf32>
}

func.func @matmul(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  %c = mdh.compute "matmul" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %c : tensor<16x1000xf32>
}

func.func @matmul_transposed(%A: tensor<64x10xf32>, %B: tensor<500x64xf32>) -> tensor<500x10xf32> {
  %t = mdh.compute "matmulT" (i in 10, j in 500, k in 64 pw add) ins(%a = %A[k, i], %b = %B[j, k]) outs([j, i]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<64x10xf32>, tensor<500x64xf32>) -> tensor<500x10xf32>
  return %t : tensor<500x10xf32>
}

func.func @bmm(%A: tensor<16x10x64xf32>, %B: tensor<16x64x500xf32>) -> tensor<16x10x500xf32> {
  %b = mdh.compute "bmm" (b in 16, i in 10, j in 500, k in 64 pw add)
       ins(%x = %A[b, i, k], %y = %B[b, k, j]) outs([b, i, j]) {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<16x10x64xf32>, tensor<16x64x500xf32>) -> tensor<16x10x500xf32>
  return %b : tensor<16x10x500xf32>
}

func.func @mcc(%I: tensor<1x56x56x64xf32>, %F: tensor<64x3x3x64xf32>, %bias: tensor<64xf32>) -> tensor<1x56x56x64xf32> {
  %m = mdh.compute "mcc" (n in 1, p in 56, q in 56, k in 64, r in 3 pw add, s in 3 pw add, c in 64 pw add)
       where 0 <= p + r - 1 < 56, 0 <= q + s - 1 < 56
       ins(%x = %I[n, p + r - 1, q + s - 1, c], %w = %F[k, r, s, c]) outs([n, p, q, k] into %bias[k]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<1x56x56x64xf32>, tensor<64x3x3x64xf32>, tensor<64xf32>) -> tensor<1x56x56x64xf32>
  return %m : tensor<1x56x56x64xf32>
}

func.func @capsule(%I: tensor<1x9x9x512x4x4xf32>, %F: tensor<512x3x3x512x4x4xf32>) -> tensor<1x7x7x512x4x4xf32> {
  %g = mdh.compute "capsule" (n in 1, p in 7, q in 7, k in 512, r in 3 pw add, s in 3 pw add, c in 512 pw add,
                              mi in 4, mj in 4, mk in 4 pw add)
       ins(%x = %I[n, p + r, q + s, c, mi, mk], %w = %F[k, r, s, c, mk, mj]) outs([n, p, q, k, mi, mj]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<1x9x9x512x4x4xf32>, tensor<512x3x3x512x4x4xf32>) -> tensor<1x7x7x512x4x4xf32>
  return %g : tensor<1x7x7x512x4x4xf32>
}

func.func @jacobi3d(%A: tensor<512x512x512xf32>) -> tensor<510x510x510xf32> {
  %sixth = arith.constant 0.125 : f32
  %s = mdh.compute "jacobi3d" (i in 510, j in 510, k in 510)
       ins(%c = %A[i + 1, j + 1, k + 1], %n = %A[i, j + 1, k + 1], %s = %A[i + 2, j + 1, k + 1],
           %w = %A[i + 1, j, k + 1], %e = %A[i + 1, j + 2, k + 1], %f = %A[i + 1, j + 1, k], %b = %A[i + 1, j + 1, k + 2],
           %f1 = %sixth) outs([i, j, k]) {
    %0 = arith.addf %n, %s : f32
    %1 = arith.addf %w, %e : f32
    %2 = arith.addf %f, %b : f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    %5 = arith.addf %4, %c : f32
    %6 = arith.mulf %5, %f1 : f32
    mdh.yield %6 : f32
  } : (tensor<512x512x512xf32>, tensor<512x512x512xf32>, tensor<512x512x512xf32>, tensor<512x512x512xf32>,
       tensor<512x512x512xf32>, tensor<512x512x512xf32>, tensor<512x512x512xf32>, f32) -> tensor<510x510x510xf32>
  return %s : tensor<510x510x510xf32>
}

func.func @ccsdt(%X: tensor<24x16x24x16xf32>, %Y: tensor<24x16x24x16xf32>) -> tensor<24x16x16x16x24x16xf32> {
  %x = mdh.compute "ccsdt" (a in 24, b in 16, c in 16, d in 16, e in 24, f in 16, g in 24 pw add)
       ins(%x = %X[g, d, a, b], %y = %Y[e, f, g, c]) outs([a, b, c, d, e, f]) {
    %v = arith.mulf %x, %y : f32
    mdh.yield %v : f32
  } : (tensor<24x16x24x16xf32>, tensor<24x16x24x16xf32>) -> tensor<24x16x16x16x24x16xf32>
  return %x : tensor<24x16x16x16x24x16xf32>
}

func.func private @max_prl(%w1: i64, %i1: index, %w2: i64, %i2: index) -> (i64, index)
    attributes {sched.operator = {associative, commutative, exact, identity = [-1, 0 : index]}} {
  %more = arith.cmpi sgt, %w1, %w2 : i64
  %same = arith.cmpi eq, %w1, %w2 : i64
  %first = arith.cmpi slt, %i1, %i2 : index
  %tie = arith.andi %same, %first : i1
  %left = arith.ori %more, %tie : i1
  %w = arith.select %left, %w1, %w2 : i64
  %i = arith.select %left, %i1, %i2 : index
  return %w, %i : i64, index
}

func.func @prl(%N0: tensor<32768xi64>, %E0: tensor<65536xi64>) -> (tensor<32768xi64>, tensor<32768xindex>) {
  %m, %id = mdh.compute "prl" (i in 32768, j in 65536 pw @max_prl) ins(%n0 = %N0[i], %e0 = %E0[j]) outs([i], [i]) {
    %j = mdh.index 1
    %d = arith.subi %n0, %e0 : i64
    mdh.yield %d, %j : i64, index
  } : (tensor<32768xi64>, tensor<65536xi64>) -> (tensor<32768xi64>, tensor<32768xindex>)
  return %m, %id : tensor<32768xi64>, tensor<32768xindex>
}

func.func @histogram(%E: tensor<1048576xindex>) -> tensor<256xi32> {
  %one = arith.constant 1 : i32
  %h = mdh.compute "histogram" (e in 1048576 pw add, b in 256) ins(%v = %E[e], %u = %one) outs([b]) {
    %z = arith.constant 0 : i32
    %b = mdh.index 1
    %hit = arith.cmpi eq, %v, %b : index
    %c = arith.select %hit, %u, %z : i32
    mdh.yield %c : i32
  } : (tensor<1048576xindex>, i32) -> tensor<256xi32>
  return %h : tensor<256xi32>
}

func.func @scan(%X: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %y = mdh.compute "scan" (i in 1048576 ps add) ins(%x = %X[i]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<1048576xf32>) -> tensor<1048576xf32>
  return %y : tensor<1048576xf32>
}

func.func @mbbs(%X: tensor<4096x4096xf32>) -> tensor<f32> {
  %z = mdh.compute "mbbs" (i in 4096 ps add, j in 4096 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<4096x4096xf32>) -> tensor<4096xf32>
  %m = mdh.compute (i in 4096 pw max) ins(%x = %z[i]) outs([]) {
    mdh.yield %x : f32
  } : (tensor<4096xf32>) -> tensor<f32>
  return %m : tensor<f32>
}

func.func @sum_max(%X: tensor<1024xf32>) -> (tensor<f32>, tensor<f32>) {
  %u, %v = mdh.compute "sum_max" (i in 1024 pw (add, max)) ins(%x = %X[i]) outs([], []) {
    mdh.yield %x, %x : f32, f32
  } : (tensor<1024xf32>) -> (tensor<f32>, tensor<f32>)
  return %u, %v : tensor<f32>, tensor<f32>
}

// What the case studies do not use: order words, both accesses of one output, start values, outside, guards, equality.
func.func @rest(%A: tensor<16xf32>, %B: tensor<32xf32>, %z: f32) -> (tensor<32xf32>, tensor<4xf32>) {
  %0 = mdh.compute (i in 16) ins(%a = %A[2 * i - 3] else -1.5, %b = %A[(i + 1) floordiv 2] else %z if (i + 1) mod 2 = 0)
       outs([2 * i] | [2 * i + 1] into %B) attributes {note = "kept"} {
    mdh.yield %a, %b : f32, f32
  } : (tensor<16xf32>, tensor<16xf32>, tensor<32xf32>, f32) -> tensor<32xf32>
  %1 = mdh.compute (i in 4, j in 8 pw add source, k in 4 pw add source) where i = k, j < i + 4
       ins(%a = %A[j], %o = %A[0] else 0x7F800000 : f32) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<16xf32>, tensor<16xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<32xf32>, tensor<4xf32>
}
