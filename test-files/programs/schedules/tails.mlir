// test: opt --pipeline="func.func(mdh-to-sched)"
// Tiles that do not divide, by each word. `tools/run` compares the values with the interpreter's.

// Loops end early: prime extents, the limit on the loop placed last.
func.func @limited(%A: tensor<7x5xf32>, %B: tensor<5x11xf32>) -> tensor<7x11xf32> {
  %C = mdh.compute (i in 7, j in 11, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~limit,3~limit,2~limit) (^,^ ; ^) (THR.x,THR.y,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x5xf32>, tensor<5x11xf32>) -> tensor<7x11xf32>
  return %C : tensor<7x11xf32>
}
// check: func.func @limited
// check: sched.for step 1 at 1 (%i1 in 7 by 4 dim 0 : task, %j1 in 11 by 3 dim 1 : task, %k1 in 5 by 2 dim 2 pw add)
// next: sched.for step 2 at 2 (%i2 in 4 by 1 limit -%i1 + 7 dim 0, %j2 in 3 by 1 limit -%j1 + 11 dim 1) {
// check: (%k2 in 2 by 1 limit -%k1 + 5 dim 2 pw add) -> f32

// What remains gets loops of its own: nothing in them is cut.
func.func @peeled(%A: tensor<7x5xf32>, %B: tensor<5x11xf32>) -> tensor<7x11xf32> {
  %C = mdh.compute (i in 7, j in 11, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~peel,3~peel,2~peel) (^,^ ; ^) (THR.x,THR.y,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x5xf32>, tensor<5x11xf32>) -> tensor<7x11xf32>
  return %C : tensor<7x11xf32>
}
// check: func.func @peeled
// not: limit
// check: return

// Whole tiles: what lies outside reads as nothing and is not written.
func.func @padded(%A: tensor<7x5xf32>, %B: tensor<5x11xf32>) -> tensor<7x11xf32> {
  %C = mdh.compute (i in 7, j in 11, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~pad,3~pad,2~pad) (^,^ ; ^) (THR.x,THR.y,FOR.1)",
         "2: (1,1,1) (^,^ ; ^) (UNR.1,UNR.2,UNR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<7x5xf32>, tensor<5x11xf32>) -> tensor<7x11xf32>
  return %C : tensor<7x11xf32>
}
// check: func.func @padded
// check: %i1 in 7 by 4 dim 0 : task tail pad
// check: sched.read %A[%i1 + %i2, %k1 + %k2] else
// check: clip combine add

// Each dimension by another word.
func.func @mixed(%A: tensor<13x7xf32>, %B: tensor<7x9xf32>) -> tensor<13x9xf32> {
  %C = mdh.compute (i in 13, j in 9, k in 7 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (5~peel,4~limit,3~pad) (^,^ ; ^) (THR.x,FOR.1,FOR.2)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<13x7xf32>, tensor<7x9xf32>) -> tensor<13x9xf32>
  return %C : tensor<13x9xf32>
}
// check: func.func @mixed
// check: (%i1 in 10 by 5 dim 0 : task, %j1 in 9 by 4 dim 1, %k1 in 7 by 3 dim 2 pw add)
// check: limit -%j1 + 9 dim 1
// check: in 3 by 1 dim 0, %j2 in 4 by 1 limit -%j1 + 9 dim 1

// Dimensions of one element have no tail, whatever is said.
func.func @one_sized(%A: tensor<1x1xf32>, %B: tensor<1x5xf32>) -> tensor<1x5xf32> {
  %C = mdh.compute (i in 1, j in 5, k in 1 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (1~peel,2~limit,1~pad) (^,^ ; ^) (THR.x,FOR.1,FOR.2)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<1x1xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
  return %C : tensor<1x5xf32>
}
// check: func.func @one_sized
// check: %j1 in 5 by 2 dim 1
// not: pad
// check: return

// One whole tile and a remainder that is nearly another.
func.func @larger_than_half(%A: tensor<9x9xf32>, %B: tensor<9x9xf32>) -> tensor<9x9xf32> {
  %C = mdh.compute (i in 9, j in 9, k in 9 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (5~limit,5~peel,5~pad) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<9x9xf32>, tensor<9x9xf32>) -> tensor<9x9xf32>
  return %C : tensor<9x9xf32>
}
// check: func.func @larger_than_half
// check: %i1 in 9 by 5 dim 0, %j1 in 9 by 5 dim 1 tail peel, %k1 in 9 by 5 dim 2 pw add

// Two links that do not divide: the last loop is cut by both.
func.func @twice(%A: tensor<23x6xf32>) -> tensor<23x6xf32> {
  %C = mdh.compute (i in 23, j in 6) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (10~limit,^) (^ ; ^) (FOR.1,^)",
         "2: (4~limit,2) (^ ; ^) (FOR.1,FOR.2)",
         "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<23x6xf32>) -> tensor<23x6xf32>
  return %C : tensor<23x6xf32>
}
// check: func.func @twice
// check: %i1 in 23 by 10 dim 0
// check: %i2 in 10 by 4 limit -%i1 + 23 dim 0
// check: %i3 in 4 by 1 limit [-%i1 - %i2 + 23, -%i2 + 10] dim 0

// The small tiles stand outside of the large ones in code.
func.func @inner_tile_outside(%A: tensor<13x5xf32>) -> tensor<13x5xf32> {
  %C = mdh.compute (i in 13, j in 5) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "2: (4~limit,^) (^ ; ^) (FOR.1,^)",
         "1: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<13x5xf32>) -> tensor<13x5xf32>
  return %C : tensor<13x5xf32>
}
// check: func.func @inner_tile_outside
// check: sched.for step 2 at 1 (%i2 in 4 by 1
// check: step 1 at 2 (%i1 in 13 by 4 limit -%i2 + 13 dim 0) {

// Lanes beyond the row are masked.
func.func @masked_lanes(%A: tensor<3x37xf32>) -> tensor<3x37xf32> {
  %C = mdh.compute (i in 3, j in 37) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (1,16~mask) (^ ; ^) (THR.x,FOR.1)",
         "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    mdh.yield %a : f32
  } : (tensor<3x37xf32>) -> tensor<3x37xf32>
  return %C : tensor<3x37xf32>
}
// check: func.func @masked_lanes
// check: %j2 in 16 by 1 limit -%j1 + 37 dim 1 : vector

