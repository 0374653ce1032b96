// test: opt --pipeline="func.func(mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,licm,scf-stream-copies"
// Blocks of a result that tiles of registers put together in a cache. `tools/run` compares the values with the interpreter's.

// Neither rows nor columns divide; the block ends where the result does, and is one row of it.
func.func @block(%A: tensor<19x13x3xf32>, %B: tensor<19x35xf32>) -> tensor<3x13x35xf32> {
  %C = mdh.compute (a in 3, i in 13, j in 35, k in 19 pw add) ins(%x = %A[k, i, a], %y = %B[k, j]) outs([a, i, j])
       attributes {mdh.schedule = [
         "1: (1,^,^,^) (^,^ ; L1 nt) (FOR.1,^,^,^)",
         "2: (^,4~peel,32~peel,^) (^,^ ; REG) (^,FOR.1,FOR.2,^)",
         "3: (^,^,^,1) (^,^ ; ^) (^,^,^,FOR.1)",
         "4: (^,1,16~peel,^) (^,^ ; ^) (^,UNR.1,UNR.2,^)",
         "5: (^,^,1,^) (^,^ ; ^) (^,^,VEC.x,^)"]} {
    %p = arith.mulf %x, %y : f32
    mdh.yield %p : f32
  } : (tensor<19x13x3xf32>, tensor<19x35xf32>) -> tensor<3x13x35xf32>
  return %C : tensor<3x13x35xf32>
}
// check: func.func @block
// check: memref.alloca() {{.*}} : memref<1x13x35xf32>
// check: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<1365xf32>, vector<16xf32>

// Elements of 8 bytes, limits in place of remainders, tasks.
func.func @limits(%A: tensor<19x13x5xf64>, %B: tensor<19x35xf64>) -> tensor<5x13x35xf64> {
  %C = mdh.compute (a in 5, i in 13, j in 35, k in 19 pw add) ins(%x = %A[k, i, a], %y = %B[k, j]) outs([a, i, j])
       attributes {mdh.schedule = [
         "1: (2~limit,^,^,^) (^,^ ; ^) (THR.x,^,^,^)",
         "2: (1,^,^,^) (^,^ ; L1 nt) (FOR.1,^,^,^)",
         "3: (^,6~limit,8~limit,^) (^,^ ; REG) (^,FOR.1,FOR.2,^)",
         "4: (^,^,^,1) (^,^ ; ^) (^,^,^,FOR.1)",
         "5: (^,1,1,^) (^,^ ; ^) (^,UNR.1,UNR.2,^)"]} {
    %p = arith.mulf %x, %y : f64
    mdh.yield %p : f64
  } : (tensor<19x13x5xf64>, tensor<19x35xf64>) -> tensor<5x13x35xf64>
  return %C : tensor<5x13x35xf64>
}
// check: func.func @limits

// Blocks of some rows, the last of which is cut; integers.
func.func @parts(%A: tensor<19x29xi32>, %B: tensor<19x35xi32>) -> tensor<29x35xi32> {
  %C = mdh.compute (i in 29, j in 35, k in 19 pw add) ins(%x = %A[k, i], %y = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (12~peel,^,^) (^,^ ; L2 nt) (FOR.1,^,^)",
         "2: (5~peel,16~peel,^) (^,^ ; REG) (FOR.1,FOR.2,^)",
         "3: (^,^,1) (^,^ ; ^) (^,^,FOR.1)",
         "4: (1,^,^) (^,^ ; ^) (UNR.1,^,^)",
         "5: (^,1,^) (^,^ ; ^) (^,VEC.x,^)"]} {
    %p = arith.muli %x, %y : i32
    mdh.yield %p : i32
  } : (tensor<19x29xi32>, tensor<19x35xi32>) -> tensor<29x35xi32>
  return %C : tensor<29x35xi32>
}
// check: func.func @parts
