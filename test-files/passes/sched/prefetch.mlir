// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched,sched-fuse)"
// snapshot: after=mdh-schedule,sched-prefetch
// What loops ask of memory while they compute, and who fills what tasks merge into.

// Blocks of the reduction meet in memory: each task fills its own columns, past the caches; while a tile is summed, its lines are
// asked for one after the other.
func.func @square(%A: tensor<4096x4096xf32>, %B: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %c = mdh.compute (i in 4096, j in 4096, k in 4096 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %c : tensor<4096x4096xf32>
}
// check: @square
// not: sched.copy
// check: sched.for step 1 at 1 (%j1 in 4096 by 1024 dim 1 : task) {
// next: sched.copy (%d0, %d1) in (4096, 1024) %{{.*}} to %{{.*}}[%d0, %d1 + %j1] {sched.nontemporal} : f32 to memref<4096x4096xf32>
// check: sched.for step 4 at 4 (%j4 in 512 by 64 dim 1, %i4 in 60 by 6
// check: sched.for step 5 at 5 (%k5 in 1024 by 1 dim 2 pw add) {
// check: memref.prefetch %{{.*}}[%{{.*}}, %{{.*}}], write, locality<3>, data : memref<4096x4096xf32>

// A result that a cache holds is not asked for.
func.func @small(%A: tensor<256x2048xf32>, %B: tensor<2048x256xf32>) -> tensor<256x256xf32> {
  %c = mdh.compute (i in 256, j in 256, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<256x2048xf32>, tensor<2048x256xf32>) -> tensor<256x256xf32>
  return %c : tensor<256x256xf32>
}
// check: @small
// not: memref.prefetch

// Weights that no cache holds, used for few rows: the next block is asked for while this one is used.
func.func @weights(%A: tensor<196x4096xf32>, %B: tensor<4096x4096xf32>) -> tensor<196x4096xf32> {
  %c = mdh.compute (i in 196, j in 4096, k in 4096 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<196x4096xf32>, tensor<4096x4096xf32>) -> tensor<196x4096xf32>
  return %c : tensor<196x4096xf32>
}
// check: @weights
// check: memref.prefetch %B[%{{.*}}, %{{.*}}], read, locality<2>, data : memref<4096x4096xf32>
