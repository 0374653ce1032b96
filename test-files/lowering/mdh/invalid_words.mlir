// test: opt --pipeline="func.func(mdh-to-sched)" --split-input-file --verify-diagnostics

func.func @nt_of_input(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `nt` of input L2 nt in step 1: it is a word for results}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (L2 nt ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @stages_of_result(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `stages` of result RM stages 2 in step 1}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (^ ; RM stages 2) (BLK.x,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @stages_of_cache(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `stages 2` of L2 in step 1: it is said of buffers in SM}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (L2 stages 2 ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @too_many_stages(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `stages 9` of step 1: a buffer has 1 to 8 parts}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (SM stages 9 ; ^) (BLK.x,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @stages_without_loop(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `stages 2` of step 1: there is no loop FOR of more than one iteration right around its buffers}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (SM stages 2 ; ^) (BLK.x,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @turned_line(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `RM swizzle 1` has one dimension in storage}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (^ ; RM swizzle 1) (BLK.x,^)", "2: (1,16) (^ ; ^) (FOR.1,FOR.2)", "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @exchanged_line(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `RM xor 1` has one dimension in storage; `xor` exchanges parts of rows}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (^ ; RM xor 1) (BLK.x,^)", "2: (1,16) (^ ; ^) (FOR.1,FOR.2)", "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @odd_rows(%A: tensor<8x48xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `L2 xor 4`: groups of 4 in rows of 48; both are powers of two for `xor`}}
  %c = mdh.compute (i in 8, k in 48 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (L2 xor 4 ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x48xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @both(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `L2 swizzle 1 xor 4` of step 1: rows are turned or exchanged, not both}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (L2 swizzle 1 xor 4 ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @turned_start(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `MM swizzle 1` in step 0}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["0: (8,64) (MM swizzle 1 ; MM) (CPU.x,CPU.y)", "1: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @unknown(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{step 1: S-WORD: `async` is no word; words are nt, stages N, swizzle N, xor N, prefetch N}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (L2 async 2 ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @lanes(%A: tensor<8x512xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-AXIS: 256 threads of a warp; the widest has 128}}
  %c = mdh.compute (i in 8, k in 512 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "2: (^,256) (^ ; ^) (^,WRP.x)", "3: (^,1) (^ ; ^) (^,THR.x)"]} {
    mdh.yield %a : f32
  } : (tensor<8x512xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @devices_inside(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-NEST: dimension 1 in step 2 is spread over devices inside of other loops; label its step first}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,^) (^ ; ^) (FOR.1,^)", "2: (1,^) (^ ; ^) (GPU.x,^)", "3: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @devices_reduced(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-REDUCE: dimension 2 in step 1 is reduced; results of several devices meet nowhere}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (^,32) (^ ; ^) (^,GPU.x)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @layer(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-LAYER: there is no layer PE; it is one of GPU, CPU, BLK, WRP, THR, FOR, UNR, VEC}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (PE.x,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @order_twice(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-FOR: number 1 of step 1 for dimensions 1 and 2; numbers are the order of loops}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (FOR.1,UNR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @order_by_axis(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-AXIS: `FOR.x` of step 1: FOR has numbers, the order of loops}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (FOR.x,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @order_zero(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-AXIS: `UNR.0` of step 1: UNR has numbers, the order of loops}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (FOR.1,UNR.0)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @axis_by_number(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-AXIS: `WRP.1`: the axis is x, y or z}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (WRP.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @axis_twice(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-NEST: BLK.x twice with more than one iteration: dimension 1 in step 1 and dimension 2 in step 1; use another axis, or FOR for one of them}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (4,32) (^ ; ^) (BLK.x,BLK.x)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @asked_of_copy(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `L2 prefetch 1` in step 1: `prefetch` is said of memory as it is, at the step of a loop: `MM prefetch 1`}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (L2 prefetch 1 ; ^) (FOR.1,^)", "2: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @asked_of_result(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `prefetch` of result MM prefetch 1 in step 1: it is said of inputs}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (^ ; MM prefetch 1) (FOR.1,^)", "2: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @asked_by_tasks(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `prefetch 1` of step 1: there is no loop FOR of more than one iteration right around it}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (MM prefetch 1 ; ^) (THR.x,^)", "2: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @asked_by_blocks(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-WORD: `prefetch 1` of step 2: threads of a grid wait for memory in turns; it is for processors}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "2: (^,16) (DM prefetch 1 ; ^) (^,FOR.1)", "3: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
