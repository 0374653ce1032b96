// test: opt --pipeline="func.func(mdh-to-sched)"
// Contributions of tasks and lanes of a host.

// Each task has a partial of its own, merged in order.
func.func @partials(%A: tensor<4x24xf32>) -> tensor<4xf32> {
  %C = mdh.compute (i in 4, k in 24 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,6) (^ ; ^) (^,THR.x(partials))",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<4x24xf32>) -> tensor<4xf32>
  return %C : tensor<4xf32>
}
// check: func.func @partials
// check: : task pw add via partials

// The last task has less to do.
func.func @uneven_partials(%A: tensor<3x29xf64>) -> tensor<3xf64> {
  %C = mdh.compute (i in 3, k in 29 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,8~limit) (^ ; ^) (^,THR.x)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f64
  } : (tensor<3x29xf64>) -> tensor<3xf64>
  return %C : tensor<3xf64>
}
// check: func.func @uneven_partials
// check: %k1 in 29 by 8 dim 1 : task pw add

// One number by tasks, with lanes inside.
func.func @number_of_tasks(%A: tensor<203xf32>) -> tensor<f32> {
  %C = mdh.compute (k in 203 pw add) ins(%a = %A[k]) outs([])
       attributes {mdh.schedule = [
         "1: (64~peel) (^ ; ^) (THR.x)",
         "2: (8) (^ ; ^) (FOR.1)",
         "3: (1) (^ ; ^) (VEC.x)"]} {
    mdh.yield %a : f32
  } : (tensor<203xf32>) -> tensor<f32>
  return %C : tensor<f32>
}
// check: func.func @number_of_tasks
// check: : task pw add
// check: : vector pw add

// Lanes are added where their loop ends.
func.func @lanes(%A: tensor<5x32xf32>) -> tensor<5xf32> {
  %C = mdh.compute (i in 5, k in 32 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,8) (^ ; ^) (FOR.1,FOR.2)",
         "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    mdh.yield %a : f32
  } : (tensor<5x32xf32>) -> tensor<5xf32>
  return %C : tensor<5xf32>
}
// check: func.func @lanes
// check: %k2 in 8 by 1 dim 1 : vector pw add

// So is the greatest of bytes found.
func.func @greatest_by_lanes(%A: tensor<5x48xi8>) -> tensor<5xi8> {
  %C = mdh.compute (i in 5, k in 48 pw max) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,16) (^ ; ^) (THR.x,FOR.1)",
         "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    mdh.yield %a : i8
  } : (tensor<5x48xi8>) -> tensor<5xi8>
  return %C : tensor<5xi8>
}
// check: func.func @greatest_by_lanes
// check: : vector pw max

// Lanes of results, each with all of its contributions.
func.func @lanes_of_results(%A: tensor<32x7xf32>) -> tensor<32xf32> {
  %C = mdh.compute (i in 32, k in 7 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (8,1) (^ ; ^) (FOR.1,FOR.2)",
         "2: (1,^) (^ ; REG) (UNR.1,^)"]} {
    mdh.yield %a : f32
  } : (tensor<32x7xf32>) -> tensor<32xf32>
  return %C : tensor<32xf32>
}
// check: func.func @lanes_of_results

// One left fold: nothing is merged in another order.
func.func @in_the_order_of_the_source(%A: tensor<4x24xf32>) -> tensor<4xf32> {
  %C = mdh.compute (i in 4, k in 24 pw add source) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,6) (^ ; ^) (THR.x,FOR.1)",
         "2: (^,1) (^ ; ^) (^,UNR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<4x24xf32>) -> tensor<4xf32>
  return %C : tensor<4xf32>
}
// check: func.func @in_the_order_of_the_source
// check: %k1 in 24 by 6 dim 1 ordered carry(
// check: %k2 in 6 by 1 dim 1 : unroll ordered carry(

// Tasks of two dimensions are one pool.
func.func @pool(%A: tensor<6x5xf32>, %B: tensor<5x10xf32>) -> tensor<6x10xf32> {
  %C = mdh.compute (i in 6, j in 10, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (2,5,^) (^,^ ; REG) (THR.x,THR.y,^)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x5xf32>, tensor<5x10xf32>) -> tensor<6x10xf32>
  return %C : tensor<6x10xf32>
}
// check: func.func @pool
// check: (%i1 in 6 by 2 dim 0 : task, %j1 in 10 by 5 dim 1 : task)

// Sums of 16-bit floats.
func.func @halves(%A: tensor<6x10xf16>) -> tensor<6xf16> {
  %C = mdh.compute (i in 6, k in 10 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (2,^) (^ ; ^) (THR.x,^)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f16
  } : (tensor<6x10xf16>) -> tensor<6xf16>
  return %C : tensor<6xf16>
}
// check: func.func @halves
// check: (%k2 in 10 by 1 dim 1 pw add) -> f16

// The greatest of floats with eight bits.
func.func @brain_floats(%A: tensor<6x10xbf16>) -> tensor<6xbf16> {
  %C = mdh.compute (i in 6, k in 10 pw max) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (2,^) (^ ; ^) (THR.x,^)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : bf16
  } : (tensor<6x10xbf16>) -> tensor<6xbf16>
  return %C : tensor<6xbf16>
}
// check: func.func @brain_floats
// check: pw max) -> bf16

// Is there a path: a product of single bits.
func.func @any_path(%A: tensor<6x5xi1>, %B: tensor<5x7xi1>) -> tensor<6x7xi1> {
  %C = mdh.compute (i in 6, j in 7, k in 5 pw or) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,^,^) (^,^ ; ^) (THR.x,^,^)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.andi %a, %b : i1
    mdh.yield %p : i1
  } : (tensor<6x5xi1>, tensor<5x7xi1>) -> tensor<6x7xi1>
  return %C : tensor<6x7xi1>
}
// check: func.func @any_path
// check: pw or
