// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})"

// What follows from a schedule that is given, as from one that is chosen.

// check: @taps
func.func @taps(%I: tensor<56x64xf32>, %W: tensor<3x64x32xf32>) -> tensor<56x32xf32> {
  // check: mdh.rolled = array<i64: 2>, mdh.schedule = ["1: (8,^,^,^)
  %o = mdh.compute (q in 56, k in 32, s in 3 pw add, c in 64 pw add) where 0 <= q + s - 1 < 56
       ins(%x = %I[q + s - 1, c], %w = %W[s, c, k]) outs([q, k])
       attributes {mdh.schedule = ["1: (8,^,^,^) (^,^ ; REG) (FOR.1,^,^,^)", "2: (^,^,1,1) (^,^ ; ^) (^,^,UNR.2,FOR.1)",
                                   "3: (1,16,^,^) (^,^ ; ^) (UNR.1,UNR.2,^,^)", "4: (^,1,^,^) (^,^ ; ^) (^,VEC.x,^,^)"]} {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<56x64xf32>, tensor<3x64x32xf32>) -> tensor<56x32xf32>
  return %o : tensor<56x32xf32>
}

// An empty list is the author's: not here.
// check: @copies
func.func @copies(%I: tensor<56xf32>, %W: tensor<3xf32>) -> tensor<56xf32> {
  // check: mdh.rolled = array<i64>, mdh.schedule = ["1: (1,1) (^,^ ; ^) (FOR.1,UNR.2)"]
  %o = mdh.compute (q in 56, s in 3 pw add) where 0 <= q + s - 1 < 56 ins(%x = %I[q + s - 1], %w = %W[s]) outs([q])
       attributes {mdh.rolled = array<i64>, mdh.schedule = ["1: (1,1) (^,^ ; ^) (FOR.1,UNR.2)"]} {
    %p = arith.mulf %x, %w : f32
    mdh.yield %p : f32
  } : (tensor<56xf32>, tensor<3xf32>) -> tensor<56xf32>
  return %o : tensor<56xf32>
}

// check: @bins
func.func @bins(%A: tensor<4096xi32>) -> tensor<256xi32> {
  // check: mdh.scatter = array<i64: 1>, mdh.schedule = ["1: (1024,^)
  %r = mdh.compute (e in 4096 pw add, b in 256) ins(%a = %A[e]) outs([b])
       attributes {mdh.schedule = ["1: (1024,^) (^ ; ^) (THR.x,^)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.select %hit, %one, %zero : i32
    mdh.yield %n : i32
  } : (tensor<4096xi32>) -> tensor<256xi32>
  return %r : tensor<256xi32>
}

// check: @spread
// check-not: mdh.scatter
func.func @spread(%A: tensor<4096xi32>) -> tensor<256xi32> {
  %r = mdh.compute (e in 4096 pw add, b in 256) ins(%a = %A[e]) outs([b])
       attributes {mdh.schedule = ["1: (^,64) (^ ; ^) (^,THR.x)", "2: (1,1) (^ ; ^) (FOR.2,FOR.1)"]} {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.select %hit, %one, %zero : i32
    mdh.yield %n : i32
  } : (tensor<4096xi32>) -> tensor<256xi32>
  return %r : tensor<256xi32>
}
