// test: opt --pipeline="func.func(mdh-schedule{target=openmp})" --split-input-file --verify-diagnostics
// OpenMP has threads and caches only (paper, §5.2).

func.func @blocks(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{S-LAYER: BLK in step 1: openmp has CPU, THR, FOR, UNR, VEC (no blocks); use THR}}
  %C = mdh.compute "blocks" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)",
         "6: (4,^,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
         "2: (1,1,^) (^,^ ; C:RM[1,2]) (THR.y,THR.x,THR.z)",
         "3: (^,^,256) (A:SM[1,2],B:SM[1,2] ; ^) (FOR.2,FOR.3,FOR.1)",
         "4: (^,^,2) (^,^ ; ^) (^,^,^)",
         "5: (^,^,1) (^,^ ; ^) (^,^,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}

// -----

func.func @shared(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{S-REGION: SM in step 1: openmp has MM, REG, L1, L2, L3}}
  %C = mdh.compute "shared" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (SM,^ ; ^) (THR.x,THR.y,^)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}

// -----

func.func @right(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  %C = mdh.compute "right" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (L3[2,1],L2 ; ^) (THR.x,THR.y,^)",
         "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}
