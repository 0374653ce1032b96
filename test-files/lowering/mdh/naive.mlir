// test: opt --pipeline="func.func(mdh-to-sched)"
// Without a schedule: a sequential loop per dimension, kept ones outside; tensors become buffers.

func.func @matmul(%A: tensor<2x3xf32> {terrace.name = "A"}, %B: tensor<3x2xf32>) -> (tensor<2x2xf32> {terrace.name = "C"}) {
  %c = mdh.compute (i in 2, k in 3 pw add, j in 2) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}
// check: func.func @matmul(%A: memref<2x3xf32> {terrace.name = "A"}, %B: memref<3x2xf32>, %c: memref<2x2xf32> {llvm.noalias, terrace.name = "C"}) {
// next: sched.for (%i in 2 by 1 dim 0, %j in 2 by 1 dim 2)
// next: %0 = sched.for (%k in 3 by 1 dim 1 pw add) -> f32
// next: %1 = sched.read %A[%i, %k]
// next: %2 = sched.read %B[%k, %j]
// next: %p = arith.mulf %1, %2
// next: sched.yield %p
// check: sched.write %0, %c[%i, %j]

// Conditions become bounds where they are of one variable; start values are combined in front.
func.func @conv(%I: tensor<3xi32>, %F: tensor<3xi32>, %bias: tensor<i32>) -> tensor<3xi32> {
  %m = mdh.compute (p in 3, r in 3 pw add) where 0 <= p + r - 1 < 3
       ins(%x = %I[p + r - 1], %w = %F[r]) outs([p] into %bias[]) {
    %v = arith.muli %x, %w : i32
    mdh.yield %v : i32
  } : (tensor<3xi32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %m : tensor<3xi32>
}
// check: @conv
// next: sched.for (%p in 3 by 1 dim 0)
// next: sched.for (%r in 3 by 1 from
// check: %1 = sched.read %bias[]
// next: %2 = arith.addi %1, %0
// next: sched.write %2, %m[%p]

// Prefixes of folds, in a buffer of its own; a tuple's operator is called.
func.func @mbbs(%X: tensor<3x2xi32>) -> tensor<i32> {
  %z = mdh.compute (i in 3 ps add, j in 2 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : i32
  } : (tensor<3x2xi32>) -> tensor<3xi32>
  %m = mdh.compute (i in 3 pw max) ins(%x = %z[i]) outs([]) {
    mdh.yield %x : i32
  } : (tensor<3xi32>) -> tensor<i32>
  return %m : tensor<i32>
}
// check: func.func @mbbs(%X: memref<3x2xi32>, %m: memref<i32> {llvm.noalias}) {
// next: %z = sched.alloc
// next: sched.for (%i in 3 by 1 dim 0 ps add carry(%arg0)) -> i32
// next: sched.for (%j in 2 by 1 dim 1 pw add) -> i32

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
// check: @horner
// check: sched.for (%i in 3 by 1 dim 0 ordered carry(
// check: func.call @compose(

// Several accesses of one output, elements outside, a guard, what is returned twice, constants, arguments returned.
func.func @rest(%A: tensor<2xi32>, %z: i32) -> (tensor<8xi32>, tensor<8xi32>, tensor<2xi32>, i32) {
  %e = mdh.compute (i in 4) ins(%x = %A[i - 1] else 7, %y = %A[i floordiv 2] else %z if i mod 2 = 0) outs([2 * i] | [2 * i + 1]) {
    mdh.yield %x, %y : i32, i32
  } : (tensor<2xi32>, tensor<2xi32>, i32) -> tensor<8xi32>
  return %e, %e, %A, %z : tensor<8xi32>, tensor<8xi32>, tensor<2xi32>, i32
}
// check: func.func @rest(%A: memref<2xi32>, %z: i32, %e: memref<8xi32> {llvm.noalias}, %e_0: memref<8xi32> {llvm.noalias}, %A_1: memref<2xi32> {llvm.noalias}) -> i32 {
// check: sched.read %A[%i - 1] else
// check: arith.select
// check: sched.write %0, %e[%i * 2]
// check: sched.copy (%d0) in (8) %e[%d0] to %e_0[%d0]
// check: sched.copy (%d0) in (2) %A[%d0] to %A_1[%d0]
// next: return %z : i32

// A condition that always holds asks for nothing: no test, and nothing that could be left neutral.
func.func @always(%A: tensor<8x4xf32>) -> tensor<8xf32> {
  %r = mdh.compute (i in 8, j in 4 pw add) where 0 <= i + j < 11 ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8x4xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
// check: @always
// next: sched.for (%i in 8 by 1 dim 0) {
// next: %{{.*}} = sched.for (%j in 4 by 1 dim 1 pw add) -> f32 {
// next: sched.read %A[%i, %j]
