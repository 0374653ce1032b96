// test: opt --pipeline="func.func(mdh-to-sched)"
// What schedules say beyond the paper's words.

// Words change no value: non-temporal stores of results, copies that run ahead, rows that are turned.
func.func @words(%A: tensor<16x64xf32>, %B: tensor<64x40xf32>) -> tensor<16x40xf32> {
  %C = mdh.compute "words" (i in 16, j in 40, k in 64 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,^) (^,^ ; RM nt) (THR.y,THR.x,^)",
         "3: (^,^,16) (SM swizzle 1,SM[2,1] stages 2 swizzle 4 ; ^) (^,^,FOR.1)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>, tensor<64x40xf32>) -> tensor<16x40xf32>
  return %C : tensor<16x40xf32>
}
// check: sched.kernel @words grid [2, 2, 1] block [20, 8, 1] {
// check: sched.for step 3 at 3 (%k3 in 64 by 16 dim 2 pw add stages 2) -> f32 {
// check: to %A_sm[%d0, (%d0 + %d1) mod 16] : memref<16x64xf32> to memref<8x16xf32, #gpu.address_space<workgroup>>
// check: to %B_sm[%d0, (%d1 + %d0 * 4) mod 16] : memref<64x40xf32> to memref<20x16xf32, #gpu.address_space<workgroup>>
// check: sched.read %A_sm[%i2, (%i2 + %k4) mod 16]
// check: sched.read %B_sm[%j2, (%j2 * 4 + %k4) mod 16]
// check: to %C[%i2 + %d0 + %i1, %j2 + %d1 + %j1] {sched.nontemporal}

// Groups of a row change places: the last bits of a group's number exclusive or the row's, which is a sum that is odd. B's tile
// is transposed, and its rows of 16 have groups of four.
func.func @exchanged(%A: tensor<16x64xf32>, %B: tensor<64x40xf32>) -> tensor<16x40xf32> {
  %C = mdh.compute "exchanged" (i in 16, j in 40, k in 64 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
         "3: (^,^,16) (SM xor 1,SM[2,1] stages 2 xor 4 ; ^) (^,^,FOR.1)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>, tensor<64x40xf32>) -> tensor<16x40xf32>
  return %C : tensor<16x40xf32>
}
// check: sched.kernel @exchanged
// check: to %B_sm[%d0, %d1 mod 4 + ((%d1 floordiv 4 + %d0) mod 2) * 4 + ((%d1 floordiv 8 + %d0 floordiv 2) mod 2) * 8]
// check: sched.read %B_sm[%j2, %k4 mod 4 + ((%k4 floordiv 4 + %j2) mod 2) * 4 + ((%k4 floordiv 8 + %j2 floordiv 2) mod 2) * 8]

// Warps of a block and their lanes: the block has whole warps, numbered one after the other.
func.func @warps(%A: tensor<16x64xf32>, %B: tensor<64x64xf32>) -> tensor<16x64xf32> {
  %C = mdh.compute "warps" (i in 16, j in 64, k in 64 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,32,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "2: (2,^,^) (^,^ ; ^) (WRP.x,^,^)",
         "3: (2,1,^) (^,^ ; RM) (^,THR.x,^)",
         "4: (^,^,16) (SM,SM ; ^) (^,^,FOR.1)",
         "5: (1,^,1) (^,^ ; ^) (FOR.2,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  return %C : tensor<16x64xf32>
}
// check: sched.kernel @warps grid [2, 2, 1] block [128, 1, 1] {
// check: sched.for step 2 at 2 (%i2 in 8 by 2 dim 0 : warp) {
// next: sched.for step 3 at 3 (%j3 in 32 by 1 dim 1 : lane) {

// Values of a warp's lanes meet by shuffles.
func.func @reduced(%A: tensor<64x512xf32>) -> tensor<64xf32> {
  %C = mdh.compute "reduced" (i in 64, k in 512 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (4,^) (^ ; ^) (BLK.x,^)",
         "2: (1,^) (^ ; ^) (WRP.x,^)",
         "3: (^,16) (^ ; ^) (^,THR.x(shuffle))",
         "4: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64x512xf32>) -> tensor<64xf32>
  return %C : tensor<64xf32>
}
// check: sched.kernel @reduced grid [16, 1, 1] block [128, 1, 1] {
// check: sched.for step 3 at 3 (%k3 in 512 by 16 dim 1 : lane pw add via shuffle) -> f32 {

// Several devices: a launch for each of them.
func.func @devices(%A: tensor<16x64xf32>, %B: tensor<64x40xf32>) -> tensor<16x40xf32> {
  %C = mdh.compute "devices" (i in 16, j in 40, k in 64 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,^,^) (^,^ ; ^) (GPU.x,^,^)",
         "2: (4,20,^) (^,^ ; ^) (BLK.y,BLK.x,^)",
         "3: (1,1,^) (^,^ ; RM) (THR.y,THR.x,^)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>, tensor<64x40xf32>) -> tensor<16x40xf32>
  return %C : tensor<16x40xf32>
}
// check: sched.for step 1 at 1 (%i1 in 16 by 8 dim 0 : device.x) {
// next: sched.kernel @devices grid [2, 2, 1] block [20, 4, 1] {

// Devices of a host, each with its own tasks.
func.func @hosts(%A: tensor<16x64xf32>, %B: tensor<64x40xf32>) -> tensor<16x40xf32> {
  %C = mdh.compute "hosts" (i in 16, j in 40, k in 64 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,^,^) (^,^ ; ^) (CPU.x,^,^)",
         "2: (4,20,^) (^,MM ; ^) (THR.x,THR.y,^)",
         "3: (1,1,^) (^,^ ; REG nt) (FOR.1,FOR.2,^)",
         "4: (^,^,1) (^,^ ; ^) (^,^,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x64xf32>, tensor<64x40xf32>) -> tensor<16x40xf32>
  return %C : tensor<16x40xf32>
}
// check: sched.for step 1 at 1 (%i1 in 16 by 8 dim 0 : device.x) {
// next: sched.for step 2 at 2 (%i2 in 8 by 4 dim 0 : task, %j2 in 40 by 20 dim 1 : task) {
// check: {sched.nontemporal} : memref<1x1xf32, "reg"> to memref<16x40xf32>

// A warp of 64 lanes is a warp of the kernel's own width.
func.func @wide(%A: tensor<8x256xi32>) -> tensor<8xi32> {
  %C = mdh.compute "wide" (i in 8, k in 256 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (4,^) (^ ; ^) (BLK.x,^)",
         "2: (1,^) (^ ; ^) (WRP.y,^)",
         "3: (^,4) (^ ; ^) (^,THR.x)",
         "4: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : i32
  } : (tensor<8x256xi32>) -> tensor<8xi32>
  return %C : tensor<8xi32>
}
// check: sched.kernel @wide grid [2, 1, 1] block [256, 1, 1] subgroup 64 {

// The next row is asked for while this one is added.
func.func @rows(%A: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %C = mdh.compute "rows" (i in 8, j in 64) ins(%a = %A[i, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (1,^) (MM prefetch 1 ; ^) (FOR.1,^)",
         "2: (^,16) (^ ; ^) (^,FOR.1)",
         "3: (^,1) (^ ; ^) (^,VEC.x)"]} {
    %s = arith.addf %a, %a : f32
    mdh.yield %s : f32
  } : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %C : tensor<8x64xf32>
}
// check: func.func @rows
// check: %0 = sched.read %A[%i1, %j2 + %j3] {sched.ahead = array<i64: 0, 1>} : memref<8x64xf32>
