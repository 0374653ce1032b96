// Rows that a window over a large buffer comes to are asked for, by the read that names them; short rows as a whole.
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
// check: sched.read %A[%i{{.*}} + 2, %j{{.*}} + 1] {sched.ahead = array<i64: 3, 256>}
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
// check: sched.read %A[%i{{.*}} + 1, %j{{.*}} + 2, %k{{.*}} + 1] {sched.ahead = array<i64: 3, 1>}
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
