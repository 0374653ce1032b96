// test: round-trip
// What computations mean, on sizes that are worked out by hand.

func.func @dot(%A: tensor<4xi32>, %B: tensor<4xi32>) -> tensor<i32> {
  %d = mdh.compute (k in 4 pw add) ins(%a = %A[k], %b = %B[k]) outs([]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<4xi32>, tensor<4xi32>) -> tensor<i32>
  return %d : tensor<i32>
}
// eval: @dot([1, 2, 3, 4], [5, 6, 7, 8]) == [70]

func.func @matvec(%M: tensor<2x3xf32>, %V: tensor<3xf32>) -> tensor<2xf32> {
  %w = mdh.compute (i in 2, k in 3 pw add) ins(%m = %M[i, k], %v = %V[k]) outs([i]) {
    %p = arith.mulf %m, %v : f32
    mdh.yield %p : f32
  } : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %w : tensor<2xf32>
}
// eval: @matvec([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.5, 2.0]) == [8.0, 18.5]

func.func @matmul(%A: tensor<2x3xi32>, %B: tensor<3x2xi32>) -> tensor<2x2xi32> {
  %c = mdh.compute (i in 2, j in 2, k in 3 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  return %c : tensor<2x2xi32>
}
// eval: @matmul([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]) == [58, 64, 139, 154]

func.func @max_plus(%A: tensor<2x2xi32>, %B: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %c = mdh.compute (i in 2, j in 2, k in 2 pw max) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.addi %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  return %c : tensor<2x2xi32>
}
// eval: @max_plus([1, 2, 3, 4], [10, 20, 30, -40]) == [32, 21, 34, 23]

// Padding by a condition: what is outside contributes nothing; the bias comes in front, once.
func.func @conv(%I: tensor<3x3xi32>, %F: tensor<3x3xi32>, %bias: tensor<i32>) -> tensor<3x3xi32> {
  %m = mdh.compute (p in 3, q in 3, r in 3 pw add, s in 3 pw add) where 0 <= p + r - 1 < 3, 0 <= q + s - 1 < 3
       ins(%x = %I[p + r - 1, q + s - 1], %w = %F[r, s]) outs([p, q] into %bias[]) {
    %v = arith.muli %x, %w : i32
    mdh.yield %v : i32
  } : (tensor<3x3xi32>, tensor<3x3xi32>, tensor<i32>) -> tensor<3x3xi32>
  return %m : tensor<3x3xi32>
}
// eval: @conv([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1, 1, 1, 1, 1, 1, 1, 1], [100]) == [112, 121, 116, 127, 145, 133, 124, 139, 128]

func.func @scan(%X: tensor<5xi32>) -> tensor<5xi32> {
  %y = mdh.compute (i in 5 ps add) ins(%x = %X[i]) outs([i]) {
    mdh.yield %x : i32
  } : (tensor<5xi32>) -> tensor<5xi32>
  return %y : tensor<5xi32>
}
// eval: @scan([1, 2, 3, 4, 5]) == [1, 3, 6, 10, 15]

// Histogram: every value meets every bin, and counts where they are equal.
func.func @histogram(%E: tensor<6xindex>) -> tensor<3xi32> {
  %h = mdh.compute (e in 6 pw add, b in 3) ins(%v = %E[e]) outs([b]) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %b = mdh.index 1
    %hit = arith.cmpi eq, %v, %b : index
    %c = arith.select %hit, %one, %zero : i32
    mdh.yield %c : i32
  } : (tensor<6xindex>) -> tensor<3xi32>
  return %h : tensor<3xi32>
}
// eval: @histogram([2, 0, 2, 1, 2, 7]) == [1, 1, 3]

func.func @jacobi(%A: tensor<6xf32>) -> tensor<4xf32> {
  %third = arith.constant 0.5 : f32
  %s = mdh.compute (i in 4) ins(%l = %A[i], %c = %A[i + 1], %r = %A[i + 2], %f = %third) outs([i]) {
    %0 = arith.addf %l, %c : f32
    %1 = arith.addf %0, %r : f32
    %2 = arith.mulf %1, %f : f32
    mdh.yield %2 : f32
  } : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, f32) -> tensor<4xf32>
  return %s : tensor<4xf32>
}
// eval: @jacobi([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == [3.0, 4.5, 6.0, 7.5]

// Maximum bottom-box sum: prefixes over rows of the sums of rows, then the largest.
func.func @mbbs(%X: tensor<3x2xi32>) -> tensor<i32> {
  %z = mdh.compute (i in 3 ps add, j in 2 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : i32
  } : (tensor<3x2xi32>) -> tensor<3xi32>
  %m = mdh.compute (i in 3 pw max) ins(%x = %z[i]) outs([]) {
    mdh.yield %x : i32
  } : (tensor<3xi32>) -> tensor<i32>
  return %m : tensor<i32>
}
// eval: @mbbs([1, 2, 3, 4, -5, -6]) == [10]

func.func @sum_max(%X: tensor<4xi32>) -> (tensor<i32>, tensor<i32>) {
  %u, %v = mdh.compute (i in 4 pw (add, max)) ins(%x = %X[i]) outs([], []) {
    mdh.yield %x, %x : i32, i32
  } : (tensor<4xi32>) -> (tensor<i32>, tensor<i32>)
  return %u, %v : tensor<i32>, tensor<i32>
}
// eval: @sum_max([3, -1, 7, 2]) == ([11], [7])

