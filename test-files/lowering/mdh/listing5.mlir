// test: opt --pipeline="func.func(mdh-to-sched)"
// snapshot:
// Listing 5 of the paper as a schedule: the nest of its Listing 6, with tiles of A and B in shared memory that hold the rows
// of all threads of the block, and results in registers of each thread.

func.func @matmul(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  %C = mdh.compute "matmul" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (de/re)-comp( 8,20,^  )( ^,^ ; ^ )( BLK.y,BLK.x,BLK.z )",
         "6: (de/re)-comp( 4,^,^   )( ^,^ ; ^ )( FOR.1,FOR.2,FOR.3 )",
         "2: (de/re)-comp( 1,1,^   )( ^,^ ; C:RM )( THR.y,THR.x,THR.z )",
         "3: (de/re)-comp( ^,^,256 )( A:SM,B:SM ; ^ )( FOR.2,FOR.3,FOR.1 )",
         "4: (de/re)-comp( ^,^,2   )( ^,^ ; ^ )( FOR.2,FOR.3,FOR.1 )",
         "5: (de/re)-comp( ^,^,1   )( ^,^ ; ^ )( FOR.2,FOR.3,FOR.1 )"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}
// check: sched.kernel @matmul grid [50, 2, 1] block [20, 4, 1] {
// next: sched.for step 1 at 1 (%j1 in 1000 by 20 dim 1 : block.x, %i1 in 16 by 8 dim 0 : block.y) {
// next: sched.for step 3 at 2 (%j3 in 20 by 1 dim 1 : thread.x, %i3 in 4 by 1 dim 0 : thread.y) {
// next: %C_rm = sched.alloc step 3 at 2 : memref<2x1xf32, #gpu.address_space<private>>
// check: sched.for step 4 at 3 (%k4 in 2048 by 256 dim 2 pw add) {
// next: %A_sm = sched.alloc per block step 4 at 3 : memref<8x256xf32, #gpu.address_space<workgroup>>
// next: sched.copy per block step 4 at 3 (%d0, %d1) in (8, 256) %A[%d0 + %i1, %d1 + %k4] to %A_sm[%d0, %d1]
// next: %B_sm = sched.alloc per block step 4 at 3 : memref<256x20xf32, #gpu.address_space<workgroup>>
// next: sched.copy per block step 4 at 3 (%d0, %d1) in (256, 20) %B[%d0 + %k4, %d1 + %j1] to %B_sm[%d0, %d1]
// next: sched.for step 5 at 4 (%k5 in 256 by 2 dim 2 pw add) {
// next: sched.for step 6 at 5 (%k6 in 2 by 1 dim 2 pw add) {
// next: sched.for step 2 at 6 (%i2 in 8 by 4 dim 0) {
// next: %0 = sched.read %A_sm[%i3 + %i2, %k5 + %k6]
// next: %1 = sched.read %B_sm[%k5 + %k6, %j3]
// check: sched.write %p, %C_rm[%i2 floordiv 4, 0] combine add
// check: sched.copy step 3 at 2 (%d0, %d1) in (2, 1) %C_rm[%d0, %d1] to %C[%i3 + %i1 + %d0 * 4, %j3 + %d1 + %j1]

// With step 0 it is the same.
func.func @start(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  %C = mdh.compute "start" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "0: (de/re)-comp( 16,1000,2048 )( A:DM[1,2],B:DM[1,2] ; C:DM[1,2] )( GPU.y,GPU.x,GPU.z )",
         "1: (de/re)-comp( 8,20,^  )( ^,^ ; ^ )( BLK.y,BLK.x,BLK.z )",
         "2: (de/re)-comp( 1,1,1   )( ^,^ ; C:RM )( THR.y,THR.x,FOR.1 )"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}
// check: sched.kernel @start grid [50, 2, 1] block [20, 8, 1] {
// next: sched.for step 1 at 1 (%j1 in 1000 by 20 dim 1 : block.x, %i1 in 16 by 8 dim 0 : block.y) {
