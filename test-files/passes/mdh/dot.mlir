// test: opt --pipeline="func.func(mdh-schedule{target=cuda},mdh-to-sched)"
// Dot products across blocks, at the paper's sizes (§6.3): the blocks' sums meet in a second kernel, or by atomics where any order
// is said to do.

func.func @even(%A: tensor<16777216xf32>, %B: tensor<16777216xf32>) -> tensor<f32> {
  %c = mdh.compute "even" (k in 16777216 pw add) ins(%a = %A[k], %b = %B[k]) outs([])
       attributes {mdh.schedule = ["1: (65536) (^,^ ; ^) (BLK.x(kernel))", "2: (256) (^,^ ; ^) (THR.x)", "3: (1) (^,^ ; ^) (FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16777216xf32>, tensor<16777216xf32>) -> tensor<f32>
  return %c : tensor<f32>
}
// check: sched.kernel @even_parts grid [256, 1, 1] block [256, 1, 1] {
// check: (%part1 in 256 by 1 dim 0 : block.x)
// check: (%k2 in 65536 by 256 dim 1 : thread.x pw add) -> f32

func.func @odd(%A: tensor<10000000xf32>, %B: tensor<10000000xf32>) -> tensor<f32> {
  %c = mdh.compute "odd" (k in 10000000 pw add free) ins(%a = %A[k], %b = %B[k]) outs([])
       attributes {mdh.schedule = ["1: (65536~limit) (^,^ ; ^) (BLK.x)", "2: (256) (^,^ ; ^) (THR.x)", "3: (1) (^,^ ; ^) (FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<10000000xf32>, tensor<10000000xf32>) -> tensor<f32>
  return %c : tensor<f32>
}
// check: sched.kernel @odd grid [153, 1, 1] block [256, 1, 1] {
// check: (%k1 in 10000000 by 65536 dim 0 : block.x pw add free via atomic)
