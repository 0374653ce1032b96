// test: opt --pipeline="func.func(mdh-to-sched)" --split-input-file --verify-diagnostics
// Names of buffers and memories that iterations do not share (paper, §5.4): Listing 5 with other entries.

func.func @unknown_buffer(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{step 4: S-BUF: there is no buffer `Q`; entries are A,B ; C}}
  %C = mdh.compute "unknown_buffer" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)",
         "6: (4,^,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
         "2: (1,1,^) (^,^ ; C:RM[1,2]) (THR.y,THR.x,THR.z)",
         "3: (^,^,256) (A:SM,Q:SM ; ^) (FOR.2,FOR.3,FOR.1)",
         "4: (^,^,2) (^,^ ; ^) (^,^,^)",
         "5: (^,^,1) (^,^ ; ^) (^,^,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}

// -----

func.func @other_buffer(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{step 4: S-BUF: `B` stands where `A` belongs; entries are A,B ; C}}
  %C = mdh.compute "other_buffer" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)",
         "6: (4,^,^) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)",
         "2: (1,1,^) (^,^ ; C:RM[1,2]) (THR.y,THR.x,THR.z)",
         "3: (^,^,256) (B:SM,A:SM ; ^) (FOR.2,FOR.3,FOR.1)",
         "4: (^,^,2) (^,^ ; ^) (^,^,^)",
         "5: (^,^,1) (^,^ ; ^) (^,^,^)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}

// -----

func.func @shared_by_blocks(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{S-REDUCE: SM at step 1: results of 2 blocks in dimension 3, which is reduced, cannot meet there. Say the buffer at a later step, take size 2048 (one of them), or say how they meet: (atomic), (kernel)}}
  %C = mdh.compute "shared_by_blocks" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,1024) (^,^ ; C:SM[1,2]) (BLK.y,BLK.x,BLK.z)",
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

func.func @registers_of_blocks(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{S-REDUCE: RM at step 1: results of 2 blocks in dimension 3}}
  %C = mdh.compute "registers_of_blocks" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,1024) (^,^ ; C:RM[1,2]) (BLK.y,BLK.x,BLK.z)",
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

func.func @registers_of_threads(%A: tensor<16x2048xf32>, %B: tensor<2048x1000xf32>) -> tensor<16x1000xf32> {
  // expected-error@+1 {{S-REDUCE: RM at step 1: results of 8 threads in dimension 3}}
  %C = mdh.compute "registers_of_threads" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j])
       attributes {mdh.schedule = [
         "1: (8,20,^) (^,^ ; C:RM) (BLK.y,BLK.x,^)",
         "2: (8,20,256) (^,^ ; ^) (^,^,THR.x)",
         "3: (1,1,1) (^,^ ; ^) (FOR.2,FOR.3,FOR.1)"]} {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<16x2048xf32>, tensor<2048x1000xf32>) -> tensor<16x1000xf32>
  return %C : tensor<16x1000xf32>
}

// -----

// The last panel of a result's tile would lie over what other tiles hold.
func.func @panels(%A: tensor<20x8xi32>) -> tensor<20xi32> {
  // expected-error@+1 {{S-LAYOUT: panels of 8 of dimension 1 of a result's tile, which they do not fill}}
  %c = mdh.compute (i in 20, k in 8 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (10,^) (^ ; L2[1/8,1%8]) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<20x8xi32>) -> tensor<20xi32>
  return %c : tensor<20xi32>
}

// -----