// Lanes beyond the row are lanes of smaller powers of two.
func.func @peeled_lanes(%A: tensor<3x37xf32>) -> tensor<3x37xf32> {
  %C = mdh.compute (i in 3, j in 37) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (1,16~peel) (^ ; ^) (THR.x,FOR.1)",
         "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    mdh.yield %a : f32
  } : (tensor<3x37xf32>) -> tensor<3x37xf32>
  return %C : tensor<3x37xf32>
}
// check: func.func @peeled_lanes
// check: %j1 in 32 by 16 dim 1
// check: %j2 in 16 by 1 dim 1 : vector
// check: in 4 by 1 dim 1 : vector

// A padded tile of a maximum reads its neutral element, not 0.
func.func @greatest_padded(%A: tensor<5x7xi32>) -> tensor<5xi32> {
  %C = mdh.compute (i in 5, k in 7 pw max) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,4~pad) (^ ; ^) (^,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<5x7xi32>) -> tensor<5xi32>
  return %C : tensor<5xi32>
}
// check: func.func @greatest_padded
// check: -2147483648

// So does one of a minimum, for floats.
func.func @least_padded(%A: tensor<5x7xf32>) -> tensor<5xf32> {
  %C = mdh.compute (i in 5, k in 7 pw min) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,3~pad) (^ ; ^) (^,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<5x7xf32>) -> tensor<5xf32>
  return %C : tensor<5xf32>
}
// check: func.func @least_padded
// check: arith.constant 0x7F800000 : f32

// The neutral element of a product is 1.
func.func @multiplied_padded(%A: tensor<4x5xf64>) -> tensor<4xf64> {
  %C = mdh.compute (i in 4, k in 5 pw mul) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,4~pad) (^ ; ^) (^,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f64
  } : (tensor<4x5xf64>) -> tensor<4xf64>
  return %C : tensor<4xf64>
}
// check: func.func @multiplied_padded
// check: arith.constant 1.{{.*}} : f64

// Conjunctions of single bits.
func.func @all_limited(%A: tensor<6x11xi1>) -> tensor<6xi1> {
  %C = mdh.compute (i in 6, k in 11 pw and) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (4~limit,3~limit) (^ ; ^) (THR.x,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i1
  } : (tensor<6x11xi1>) -> tensor<6xi1>
  return %C : tensor<6xi1>
}
// check: func.func @all_limited
// check: arith.constant true
// check: combine and

// Sums of bytes wrap around alike.
func.func @bytes_peeled(%A: tensor<6x300xi8>) -> tensor<6xi8> {
  %C = mdh.compute (i in 6, k in 300 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (4~peel,128~peel) (^ ; ^) (THR.x,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i8
  } : (tensor<6x300xi8>) -> tensor<6xi8>
  return %C : tensor<6xi8>
}
// check: func.func @bytes_peeled
// check: %k1 in 256 by 128 dim 1 pw add
// check: %k2 in 44 by 1 dim 1 pw add

// What remains of lanes is one vector where these say `~mask`, in the registers as in the loops; else it is powers of two.
func.func @one_vector(%A: tensor<9x5xf32>, %B: tensor<5x15xf32>) -> tensor<9x15xf32> {
  %C = mdh.compute (i in 9, j in 15, k in 5 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (4~peel,^,^) (^,^ ; REG) (FOR.1,^,^)",
         "2: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
         "3: (1,8~peel,^) (^,^ ; ^) (UNR.1,UNR.2,^)",
         "4: (^,1~mask,^) (^,^ ; ^) (^,VEC.x,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<9x5xf32>, tensor<5x15xf32>) -> tensor<9x15xf32>
  return %C : tensor<9x15xf32>
}
// check: func.func @one_vector
// check: sched.copy step 1 at 1 (%d0, %d1) in (4, 8) by (unroll, vector 8)
// next: sched.copy step 1 at 1 (%d0, %d1) in (4, 7) by (unroll, vector 7)
// check: %j4 in 8 by 1 dim 1 : vector
// check: %j4 in 7 by 1 dim 1 : vector