// Composition of affine functions x -> a·x + b: associative, not commutative; the order of points is kept.
func.func private @compose(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32)
    attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}

func.func @horner(%A: tensor<3xi32>, %B: tensor<3xi32>) -> (tensor<i32>, tensor<i32>) {
  %u, %v = mdh.compute (i in 3 pw @compose) ins(%a = %A[i], %b = %B[i]) outs([], []) {
    mdh.yield %a, %b : i32, i32
  } : (tensor<3xi32>, tensor<3xi32>) -> (tensor<i32>, tensor<i32>)
  return %u, %v : tensor<i32>, tensor<i32>
}
// eval: @horner([2, 3, 5], [1, 10, 100]) == ([30], [621])

func.func @horner_prefixes(%A: tensor<3xi32>, %B: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %u, %v = mdh.compute (i in 3 ps @compose) ins(%a = %A[i], %b = %B[i]) outs([i], [i]) {
    mdh.yield %a, %b : i32, i32
  } : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  return %u, %v : tensor<3xi32>, tensor<3xi32>
}
// eval: @horner_prefixes([2, 3, 5], [1, 10, 100]) == ([2, 6, 30], [1, 21, 621])

// Start values with a user's operator; places that no point writes keep theirs.
func.func @into(%A: tensor<3x2xi32>, %I: tensor<4xi32>) -> tensor<4xi32> {
  %u = mdh.compute (i in 2, k in 3 pw @first) ins(%a = %A[k, i]) outs([2 * i] into %I) {
    mdh.yield %a : i32
  } : (tensor<3x2xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %u : tensor<4xi32>
}
func.func private @first(%a: i32, %b: i32) -> i32
    attributes {sched.operator = {associative, exact, identity = [0 : i32]}} {
  %zero = arith.constant 0 : i32
  %none = arith.cmpi eq, %a, %zero : i32
  %r = arith.select %none, %b, %a : i32
  return %r : i32
}
// eval: @into([0, 5, 0, 6, 7, 8], [0, 2, 0, 4]) == [7, 2, 5, 4]

// Outside: a constant, a value; a guard; two accesses of one output.
func.func @outside(%A: tensor<2xi32>, %z: i32) -> tensor<8xi32> {
  %0 = mdh.compute (i in 4) ins(%a = %A[i - 1] else -1, %b = %A[i floordiv 2] else %z if i mod 2 = 0)
       outs([2 * i] | [2 * i + 1]) {
    mdh.yield %a, %b : i32, i32
  } : (tensor<2xi32>, tensor<2xi32>, i32) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}
// eval: @outside([10, 20], 99) == [-1, 10, 10, 99, 20, 20, -1, 99]

// No contribution at all: the identity.
func.func @empty(%A: tensor<4xi32>) -> tensor<2xi32> {
  %0 = mdh.compute (i in 2, k in 4 pw min) where k < 4 * i ins(%a = %A[k]) outs([i]) {
    mdh.yield %a : i32
  } : (tensor<4xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// eval: @empty([4, 3, 2, 5]) == [2147483647, 2]

// A whole tensor: the body computes where it reads.
func.func @gather(%T: tensor<4xi32>, %P: tensor<3xindex>) -> tensor<3xi32> {
  %r = mdh.compute "gather" (i in 3) ins(%p = %P[i], %t = %T) outs([i]) {
    %x = tensor.extract %t[%p] : tensor<4xi32>
    mdh.yield %x : i32
  } : (tensor<3xindex>, tensor<4xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @gather([5, 6, 7, 8], [3, 0, 3]) == [8, 5, 8]
// eval: @gather([5, 6, 7, 8], [3, 4, 3]) == trap E0308

// Places that a condition leaves out may lie outside of the result and of its start values.
func.func @left_out(%A: tensor<3xi32>, %I: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %r = mdh.compute (i in 3) where 0 < i ins(%a = %A[i]) outs([i - 1] into %I) {
    mdh.yield %a : i32
  } : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %s = mdh.compute (i in 3, k in 2 pw add) where 0 < i ins(%a = %A[i]) outs([i - 1] into %I) {
    mdh.yield %a : i32
  } : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %r, %s : tensor<3xi32>, tensor<3xi32>
}
// eval: @left_out([1, 2, 3], [10, 20, 30]) == ([2, 3, 30], [14, 26, 30])

// Where the order of the source is kept, sums begin with what they start from, as the loop does: ones are lost beside 100000000.
func.func @starts_first(%A: tensor<8xf32>, %S: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %r = mdh.compute (k in 8 pw add source) ins(%a = %A[k]) outs([0] into %S) {
    mdh.yield %a : f32
  } : (tensor<8xf32>, tensor<1xf32>) -> tensor<1xf32>
  %s = mdh.compute (k in 8 pw add) ins(%a = %A[k]) outs([0] into %S) {
    mdh.yield %a : f32
  } : (tensor<8xf32>, tensor<1xf32>) -> tensor<1xf32>
  return %r, %s : tensor<1xf32>, tensor<1xf32>
}
// eval: @starts_first([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [100000000.0]) == ([100000000.0], [100000008.0])
