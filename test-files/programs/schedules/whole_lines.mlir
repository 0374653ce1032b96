// test: opt --pipeline="func.func(mdh-to-sched),sched-legalize,sched-to-scf,canonicalize,cse,licm,scf-align-stores"
// Rows whose length no vector divides, written past the caches. `tools/run` compares the values with the interpreter's.

// Several rows at once, each with a shift of its own.
func.func @stencil(%A: tensor<25x221xf32>) -> tensor<23x219xf32> {
  %fifth = arith.constant 0.2 : f32
  %C = mdh.compute (i in 23, j in 219)
       ins(%c = %A[i + 1, j + 1], %n = %A[i, j + 1], %s = %A[i + 2, j + 1], %w = %A[i + 1, j], %e = %A[i + 1, j + 2], %factor = %fifth)
       outs([i, j]) attributes {mdh.schedule = [
         "0: (^,^) (^ ; MM nt) (^,^)",
         "1: (8~limit,^) (^ ; ^) (THR.x,^)",
         "2: (4~peel,16~peel) (^ ; ^) (FOR.1,FOR.2)",
         "3: (1,^) (^ ; ^) (UNR.1,^)",
         "4: (^,1) (^ ; ^) (^,VEC.x)"]} {
    %0 = arith.addf %n, %s : f32
    %1 = arith.addf %w, %e : f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.addf %2, %c : f32
    %4 = arith.mulf %3, %factor : f32
    mdh.yield %4 : f32
  } : (tensor<25x221xf32>, tensor<25x221xf32>, tensor<25x221xf32>, tensor<25x221xf32>, tensor<25x221xf32>, f32) -> tensor<23x219xf32>
  return %C : tensor<23x219xf32>
}
// check: func.func @stencil
// check: sched.rotate
// check: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// check: vector.maskedstore

// Two vectors in an iteration, elements of 8 bytes.
func.func @pairs(%A: tensor<17x131xf64>, %B: tensor<17x131xf64>) -> tensor<17x131xf64> {
  %C = mdh.compute (i in 17, j in 131) ins(%a = %A[i, j], %b = %B[i, j]) outs([i, j]) attributes {mdh.schedule = [
         "0: (^,^) (^,^ ; MM nt) (^,^)",
         "1: (1,16~peel) (^,^ ; ^) (FOR.1,FOR.2)",
         "2: (^,8~peel) (^,^ ; ^) (^,UNR.1)",
         "3: (^,1) (^,^ ; ^) (^,VEC.x)"]} {
    %0 = arith.addf %a, %b : f64
    mdh.yield %0 : f64
  } : (tensor<17x131xf64>, tensor<17x131xf64>) -> tensor<17x131xf64>
  return %C : tensor<17x131xf64>
}
// check: func.func @pairs
// check: sched.rotate
// check: sched.rotate

// Vectors of half a line.
func.func @halves(%A: tensor<19x93xi32>) -> tensor<19x93xi32> {
  %C = mdh.compute (i in 19, j in 93) ins(%a = %A[i, j]) outs([i, j]) attributes {mdh.schedule = [
         "0: (^,^) (^ ; MM nt) (^,^)",
         "1: (1,8~peel) (^ ; ^) (FOR.1,FOR.2)",
         "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    %0 = arith.muli %a, %a : i32
    mdh.yield %0 : i32
  } : (tensor<19x93xi32>) -> tensor<19x93xi32>
  return %C : tensor<19x93xi32>
}
// check: func.func @halves
// check: sched.rotate {{.*}} : vector<8xi32>

// Rows that begin at lines stay as they are.
func.func @aligned(%A: tensor<9x96xf32>) -> tensor<9x96xf32> {
  %C = mdh.compute (i in 9, j in 96) ins(%a = %A[i, j]) outs([i, j]) attributes {mdh.schedule = [
         "0: (^,^) (^ ; MM nt) (^,^)",
         "1: (1,16) (^ ; ^) (FOR.1,FOR.2)",
         "2: (^,1) (^ ; ^) (^,VEC.x)"]} {
    %0 = arith.addf %a, %a : f32
    mdh.yield %0 : f32
  } : (tensor<9x96xf32>) -> tensor<9x96xf32>
  return %C : tensor<9x96xf32>
}
// check: func.func @aligned
// not: sched.rotate
