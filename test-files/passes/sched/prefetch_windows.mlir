// Rows that a window over a large buffer comes to are asked for, by the read that names them; of short rows whole ones. Rows are computed
// together along both dimensions that accesses are shifted along, of as many as the second cache keeps for the next planes.
// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4},mdh-to-sched,sched-fuse)"

func.func @five(%A: tensor<2050x2050xf32>) -> tensor<2048x2048xf32> {
  %r = mdh.compute "five" (i in 2048, j in 2048)
       ins(%c = %A[i + 1, j + 1], %n = %A[i, j + 1], %s = %A[i + 2, j + 1], %w = %A[i + 1, j], %e = %A[i + 1, j + 2])
       outs([i, j]) {
    %0 = arith.addf %n, %s : f32
    %1 = arith.addf %w, %e : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.addf %2, %c : f32
    mdh.yield %3 : f32
  } : (tensor<2050x2050xf32>, tensor<2050x2050xf32>, tensor<2050x2050xf32>, tensor<2050x2050xf32>, tensor<2050x2050xf32>) -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}
// check: @five
// not: sched.ahead
// check: sched.read %A[%i{{.*}} + 1, %j{{.*}} + 1] {sched.ahead = array<i64: 3, 256>, sched.carried}
// not: sched.ahead
// check: sched.read %A[%i{{.*}} + 2, %j{{.*}} + 1] {sched.ahead = array<i64: 3, 128>, sched.carried}
// not: sched.ahead

func.func @seven(%A: tensor<258x258x258xf32>) -> tensor<256x256x256xf32> {
  %r = mdh.compute "seven" (i in 256, j in 256, k in 256)
       ins(%c = %A[i + 1, j + 1, k + 1], %n = %A[i, j + 1, k + 1], %s = %A[i + 2, j + 1, k + 1], %w = %A[i + 1, j, k + 1],
           %e = %A[i + 1, j + 2, k + 1], %f = %A[i + 1, j + 1, k], %b = %A[i + 1, j + 1, k + 2])
       outs([i, j, k]) {
    %0 = arith.addf %n, %s : f32
    %1 = arith.addf %w, %e : f32
    %2 = arith.addf %f, %b : f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %2, %c : f32
    %5 = arith.addf %3, %4 : f32
    mdh.yield %5 : f32
  } : (tensor<258x258x258xf32>, tensor<258x258x258xf32>, tensor<258x258x258xf32>, tensor<258x258x258xf32>,
       tensor<258x258x258xf32>, tensor<258x258x258xf32>, tensor<258x258x258xf32>) -> tensor<256x256x256xf32>
  return %r : tensor<256x256x256xf32>
}
// check: @seven
// check: sched.for {{.*}}(%j2 in 256 by 64 dim 1)
// check: (%i3 in 64 by 4 dim 0, %j3 in 64 by 2 dim 1, %k3 in 256 by 16 dim 2)
// check: (%i4 in 4 by 1 dim 0 : unroll, %j4 in 2 by 1 dim 1 : unroll)
// check: sched.read %A[%i{{.*}} + 1, %j{{.*}} + 1, %k{{.*}} + 1] {sched.ahead = array<i64: 4, 4>, sched.carried}
// check: sched.read %A[%i{{.*}} + 2, %j{{.*}} + 1, %k{{.*}} + 1] {sched.ahead = array<i64: 4, 2>, sched.carried}
// not: sched.ahead

// A small image stays in a cache.
func.func @small(%A: tensor<130x130xf32>) -> tensor<128x128xf32> {
  %r = mdh.compute "three" (i in 128, j in 128) ins(%n = %A[i, j], %c = %A[i + 1, j], %s = %A[i + 2, j]) outs([i, j]) {
    %0 = arith.addf %n, %s : f32
    %1 = arith.addf %0, %c : f32
    mdh.yield %1 : f32
  } : (tensor<130x130xf32>, tensor<130x130xf32>, tensor<130x130xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
// check: @small
// not: sched.ahead