// Each task would write its neighbors' results back as well.
func.func @between(%A: tensor<16x8xi32>) -> tensor<16xi32> {
  // expected-error@+1 {{S-REGION: a tile of an output with others' elements between its own}}
  %c = mdh.compute (i in 16, k in 8 pw add) ins(%a = %A[i, k]) outs([15 - i])
       attributes {mdh.schedule = ["3: (4,^) (^ ; L2) (FOR.1,^)", "1: (1,^) (^ ; ^) (THR.x,^)", "2: (^,1) (^ ; L2) (^,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<16x8xi32>) -> tensor<16xi32>
  return %c : tensor<16xi32>
}

// -----

// The second block's tile of four begins at 4 and ends where the third block has begun.
func.func @next(%A: tensor<10x8xi32>) -> tensor<10xi32> {
  // expected-error@+1 {{S-DIV: tiles of dimension 1 that overshoot would write into the next of a result; use `~peel`}}
  %c = mdh.compute (i in 10, k in 8 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (5,^) (^ ; ^) (THR.x,^)", "2: (4~limit,^) (^ ; L1) (FOR.1,^)", "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<10x8xi32>) -> tensor<10xi32>
  return %c : tensor<10xi32>
}

// -----

// No point has the place 0, where the last tile would end.
func.func @turned(%A: tensor<10x8xi32>, %I: tensor<11xi32>) -> tensor<11xi32> {
  // expected-error@+1 {{S-DIV: tiles that overshoot would write into the rest of the result; use `~peel`}}
  %c = mdh.compute (i in 10, k in 8 pw add) ins(%a = %A[i, k]) outs([10 - i] into %I)
       attributes {mdh.schedule = ["1: (3~limit,^) (^ ; L1) (FOR.1,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<10x8xi32>, tensor<11xi32>) -> tensor<11xi32>
  return %c : tensor<11xi32>
}

// -----

// The place behind the last one is not outside.
func.func @rest(%A: tensor<9xi32>, %I: tensor<11xi32>) -> tensor<11xi32> {
  // expected-error@+1 {{S-DIV: `~pad` of dimension 1: what overshoots would be written into the rest of the result; use `~peel`}}
  %c = mdh.compute (i in 9) ins(%a = %A[i]) outs([i + 1] into %I)
       attributes {mdh.schedule = ["1: (5~pad) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : i32
  } : (tensor<9xi32>, tensor<11xi32>) -> tensor<11xi32>
  return %c : tensor<11xi32>
}

// -----

func.func @rest_of_tile(%A: tensor<5x5xi32>) -> tensor<2x3xi32> {
  // expected-error@+1 {{S-DIV: `~pad` of dimension 1: what overshoots would be written into the rest of the result; use `~peel`}}
  %c = mdh.compute (i in 5, j in 5 pw and) ins(%a = %A[i, j]) outs([i floordiv 3, i mod 3])
       attributes {mdh.schedule = ["1: (2~pad,^) (^ ; ^) (FOR.1,FOR.2)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<5x5xi32>) -> tensor<2x3xi32>
  return %c : tensor<2x3xi32>
}

// -----

// Prefixes follow each other.
func.func @prefix_threads(%A: tensor<40xf32>) -> tensor<40xf32> {
  // expected-error@+1 {{S-ORDER: dimension 1 (i) in step 1 is a prefix sum, whose parts follow each other; use FOR or UNR}}
  %c = mdh.compute (i in 40 ps add) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (10) (^ ; ^) (THR.x)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<40xf32>) -> tensor<40xf32>
  return %c : tensor<40xf32>
}

// -----

func.func @prefix_order(%A: tensor<40xf32>) -> tensor<40xf32> {
  // expected-error@+1 {{S-ORDER: step 1 of dimension 1 (i) stands inside of step 2, whose tiles are smaller; prefixes run in order: label larger tiles first}}
  %c = mdh.compute (i in 40 ps add) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["2: (10) (^ ; ^) (FOR.1)", "1: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<40xf32>) -> tensor<40xf32>
  return %c : tensor<40xf32>
}

// -----

func.func @prefix_around(%A: tensor<6x40xf32>) -> tensor<6x40xf32> {
  // expected-error@+1 {{S-ORDER: dimension 1 (r) in step 1 stands inside of prefixes over dimension 2 (i), which are carried from point to point; label or number it before}}
  %c = mdh.compute (r in 6, i in 40 ps add) ins(%a = %A[r, i]) outs([r, i])
       attributes {mdh.schedule = ["1: (1,10) (^ ; ^) (FOR.2,FOR.1)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<6x40xf32>) -> tensor<6x40xf32>
  return %c : tensor<6x40xf32>
}

// -----

func.func @prefix_result(%A: tensor<40xf32>) -> tensor<40xf32> {
  // expected-error@+1 {{S-REGION: a buffer of results in step 1, inside of prefixes over dimension 1 (i); say it before}}
  %c = mdh.compute (i in 40 ps add) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (10) (^ ; L1) (FOR.1)", "2: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<40xf32>) -> tensor<40xf32>
  return %c : tensor<40xf32>
}

// -----

// There is one grid, so blocks cannot be peeled.
func.func @peeled_blocks(%A: tensor<13xf32>) -> tensor<13xf32> {
  // expected-error@+1 {{S-DIV: `~peel` of dimension 1 in step 1, of which BLK.x in step 1 is part: all blocks run one program; `~limit` may be}}
  %c = mdh.compute (i in 13) ins(%a = %A[i]) outs([i])
       attributes {mdh.schedule = ["1: (4~peel) (^ ; ^) (BLK.x)", "2: (1) (^ ; ^) (THR.x)"]} {
    mdh.yield %a : f32
  } : (tensor<13xf32>) -> tensor<13xf32>
  return %c : tensor<13xf32>
}

// -----

func.func @places_of_threads(%A: tensor<8x64xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{S-REDUCE: dimension 2 in step 2 is reduced and spread over threads, each with several places of the result (dimension 1 in step 3)}}
  %c = mdh.compute (i in 8, k in 64 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (8,^) (^ ; ^) (BLK.x,BLK.y)", "2: (2,4) (^ ; ^) (THR.y,THR.x)", "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<8x64xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

func.func @quotients_apart(%A: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error@+1 {{S-REGION: a tile of an index function with quotients (SM in step 1)}}
  %c = mdh.compute (i in 8, j in 8) ins(%a = %A[i floordiv 2, j], %b = %A[i floordiv 4, j]) outs([i, j])
       attributes {mdh.schedule = ["1: (4,4) (A:SM ; ^) (BLK.x,BLK.y)", "2: (1,1) (^ ; ^) (THR.x,THR.y)"]} {
    %s = arith.addf %a, %b : f32
    mdh.yield %s : f32
  } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}
