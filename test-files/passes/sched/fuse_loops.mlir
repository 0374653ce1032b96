// test: opt --pipeline="func.func(mdh-to-sched,sched-fuse)"
// snapshot: after=mdh-to-sched,sched-prefetch
// Loops that hand values to each other at their own coordinate become one; others stay.

// The row's sum, then the row divided by it: the sum is one element of a row's iteration.
func.func @rows(%A: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %s = mdh.compute "sum" (i in 8, j in 32 pw add) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8x32xf32>) -> tensor<8xf32>
  %y = mdh.compute "scale" (i in 8, j in 32) ins(%a = %A[i, j], %b = %s[i]) outs([i, j]) {
    %q = arith.divf %a, %b : f32
    mdh.yield %q : f32
  } : (tensor<8x32xf32>, tensor<8xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
// check: @rows
// next: sched.for (%i in 8 by 1 dim 0) {
// next: %s = sched.alloc : memref<1xf32, "reg">
// check: sched.write %{{.*}}, %s[0]
// check: sched.read %s[0]
// not: sched.for (%i in

// A neighbor's value is another iteration's.
func.func @neighbors(%A: tensor<8xf32>) -> tensor<7xf32> {
  %s = mdh.compute "double" (i in 8) ins(%a = %A[i]) outs([i]) {
    %d = arith.addf %a, %a : f32
    mdh.yield %d : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  %y = mdh.compute "next" (i in 7) ins(%a = %s[i + 1]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}
// check: @neighbors
// next: sched.alloc : memref<8xf32>
// next: sched.for (%i in 8 by 1 dim 0) {
// check: sched.for (%i in 7 by 1 dim 0) {

// A transposed reader of the same extents meets other iterations' elements.
func.func @transposed(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %s = mdh.compute "double" (i in 8, j in 8) ins(%a = %A[i, j]) outs([i, j]) {
    %d = arith.addf %a, %a : f32
    mdh.yield %d : f32
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = mdh.compute "turn" (i in 8, j in 8) ins(%a = %s[j, i]) outs([i, j]) {
    mdh.yield %a : f32
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
// check: @transposed
// next: sched.alloc : memref<8x8xf32>
// next: sched.for (%i in 8 by 1 dim 0
// check: sched.for (%i in 8 by 1 dim 0

// Rows that come from memory: who reads a row again asks for the next one.
func.func @large(%A: tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  %s = mdh.compute "sum" (i in 2048, j in 1024 pw add) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<2048x1024xf32>) -> tensor<2048xf32>
  %y = mdh.compute "scale" (i in 2048, j in 1024) ins(%a = %A[i, j], %b = %s[i]) outs([i, j]) {
    %q = arith.divf %a, %b : f32
    mdh.yield %q : f32
  } : (tensor<2048x1024xf32>, tensor<2048xf32>) -> tensor<2048x1024xf32>
  return %y : tensor<2048x1024xf32>
}
// check: @large
// check: sched.read %A[%i, %j] : memref
// check: sched.read %A[%i, %j] {sched.ahead = array<i64: 0, 1>} : memref

// Views of one buffer that overlap: nests with them stay apart.
func.func @views(%A: memref<9xf32>, %t: memref<8xf32>, %o: memref<8xf32>) {
  %a = memref.subview %A[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %b = memref.subview %A[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  sched.for (%i in 8 by 1 dim 0) {
    %x = sched.read %t[%i] : memref<8xf32>
    sched.write %x, %a[%i] : memref<8xf32, strided<[1]>>
    sched.write %x, %o[%i] : memref<8xf32>
  }
  sched.for (%i in 8 by 1 dim 0) {
    %x = sched.read %o[%i] : memref<8xf32>
    %y = sched.read %b[%i] : memref<8xf32, strided<[1], offset: 1>>
    %z = arith.addf %x, %y : f32
    sched.write %z, %t[%i] : memref<8xf32>
  }
  return
}
// check: @views
// check: sched.for
// check: sched.for

// Rows of a batch: the loops over both dimensions become one, and the sum is one element.
func.func @batch(%A: tensor<3x8x32xf32>) -> tensor<3x8x32xf32> {
  %s = mdh.compute "sum" (b in 3, i in 8, j in 32 pw add) ins(%a = %A[b, i, j]) outs([b, i]) {
    mdh.yield %a : f32
  } : (tensor<3x8x32xf32>) -> tensor<3x8xf32>
  %y = mdh.compute "scale" (b in 3, i in 8, j in 32) ins(%a = %A[b, i, j], %t = %s[b, i]) outs([b, i, j]) {
    %q = arith.divf %a, %t : f32
    mdh.yield %q : f32
  } : (tensor<3x8x32xf32>, tensor<3x8xf32>) -> tensor<3x8x32xf32>
  return %y : tensor<3x8x32xf32>
}
// check: @batch
// next: sched.for (%b in 3 by 1 dim 0, %i in 8 by 1 dim 1) {
// next: %s = sched.alloc : memref<1x1xf32, "reg">
// check: sched.write %{{.*}}, %s[0, 0]
// check: sched.read %s[0, 0]

// The turned rows of a batch meet other iterations' elements along one dimension: the loops over the other one become one.
func.func @turned_batch(%A: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
  %s = mdh.compute "double" (b in 3, i in 8, j in 8) ins(%a = %A[b, i, j]) outs([b, i, j]) {
    %d = arith.addf %a, %a : f32
    mdh.yield %d : f32
  } : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %y = mdh.compute "turn" (b in 3, i in 8, j in 8) ins(%a = %s[b, j, i]) outs([b, i, j]) {
    mdh.yield %a : f32
  } : (tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %y : tensor<3x8x8xf32>
}
// check: @turned_batch
// next: sched.for (%b in 3 by 1 dim 0) {
// next: %s = sched.alloc : memref<1x8x8xf32>
// next: sched.for (%i in 8 by 1 dim 1, %j in 8 by 1 dim 2) {
// check: sched.for (%i in 8 by 1 dim 1, %j in 8 by 1 dim 2) {

// Layers of the second nest come behind the loop of the first one that is around them now.
func.func @layers(%A: memref<8x6xf32>, %o: memref<8x6xf32>) {
  %t = sched.alloc : memref<8x6xf32>
  sched.for step 2 at 3 (%i in 8 by 1 dim 0) {
    sched.for step 3 at 4 (%j in 6 by 1 dim 1) {
      %x = sched.read %A[%i, %j] : memref<8x6xf32>
      sched.write %x, %t[%i, %j] : memref<8x6xf32>
    }
  }
  sched.for step 1 at 1 (%i in 8 by 1 dim 0) {
    sched.for step 2 at 2 (%j in 6 by 3 dim 1) {
      sched.for step 3 at 3 (%k in 3 by 1 dim 1 : vector) {
        %x = sched.read %t[%i, %j + %k] : memref<8x6xf32>
        sched.write %x, %o[%i, %j + %k] : memref<8x6xf32>
      }
    }
  }
  return
}
// check: @layers
// check: sched.for step 2 at 3 (%i in 8
// check: sched.for step 3 at 4 (%j in 6 by 1
// check: sched.for step 3 at 4 (%j in 6 by 3
// next: sched.for step 4 at 5 (%k in 3
