// test: opt --pipeline="func.func(mdh-to-sched)"
// How contributions of parallel loops meet.

// Threads of a block by a tree in shared memory.
func.func @in_threads(%A: tensor<4x32xf32>) -> tensor<4xf32> {
  %C = mdh.compute (i in 4, k in 32 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,^) (^ ; ^) (BLK.x,^)",
         "2: (^,4) (^ ; ^) (^,THR.x(shared))",
         "3: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<4x32xf32>) -> tensor<4xf32>
  return %C : tensor<4xf32>
}
// check: func.func @in_threads
// check: %k2 in 32 by 4 dim 1 : thread.x pw add via shared) -> f32

// Of a number that is no power of two.
func.func @by_odd_threads(%A: tensor<3x77xf32>) -> tensor<3xf32> {
  %C = mdh.compute (i in 3, k in 77 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,^) (^ ; ^) (BLK.x,^)",
         "2: (^,7) (^ ; ^) (^,THR.x)",
         "3: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<3x77xf32>) -> tensor<3xf32>
  return %C : tensor<3xf32>
}
// check: func.func @by_odd_threads
// check: grid [3, 1, 1] block [11, 1, 1]

// Blocks by atomic updates: nothing is rounded.
func.func @atomic_integers(%A: tensor<5x24xi32>) -> tensor<5xi32> {
  %C = mdh.compute (i in 5, k in 24 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,6) (^ ; ^) (^,BLK.x(atomic))",
         "2: (1,1) (^ ; ^) (THR.x,FOR.1)"]} {
    mdh.yield %a : i32
  } : (tensor<5x24xi32>) -> tensor<5xi32>
  return %C : tensor<5xi32>
}
// check: func.func @atomic_integers
// check: : block.x pw add via atomic

// The least of 64 bits.
func.func @atomic_least(%A: tensor<5x24xi64>) -> tensor<5xi64> {
  %C = mdh.compute (i in 5, k in 24 pw min) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,6) (^ ; ^) (^,BLK.x(atomic))",
         "2: (1,1) (^ ; ^) (THR.x,FOR.1)"]} {
    mdh.yield %a : i64
  } : (tensor<5x24xi64>) -> tensor<5xi64>
  return %C : tensor<5xi64>
}
// check: func.func @atomic_least
// check: combine min

// Sums of floats whose order may differ from run to run.
func.func @in_free_order(%A: tensor<5x24xf32>) -> tensor<5xf32> {
  %C = mdh.compute (i in 5, k in 24 pw add free) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,6) (^ ; ^) (^,BLK.x(atomic))",
         "2: (1,1) (^ ; ^) (THR.x,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<5x24xf32>) -> tensor<5xf32>
  return %C : tensor<5xf32>
}
// check: func.func @in_free_order
// check: : block.x pw add free via atomic

// One number of all.
func.func @all_in_one(%A: tensor<96xf32>) -> tensor<f32> {
  %C = mdh.compute (k in 96 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = [
         "1: (^) (^ ; ^) (BLK.x)",
         "2: (6) (^ ; ^) (THR.x)",
         "3: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<96xf32>) -> tensor<f32>
  return %C : tensor<f32>
}
// check: func.func @all_in_one
// check: grid [1, 1, 1] block [16, 1, 1]
