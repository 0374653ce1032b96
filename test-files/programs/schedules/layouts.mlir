// test: opt --pipeline="func.func(mdh-to-sched)"
// Tiles in another storage order, in panels, with turned rows: no order changes a value.

// A tile of B with its dimensions exchanged.
func.func @transposed(%A: tensor<6x8xf32>, %B: tensor<8x10xf32>) -> tensor<6x10xf32> {
  %C = mdh.compute (i in 6, j in 10, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (^,L2[2,1] ; ^) (^,^,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x8xf32>, tensor<8x10xf32>) -> tensor<6x10xf32>
  return %C : tensor<6x10xf32>
}
// check: func.func @transposed
// check: sched.alloc step 1 at 1 : memref<10x4xf32, "l2">

// Panels of four columns.
func.func @panels(%A: tensor<6x8xf32>, %B: tensor<8x12xf32>) -> tensor<6x12xf32> {
  %C = mdh.compute (i in 6, j in 12, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (^,L2[2/4,1,2%4] ; ^) (^,^,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x8xf32>, tensor<8x12xf32>) -> tensor<6x12xf32>
  return %C : tensor<6x12xf32>
}
// check: func.func @panels
// check: memref<3x4x4xf32, "l2">

// The last panel is not full.
func.func @uneven_panels(%A: tensor<6x8xf32>, %B: tensor<8x11xf32>) -> tensor<6x11xf32> {
  %C = mdh.compute (i in 6, j in 11, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (^,L2[2/4,1,2%4] ; ^) (^,^,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x8xf32>, tensor<8x11xf32>) -> tensor<6x11xf32>
  return %C : tensor<6x11xf32>
}
// check: func.func @uneven_panels
// check: memref<3x4x4xf32, "l2">

// Both dimensions in panels.
func.func @both_in_panels(%A: tensor<6x8xf32>, %B: tensor<8x12xf32>) -> tensor<6x12xf32> {
  %C = mdh.compute (i in 6, j in 12, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (L1[1/2,2,1%2],L2[2/6,1/2,2%6,1%2] ; ^) (^,^,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x8xf32>, tensor<8x12xf32>) -> tensor<6x12xf32>
  return %C : tensor<6x12xf32>
}
// check: func.func @both_in_panels
// check: memref<3x4x2xf32, "l1">
// check: memref<2x2x6x2xf32, "l2">

// Each row is rotated against the one before.
func.func @turned_rows(%A: tensor<6x8xf32>, %B: tensor<8x10xf32>) -> tensor<6x10xf32> {
  %C = mdh.compute (i in 6, j in 10, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (L1 swizzle 1,L2[2,1] swizzle 3 ; ^) (^,^,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x8xf32>, tensor<8x10xf32>) -> tensor<6x10xf32>
  return %C : tensor<6x10xf32>
}
// check: func.func @turned_rows
// check: mod 4

// Groups of a row change places: rows of a power of two.
func.func @exchanged_rows(%A: tensor<6x8xf32>, %B: tensor<8x8xf32>) -> tensor<6x8xf32> {
  %C = mdh.compute (i in 6, j in 8, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (L1 xor 1,L2 xor 2 ; ^) (^,^,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  return %C : tensor<6x8xf32>
}
// check: func.func @exchanged_rows
// check: mod 2

// A tile of a tile: the inner one is filled from the outer one.
func.func @nested_tiles(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %C = mdh.compute (i in 8, j in 8, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,4) (^,L2 ; ^) (^,^,FOR.1)",
         "2: (^,4,^) (^,L1[2,1] ; ^) (^,FOR.1,^)",
         "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %C : tensor<8x8xf32>
}
// check: func.func @nested_tiles
// check: memref<4x8xf32, "l2">
// check: memref<4x4xf32, "l1">

// Results of a tile are kept while they grow.
func.func @results_in_registers(%A: tensor<6x5xf32>, %B: tensor<5x8xf32>) -> tensor<6x8xf32> {
  %C = mdh.compute (i in 6, j in 8, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,4,^) (^,^ ; REG) (THR.x,THR.y,^)",
         "2: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
         "3: (1,1,^) (^,^ ; ^) (UNR.1,UNR.2,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  return %C : tensor<6x8xf32>
}
// check: func.func @results_in_registers
// check: memref<3x4xf32, "reg">

// So are they in another order.
func.func @results_transposed(%A: tensor<6x5xf32>, %B: tensor<5x8xf32>) -> tensor<6x8xf32> {
  %C = mdh.compute (i in 6, j in 8, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,4,^) (^,^ ; L1[2,1]) (THR.x,THR.y,^)",
         "2: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
         "3: (1,1,^) (^,^ ; ^) (UNR.1,UNR.2,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  return %C : tensor<6x8xf32>
}
// check: func.func @results_transposed
// check: memref<4x3xf32, "l1">

// What is not read again soon goes past the caches.
func.func @past_the_caches(%A: tensor<6x5xf32>, %B: tensor<5x8xf32>) -> tensor<6x8xf32> {
  %C = mdh.compute (i in 6, j in 8, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,4,^) (^,^ ; REG nt) (THR.x,THR.y,^)",
         "2: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
         "3: (1,1,^) (^,^ ; ^) (UNR.1,UNR.2,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<6x5xf32>, tensor<5x8xf32>) -> tensor<6x8xf32>
  return %C : tensor<6x8xf32>
}
// check: func.func @past_the_caches
// check: {sched.nontemporal}

// The last tile is smaller than the buffer that holds it.
func.func @limited_tiles(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> tensor<7x9xf32> {
  %C = mdh.compute (i in 7, j in 9, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~limit,^,3~limit) (L2,L1[2,1] ; ^) (FOR.1,^,FOR.2)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x5xf32>, tensor<5x9xf32>) -> tensor<7x9xf32>
  return %C : tensor<7x9xf32>
}
// check: func.func @limited_tiles
// check: memref<4x3xf32, "l2">
// check: memref<9x3xf32, "l1">

// Panels of padded tiles are whole.
func.func @padded_panels(%A: tensor<7x5xf32>, %B: tensor<5x13xf32>) -> tensor<7x13xf32> {
  %C = mdh.compute (i in 7, j in 13, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,3~pad) (^,L2[2/4,1,2%4] ; ^) (^,^,FOR.1)",
         "2: (^,4~pad,^) (^,^ ; REG) (^,THR.x,^)",
         "3: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x5xf32>, tensor<5x13xf32>) -> tensor<7x13xf32>
  return %C : tensor<7x13xf32>
}
// check: func.func @padded_panels
// check: memref<4x3x4xf32, "l2">
// check: clip

// The source is read along its columns, tile by tile.
func.func @transposed_source(%A: tensor<10x6xf32>) -> tensor<6x10xf32> {
  %C = mdh.compute (i in 6, j in 10) ins(%a = %A[j, i]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,5) (L1[2,1] ; ^) (FOR.1,FOR.2)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<10x6xf32>) -> tensor<6x10xf32>
  return %C : tensor<6x10xf32>
}
// check: func.func @transposed_source
// check: memref<3x5xf32, "l1">

// Every second row and third column.
func.func @strided_source(%A: tensor<9x10xf32>) -> tensor<5x4xf32> {
  %C = mdh.compute (i in 5, j in 4) ins(%a = %A[2 * i, 3 * j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (2~limit,^) (L1 ; ^) (FOR.1,^)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<9x10xf32>) -> tensor<5x4xf32>
  return %C : tensor<5x4xf32>
}
// check: func.func @strided_source
// check: memref<3x10xf32, "l1">

// Rows from the last one on.
func.func @backwards(%A: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %C = mdh.compute (i in 6, j in 4) ins(%a = %A[5 - i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (2,^) (L1 ; ^) (FOR.1,^)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %C : tensor<6x4xf32>
}
// check: func.func @backwards
// check: memref<2x4xf32, "l1">
