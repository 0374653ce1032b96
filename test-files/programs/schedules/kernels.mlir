// test: opt --pipeline="func.func(mdh-to-sched)"
// Tiles of blocks and threads that do not divide, shared memory, and rounds in flight. `tools/run` compares values on devices.

// Blocks and threads beyond the ends do nothing.
func.func @limited(%A: tensor<13x7xf32>, %B: tensor<7x9xf32>) -> tensor<13x9xf32> {
  %C = mdh.compute (i in 13, j in 9, k in 7 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~limit,4~limit,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<13x7xf32>, tensor<7x9xf32>) -> tensor<13x9xf32>
  return %C : tensor<13x9xf32>
}
// check: grid [3, 4, 1] block [4, 4, 1]

// All of it in one block, one thread for each result.
func.func @one_block(%A: tensor<5x3xf32>, %B: tensor<3x7xf32>) -> tensor<5x7xf32> {
  %C = mdh.compute (i in 5, j in 7, k in 3 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (^,^,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<5x3xf32>, tensor<3x7xf32>) -> tensor<5x7xf32>
  return %C : tensor<5x7xf32>
}
// check: grid [1, 1, 1] block [7, 5, 1]

// A block copies tiles together; the last ones are not full.
func.func @shared_tiles(%A: tensor<10x11xf32>, %B: tensor<11x9xf32>) -> tensor<10x9xf32> {
  %C = mdh.compute (i in 10, j in 9, k in 11 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~limit,3,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (^,^,4~limit) (SM,SM ; ^) (^,^,FOR.1)",
         "3: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<10x11xf32>, tensor<11x9xf32>) -> tensor<10x9xf32>
  return %C : tensor<10x9xf32>
}
// check: func.func @shared_tiles
// check: grid [3, 3, 1] block [3, 4, 1]
// check: memref<4x4xf32, #gpu.address_space<workgroup>>
// check: memref<4x3xf32, #gpu.address_space<workgroup>>

// Two tiles at once: one is filled while the other one is used.
func.func @in_flight(%A: tensor<8x12xf32>, %B: tensor<12x8xf32>) -> tensor<8x8xf32> {
  %C = mdh.compute (i in 8, j in 8, k in 12 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4,4,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
         "3: (^,^,4) (SM stages 2,SM stages 3 ; ^) (^,^,FOR.1)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x12xf32>, tensor<12x8xf32>) -> tensor<8x8xf32>
  return %C : tensor<8x8xf32>
}
// check: func.func @in_flight
// check: %k3 in 12 by 4 dim 2 pw add stages 3

// Rows of shared tiles are turned and exchanged.
func.func @turned(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %C = mdh.compute (i in 8, j in 8, k in 8 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4,4,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
         "3: (^,^,4) (SM swizzle 1,SM[2,1] xor 2 ; ^) (^,^,FOR.1)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %C : tensor<8x8xf32>
}
// check: func.func @turned

// Each thread has a tile of results in registers, in strides of the block.
func.func @several_results_each(%A: tensor<8x5xf32>, %B: tensor<5x12xf32>) -> tensor<8x12xf32> {
  %C = mdh.compute (i in 8, j in 12, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,6,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (4,3,^) (^,^ ; ^) (FOR.1,FOR.2,^)",
         "3: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<8x5xf32>, tensor<5x12xf32>) -> tensor<8x12xf32>
  return %C : tensor<8x12xf32>
}
// check: func.func @several_results_each
// check: grid [2, 1, 1] block [3, 4, 1]

// Bytes in, bytes out.
func.func @bytes(%A: tensor<6x6xi8>, %B: tensor<6x6xi8>) -> tensor<6x6xi8> {
  %C = mdh.compute (i in 6, j in 6, k in 6 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,3,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)"]} {
    %p = arith.muli %a, %b : i8
    mdh.yield %p : i8
  } : (tensor<6x6xi8>, tensor<6x6xi8>) -> tensor<6x6xi8>
  return %C : tensor<6x6xi8>
}
// check: grid [2, 2, 1] block [3, 3, 1]

// The greatest of products, in double precision.
func.func @doubles(%A: tensor<6x9xf64>, %B: tensor<9x5xf64>) -> tensor<6x5xf64> {
  %C = mdh.compute (i in 6, j in 5, k in 9 pw max) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (3,^,^) (^,^ ; ^) (BLK.x,^,^)",
         "2: (1,1,1) (^,^ ; ^) (THR.y,THR.x,FOR.1)"]} {
    %p = arith.mulf %a, %b : f64
    mdh.yield %p : f64
  } : (tensor<6x9xf64>, tensor<9x5xf64>) -> tensor<6x5xf64>
  return %C : tensor<6x5xf64>
}
// check: grid [2, 1, 1] block [5, 3, 1]

// Rows become columns.
func.func @transposed(%A: tensor<9x7xf32>) -> tensor<7x9xf32> {
  %C = mdh.compute (i in 9, j in 7) ins(%a = %A[i, j]) outs([j, i])
       attributes {mdh.schedule = [
         "1: (4~limit,3~limit) (^ ; ^) (BLK.y,BLK.x)",
         "2: (1,1) (^ ; ^) (THR.y,THR.x)"]} {
    mdh.yield %a : f32
  } : (tensor<9x7xf32>) -> tensor<7x9xf32>
  return %C : tensor<7x9xf32>
}
// check: grid [3, 3, 1] block [3, 4, 1]
