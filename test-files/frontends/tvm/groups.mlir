// test: opt --pipeline='func.func(mdh-script{compute=gram script="1: (3,4,5) (A.1:L2[2,1],A.2:^ ; ^) (FOR.1,FOR.2,FOR.3) 2: (1,1,1) (A:^ ; C:^) (FOR.1,FOR.2,FOR.3)"})'
// Steps as a script: an entry per access group of a buffer, or one for the buffer.

func.func @f(%A: tensor<12x20xf32>) -> tensor<12x12xf32> {
  %C = mdh.compute "gram" (i in 12, j in 12, k in 20 pw add) ins(%a = %A[i, k], %b = %A[j, k]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<12x20xf32>, tensor<12x20xf32>) -> tensor<12x12xf32>
  return %C : tensor<12x12xf32>
}
// check: mdh.schedule = ["1: (3,4,5) (L2[2,1],^ ; ^) (FOR.1,FOR.2,FOR.3)", "2: (1,1,1) (^ ; ^) (FOR.1,FOR.2,FOR.3)"]
