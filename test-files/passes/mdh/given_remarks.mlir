// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})" --verify-diagnostics

func.func @bins(%A: tensor<4096xi32>) -> tensor<256xi32> {
    // expected-remark@+1 {{each point goes to the one coordinate of `b` that it names, in place of 256 comparisons: what misses is neutral}}
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
func.func @spread(%A: tensor<4096xi32>) -> tensor<256xi32> {
  // expected-remark@+1 {{all coordinates are compared: the schedule spreads `b` in step 1 (THR.x); each coordinate looks for its points}}
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

func.func @prefixes(%x: tensor<64x64xf32>) -> tensor<64xf32> {
  // expected-remark@+1 {{prefixes of a reduction stay one computation: the schedule that is given is of all its dimensions; without one they become two}}
  %y = mdh.compute (i in 64 ps add, j in 64 pw add) ins(%e = %x[i, j]) outs([i]) attributes {mdh.schedule = ["1: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %e : f32
  } : (tensor<64x64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
