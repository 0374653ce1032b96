// test: round-trip
// Case studies at sizes that the interpreter does at once; expectations are from a program that knows nothing of this one.

func.func @matmul_transposed(%A: tensor<4x2xi32>, %B: tensor<3x4xi32>) -> tensor<3x2xi32> {
  %r = mdh.compute "matmul_transposed" (i in 2, j in 3, k in 4 pw add)
       ins(%a = %A[k, i], %b = %B[j, k]) outs([j, i]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<4x2xi32>, tensor<3x4xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
// eval: @matmul_transposed([-3, 3, -3, 2, -3, 1, 0, 2], [0, -1, 0, -2, 0, -3, 3, -2, 3, -2, 2, 1]) == [3, -6, 0, -7, -9, 9]

func.func @batch_matmul(%A: tensor<2x2x3xi32>, %B: tensor<2x3x2xi32>) -> tensor<2x2x2xi32> {
  %r = mdh.compute "batch_matmul" (b in 2, i in 2, j in 2, k in 3 pw add)
       ins(%a = %A[b, i, k], %b = %B[b, k, j]) outs([b, i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<2x2x3xi32>, tensor<2x3x2xi32>) -> tensor<2x2x2xi32>
  return %r : tensor<2x2x2xi32>
}
// eval: @batch_matmul([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2], [0, -1, 0, -2, 0, -3, 3, -2, 3, -2, 2, 1]) == [0, 6, 0, 1, 6, -4, -1, -4]

func.func @mcc(%I: tensor<1x4x4x2xi32>, %F: tensor<2x3x3x2xi32>, %bias: tensor<2xi32>) -> tensor<1x4x4x2xi32> {
  %r = mdh.compute "mcc" (n in 1, p in 4, q in 4, k in 2, r in 3 pw add, s in 3 pw add, c in 2 pw add) where 0 <= p + r - 1 < 4, 0 <= q + s - 1 < 4
       ins(%a = %I[n, p + r - 1, q + s - 1, c], %b = %F[k, r, s, c]) outs([n, p, q, k] into %bias[k]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<1x4x4x2xi32>, tensor<2x3x3x2xi32>, tensor<2xi32>) -> tensor<1x4x4x2xi32>
  return %r : tensor<1x4x4x2xi32>
}
// eval: @mcc([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2, -1, -3, 0, -3, 3, -3, 2, -3, 1, 1, 2, 0, 2, -1, -2, -1, -2, 0, -3, 3], [0, -1, 0, -2, 0, -3, 3, -2, 3, -2, 2, 1, 2, 0, 3, 0, -1, 0, -2, 0, -3, -3, -2, 3, -2, 2, 1, 2, 1, 3, 0, -1, 0, -2, 0, -2], [3, 2]) == [-15, 8, -32, 23, -24, 31, -14, 23, -10, 23, -4, 16, -1, 3, 15, -9, 29, -14, 44, -5, 30, -3, 6, 9, 21, -16, 9, -12, -9, -6, -19, 1]

func.func @capsule(%I: tensor<1x4x4x1x2x2xi32>, %F: tensor<2x3x3x1x2x2xi32>) -> tensor<1x2x2x2x2x2xi32> {
  %r = mdh.compute "capsule" (n in 1, p in 2, q in 2, k in 2, r in 3 pw add, s in 3 pw add, c in 1 pw add, mi in 2, mj in 2, mk in 2 pw add)
       ins(%a = %I[n, p + r, q + s, c, mi, mk], %b = %F[k, r, s, c, mk, mj]) outs([n, p, q, k, mi, mj]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<1x4x4x1x2x2xi32>, tensor<2x3x3x1x2x2xi32>) -> tensor<1x2x2x2x2x2xi32>
  return %r : tensor<1x2x2x2x2x2xi32>
}
// eval: @capsule([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2, -1, -3, 0, -3, 3, -3, 2, -3, 1, 1, 2, 0, 2, -1, -2, -1, -2, 0, -3, 3, -3, 2, -3, 2, 1, 2, 0, 2, -1, -2, 0, -2, 0, -3, 3, -3, 2, -2, 2, 1, 2, 0, 2, -1, -1, 0, -2, 0, -3, 3, -3, 3], [0, -1, 0, -2, 0, -3, 3, -2, 3, -2, 2, 1, 2, 0, 3, 0, -1, 0, -2, 0, -3, -3, -2, 3, -2, 2, 1, 2, 1, 3, 0, -1, 0, -2, 0, -2, -3, -2, 3, -2, 2, 1, 3, 1, 3, 0, -1, 0, -2, 1, -2, -3, -2, 3, -2, 2, 2, 3, 1, 3, 0, -1, 0, -1, 1, -2, -3, -2, 3, -2, 3, 2]) == [6, 2, 8, -2, -2, 11, 1, 5, 7, 13, 1, 24, 4, -1, 6, -23, 5, -2, -9, 12, -15, -11, -21, -8, 5, -11, -6, -7, -9, -12, -24, -2]

func.func @ccsdt(%X: tensor<2x1x2x2xi32>, %Y: tensor<2x1x2x1xi32>) -> tensor<2x2x1x1x2x1xi32> {
  %r = mdh.compute "ccsdt" (a in 2, b in 2, c in 1, d in 1, e in 2, f in 1, g in 2 pw add)
       ins(%a = %X[g, d, a, b], %b = %Y[e, f, g, c]) outs([a, b, c, d, e, f]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<2x1x2x2xi32>, tensor<2x1x2x1xi32>) -> tensor<2x2x1x1x2x1xi32>
  return %r : tensor<2x2x1x1x2x1xi32>
}
// eval: @ccsdt([-3, 3, -3, 2, -3, 1, 0, 2], [0, -1, 0, -2]) == [3, 6, -1, -2, 0, 0, -2, -4]

func.func @strided_conv(%I: tensor<6x7xi32>, %F: tensor<3x2xi32>) -> tensor<2x3xi32> {
  %r = mdh.compute "strided_conv" (p in 2, q in 3, r in 3 pw add, s in 2 pw add)
       ins(%a = %I[2 * p + r, 2 * q + s], %b = %F[r, s]) outs([p, q]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<6x7xi32>, tensor<3x2xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @strided_conv([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2, -1, -3, 0, -3, 3, -3, 2, -3, 1, 1, 2, 0, 2, -1, -2, -1, -2, 0, -3, 3, -3, 2, -3, 2, 1, 2, 0, 2, -1, -2], [0, -1, 0, -2, 0, -3]) == [6, 9, 10, -1, -10, 1]

func.func @transposed_conv(%I: tensor<5xi32>, %F: tensor<3xi32>) -> tensor<11xi32> {
  %r = mdh.compute "transposed_conv" (o in 11, r in 3 pw add)
       ins(%a = %I[(o - r) floordiv 2] else 0 if (o - r) mod 2 = 0, %b = %F[r]) outs([o]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<5xi32>, tensor<3xi32>) -> tensor<11xi32>
  return %r : tensor<11xi32>
}
// eval: @transposed_conv([-3, 3, -3, 2, -3], [0, -1, 0]) == [0, 3, 0, -3, 0, 3, 0, -2, 0, 3, 0]

func.func @min_plus(%A: tensor<3x4xi32>, %B: tensor<4x2xi32>) -> tensor<3x2xi32> {
  %r = mdh.compute "min_plus" (i in 3, j in 2, k in 4 pw min)
       ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.addi %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<3x4xi32>, tensor<4x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
// eval: @min_plus([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2], [0, -1, 0, -2, 0, -3, 3, -2]) == [-3, -6, -3, -4, -1, -4]

func.func @bias_gradient(%A: tensor<4x5xi32>) -> tensor<5xi32> {
  %r = mdh.compute "bias_gradient" (i in 4 pw add, j in 5)
       ins(%a = %A[i, j]) outs([j]) {
    mdh.yield %a : i32
  } : (tensor<4x5xi32>) -> tensor<5xi32>
  return %r : tensor<5xi32>
}
// eval: @bias_gradient([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2, -1, -3, 0, -3, 3, -3, 2, -3]) == [-6, 4, -5, 1, -4]

func.func @transpose(%A: tensor<2x3x5xi32>) -> tensor<5x2x3xi32> {
  %r = mdh.compute "transpose" (a in 2, b in 3, c in 5)
       ins(%a = %A[a, b, c]) outs([c, a, b]) {
    mdh.yield %a : i32
  } : (tensor<2x3x5xi32>) -> tensor<5x2x3xi32>
  return %r : tensor<5x2x3xi32>
}
// eval: @transpose([-3, 3, -3, 2, -3, 1, 0, 2, 0, 2, -1, -2, -1, -3, 0, -3, 3, -3, 2, -3, 1, 1, 2, 0, 2, -1, -2, -1, -2, 0]) == [-3, 1, -1, -3, 1, -1, 3, 0, -2, 3, 1, -2, -3, 2, -1, -3, 2, -1, 2, 0, -3, 2, 0, -2, -3, 2, 0, -3, 2, 0]

func.func @histogram(%E: tensor<8xi32>) -> tensor<4xi32> {
  %r = mdh.compute "histogram" (e in 8 pw add, b in 4)
       ins(%a = %E[e]) outs([b]) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %moved = arith.addi %a, %three : i32
    %hit = arith.cmpi eq, %moved, %at : i32
    %n = arith.select %hit, %one, %zero : i32
    mdh.yield %n : i32
  } : (tensor<8xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// eval: @histogram([-3, 3, -3, 2, -3, 1, 0, 2]) == [3, 0, 0, 1]

// The best partner of each: a tuple of weight and number, with an operator of its own.
func.func private @better(%w1: i32, %i1: index, %w2: i32, %i2: index) -> (i32, index)
    attributes {sched.operator = {associative, commutative, exact, identity = [-2147483648 : i32, 0 : index]}} {
  %more = arith.cmpi sgt, %w2, %w1 : i32
  %same = arith.cmpi eq, %w1, %w2 : i32
  %first = arith.cmpi slt, %i2, %i1 : index
  %tie = arith.andi %same, %first : i1
  %right = arith.ori %more, %tie : i1
  %w = arith.select %right, %w2, %w1 : i32
  %i = arith.select %right, %i2, %i1 : index
  return %w, %i : i32, index
}

func.func @prl(%N: tensor<3xi32>, %E: tensor<5xi32>) -> (tensor<3xi32>, tensor<3xindex>) {
  %w, %id = mdh.compute "prl" (i in 3, j in 5 pw @better) ins(%n = %N[i], %e = %E[j]) outs([i], [i]) {
    %zero = arith.constant 0 : i32
    %j = mdh.index 1
    %d = arith.subi %n, %e : i32
    %m = arith.subi %zero, %d : i32
    %a = arith.minsi %d, %m : i32
    mdh.yield %a, %j : i32, index
  } : (tensor<3xi32>, tensor<5xi32>) -> (tensor<3xi32>, tensor<3xindex>)
  return %w, %id : tensor<3xi32>, tensor<3xindex>
}
// eval: @prl([-3, 3, -3], [0, -1, 0, -2, 0]) == ([-1, -3, -1], [3, 0, 3])
