// test: opt --pipeline="func.func(mdh-to-sched)"
// Reads of one buffer in groups: those that differ by constants share a tile, others have their own.

// An entry of the buffer is an entry of both groups.
func.func @one_entry(%A: tensor<6x10xf32>) -> tensor<6x6xf32> {
  %C = mdh.compute (i in 6, j in 6, k in 10 pw add) ins(%a = %A[i, k], %b = %A[j, k]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,^,^) (L2 ; ^) (FOR.1,^,^)",
         "2: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x10xf32>, tensor<6x10xf32>) -> tensor<6x6xf32>
  return %C : tensor<6x6xf32>
}
// check: func.func @one_entry
// check: memref<3x10xf32, "l2">
// check: memref<6x10xf32, "l2">

// With an entry for each, the groups differ.
func.func @two_entries(%A: tensor<6x10xf32>) -> tensor<6x6xf32> {
  %C = mdh.compute (i in 6, j in 6, k in 10 pw add) ins(%a = %A[i, k], %b = %A[j, k]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,^,5) (L2,L1[2,1] ; ^) (FOR.1,^,FOR.2)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x10xf32>, tensor<6x10xf32>) -> tensor<6x6xf32>
  return %C : tensor<6x6xf32>
}
// check: func.func @two_entries
// check: memref<3x5xf32, "l2">
// check: memref<5x6xf32, "l1">

// Only the second is a tile.
func.func @one_of_two(%A: tensor<7x5xf32>) -> tensor<7x7xf32> {
  %C = mdh.compute (i in 7, j in 7, k in 5 pw add) ins(%a = %A[i, k], %b = %A[j, k]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~limit,^,^) (^,L1 ; ^) (FOR.1,^,^)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x5xf32>, tensor<7x5xf32>) -> tensor<7x7xf32>
  return %C : tensor<7x7xf32>
}
// check: func.func @one_of_two
// check: memref<7x5xf32, "l1">
// not: sched.alloc
// check: return

// Three points of a row are one group: its tile has a border of one on each side.
func.func @stencil(%A: tensor<13xf32>) -> tensor<11xf32> {
  %C = mdh.compute (i in 11) ins(%a = %A[i], %b = %A[i + 1], %c = %A[i + 2]) outs([i])
       attributes {mdh.schedule = [
         "1: (4~limit) (L1 ; ^) (FOR.1)",
         "2: (1) (^ ; ^) (FOR.1)"]} {
    %s = arith.addf %a, %b : f32
    %p = arith.addf %s, %c : f32
    mdh.yield %p : f32
  } : (tensor<13xf32>, tensor<13xf32>, tensor<13xf32>) -> tensor<11xf32>
  return %C : tensor<11xf32>
}
// check: func.func @stencil
// check: memref<6xf32, "l1">
// not: sched.alloc
// check: return

// Five points of a plane are one group, too.
func.func @cross(%A: tensor<7x9xf64>) -> tensor<5x7xf64> {
  %C = mdh.compute (i in 5, j in 7) ins(%n = %A[i, j + 1], %w = %A[i + 1, j], %c = %A[i + 1, j + 1], %e = %A[i + 1, j + 2], %s = %A[i + 2, j + 1]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (2~limit,4~limit) (L2 ; ^) (THR.x,THR.y)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    %0 = arith.addf %n, %w : f64
    %1 = arith.addf %c, %e : f64
    %2 = arith.addf %0, %1 : f64
    %p = arith.addf %2, %s : f64
    mdh.yield %p : f64
  } : (tensor<7x9xf64>, tensor<7x9xf64>, tensor<7x9xf64>, tensor<7x9xf64>, tensor<7x9xf64>) -> tensor<5x7xf64>
  return %C : tensor<5x7xf64>
}
// check: func.func @cross
// check: memref<4x6xf64, "l2">

// A row against itself turned round: two groups.
func.func @forwards_and_backwards(%A: tensor<9xi32>) -> tensor<9xi32> {
  %C = mdh.compute (i in 9) ins(%a = %A[i], %b = %A[8 - i]) outs([i])
       attributes {mdh.schedule = [
         "1: (3) (L1,L1 ; ^) (FOR.1)",
         "2: (1) (^,^ ; ^) (FOR.1)"]} {
    %p = arith.muli %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi32>
  return %C : tensor<9xi32>
}
// check: func.func @forwards_and_backwards
// check: memref<3xi32, "l1">
// check: memref<3xi32, "l1">

// A matrix and its transpose are two groups of one buffer.
func.func @symmetric(%A: tensor<6x6xi32>) -> tensor<6x6xi32> {
  %C = mdh.compute (i in 6, j in 6) ins(%a = %A[i, j], %b = %A[j, i]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (2,3) (L1,L2[2,1] ; ^) (FOR.1,FOR.2)",
         "2: (1,1) (^,^ ; ^) (FOR.1,FOR.2)"]} {
    %p = arith.addi %a, %b : i32
    mdh.yield %p : i32
  } : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi32>
  return %C : tensor<6x6xi32>
}
// check: func.func @symmetric
// check: memref<2x3xi32, "l1">
// check: memref<2x3xi32, "l2">

// Even and odd places have one linear part, and share a tile.
func.func @strided_pairs(%A: tensor<14xf32>) -> tensor<7xf32> {
  %C = mdh.compute (i in 7) ins(%a = %A[2 * i], %b = %A[2 * i + 1]) outs([i])
       attributes {mdh.schedule = [
         "1: (3~limit) (L1 ; ^) (FOR.1)",
         "2: (1) (^ ; ^) (FOR.1)"]} {
    %p = arith.subf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<14xf32>, tensor<14xf32>) -> tensor<7xf32>
  return %C : tensor<7xf32>
}
// check: func.func @strided_pairs
// check: memref<6xf32, "l1">

// A window moves by two: the tile holds all windows of its rows.
func.func @convolution(%A: tensor<11x8xf32>, %B: tensor<3x2xf32>) -> tensor<5x4xf32> {
  %C = mdh.compute (p in 5, q in 4, r in 3 pw add, s in 2 pw add) ins(%x = %A[2 * p + r, 2 * q + s], %w = %B[r, s]) outs([p, q])
       attributes {mdh.schedule = [
         "1: (2~limit,2,^,^) (L2,L1 ; ^) (THR.x,FOR.1,^,^)",
         "2: (1,1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3,FOR.4)"]} {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<11x8xf32>, tensor<3x2xf32>) -> tensor<5x4xf32>
  return %C : tensor<5x4xf32>
}
// check: func.func @convolution
// check: memref<5x4xf32, "l2">
// check: memref<3x2xf32, "l1">
