// Schedules of reductions whose mechanism the operator, its order or its type does not allow: each message once.
// test: opt --pipeline="func.func(mdh-fix-bits,mdh-schedule{target=cuda},mdh-to-sched)" --split-input-file --verify-diagnostics

// expected-error @+1 {{pass `mdh-to-sched` left IR that is not valid}}
func.func @rounded_sums_by_atomic_updates(%A: tensor<4x64xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{[E0658]: 'sched.for' op MECH: merges rounded values by atomic updates, whose order differs from run to run}}
  %r = mdh.compute (i in 4, k in 64 pw add) ins(%x = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,16) (^ ; ^) (BLK.y,BLK.x(atomic))", "2: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %x : f32
  } : (tensor<4x64xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func private @best(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) attributes {sched.operator = {associative, commutative, exact, identity = [0xFF800000 : f32, 2147483647 : i32]}} {
  %more = arith.cmpf ogt, %b, %a : f32
  %v = arith.select %more, %b, %a : f32
  %q = arith.select %more, %j, %i : i32
  return %v, %q : f32, i32
}
func.func @tuples_by_atomic_updates(%A: tensor<4x64xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // expected-error @+1 {{[E0641]: 'mdh.compute' op S-REDUCE: (atomic) of dimension 2 in step 1: an atomic update takes one value with a neutral element, this operator several or none}}
  %r:2 = mdh.compute (i in 4, k in 64 pw @best) ins(%x = %A[i, k]) outs([i], [i])
       attributes {mdh.schedule = ["1: (1,16) (^ ; ^,^) (BLK.y,BLK.x(atomic))", "2: (^,1) (^ ; ^,^) (^,FOR.1)"]} {
    %p = mdh.index 1
    %j = arith.index_cast %p : index to i32
    mdh.yield %x, %j : f32, i32
  } : (tensor<4x64xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xi32>
}

// -----
// expected-error @+1 {{pass `mdh-to-sched` left IR that is not valid}}
func.func @bytes_by_atomic_updates(%A: tensor<4x64xi1>) -> tensor<4xi1> {
  // expected-error @+1 {{[E0658]: 'sched.for' op MECH: merges by 'and' on elements that have no atomic updates}}
  %r = mdh.compute (i in 4, k in 64 pw and) ins(%x = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,16) (^ ; ^) (BLK.y,BLK.x(atomic))", "2: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %x : i1
  } : (tensor<4x64xi1>) -> tensor<4xi1>
  return %r : tensor<4xi1>
}

// -----
func.func @no_bracket_is_kept(%A: tensor<4x640xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{[E0675]: 'mdh.compute' op the reduction has a schedule, and its bracket makes several computations of it}}
  %r = mdh.compute (i in 4, k in 640 pw add invariant) ins(%x = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,160) (^ ; ^) (BLK.y,BLK.x(kernel))", "2: (^,1) (^ ; ^) (^,FOR.1)"]} {
    mdh.yield %x : f32
  } : (tensor<4x640xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----
func.func private @difference(%a: f32, %b: f32) -> f32 attributes {sched.operator = {}} {
  %0 = arith.subf %a, %b : f32
  return %0 : f32
}
func.func @not_associative(%A: tensor<4x64xf32>, %S: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{[E0671]: 'mdh.compute' op S-SOURCE: dimension 2 (k) in step 2 is on THR.x, but is folded in the order of the source}}
  %r = mdh.compute (i in 4, k in 64 pw @difference source) ins(%x = %A[i, k]) outs([i] into %S)
       attributes {mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "2: (^,1) (^ ; ^) (^,THR.x(shared))"]} {
    mdh.yield %x : f32
  } : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
