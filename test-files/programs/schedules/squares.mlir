// test: opt --pipeline="func.func(mdh-to-sched)"
// Squares of an input or a result whose rows and columns change places. `tools/run` compares the values with the interpreter's.

// Whole squares of 16, and what remains of both dimensions.
func.func @turned(%A: tensor<37x53xf32>, %B: tensor<53x37xf32>) -> tensor<53x37xf32> {
  %C = mdh.compute (i in 53, j in 37) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) attributes {mdh.schedule = [
         "1: (32~limit,^) (^,^ ; ^) (THR.x,^)",
         "2: (16~peel,16~peel) (L1[2,1],^ ; ^) (FOR.1,FOR.2)",
         "3: (1,^) (^,^ ; ^) (UNR.1,^)",
         "4: (^,1) (^,^ ; ^) (^,VEC.x)"]} {
    %0 = arith.addf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<37x53xf32>, tensor<53x37xf32>) -> tensor<53x37xf32>
  return %C : tensor<53x37xf32>
}
// check: func.func @turned
// check: sched.copy

// Elements of 8 bytes, a dimension around the squares.
func.func @reversed(%A: tensor<19x3x21xf64>) -> tensor<21x3x19xf64> {
  %C = mdh.compute (i in 21, j in 3, k in 19) ins(%a = %A[k, j, i]) outs([i, j, k]) attributes {mdh.schedule = [
         "1: (^,1,^) (^ ; ^) (^,FOR.1,^)",
         "2: (16~peel,^,8~peel) (L1[2,3,1] ; ^) (FOR.1,^,FOR.2)",
         "3: (1,^,^) (^ ; ^) (FOR.1,^,^)",
         "4: (^,^,1) (^ ; ^) (^,^,VEC.x)"]} {
    %0 = arith.addf %a, %a : f64
    mdh.yield %0 : f64
  } : (tensor<19x3x21xf64>) -> tensor<21x3x19xf64>
  return %C : tensor<21x3x19xf64>
}
// check: func.func @reversed

// Whole rows of 16 lanes, reduced in the lanes: 5 rows remain.
func.func @short_rows(%A: tensor<37x7xf32>) -> tensor<37xf32> {
  %C = mdh.compute (i in 37, j in 7 pw add) ins(%a = %A[i, j]) outs([i]) attributes {mdh.schedule = [
         "1: (16~peel,^) (L1[2,1] ; REG) (FOR.1,^)",
         "2: (^,1) (^ ; ^) (^,FOR.1)",
         "3: (1,^) (^ ; ^) (VEC.x,^)"]} {
    %0 = math.exp %a : f32
    mdh.yield %0 : f32
  } : (tensor<37x7xf32>) -> tensor<37xf32>
  return %C : tensor<37xf32>
}
// check: func.func @short_rows
// check: sched.copy

// A window reads neighbors: the result has the tile, and goes past the caches.
func.func @window(%A: tensor<39x55xf32>) -> tensor<53x37xf32> {
  %C = mdh.compute (i in 53, j in 37) ins(%a = %A[j, i], %b = %A[j + 1, i + 2], %c = %A[j + 2, i + 1]) outs([i, j]) attributes {mdh.schedule = [
         "1: (^,32~limit) (^ ; ^) (^,THR.x)",
         "2: (16~peel,16~peel) (^ ; L1[2,1]nt) (FOR.2,FOR.1)",
         "3: (^,1) (^ ; ^) (^,UNR.1)",
         "4: (1,^) (^ ; ^) (VEC.x,^)"]} {
    %0 = arith.addf %a, %b : f32
    %1 = arith.subf %0, %c : f32
    mdh.yield %1 : f32
  } : (tensor<39x55xf32>, tensor<39x55xf32>, tensor<39x55xf32>) -> tensor<53x37xf32>
  return %C : tensor<53x37xf32>
}
// check: func.func @window
// check: sched.copy {{.*}} {sched.nontemporal}

// Channels are apart in the image: a panel has one for each lane, and zeros around the image.
func.func @panels_of_windows(%A: tensor<35x19x21x1xf32>, %B: tensor<35x3x3xf32>) -> tensor<21x19x35xf32> {
  %C = mdh.compute (p in 21, q in 19, c in 35, r in 3 pw add, s in 3 pw add)
       where 0 <= p + r - 1 < 21, 0 <= q + s - 1 < 19
       ins(%a = %A[c, q + s - 1, p + r - 1, 0], %f = %B[c, r, s]) outs([p, q, c]) attributes {mdh.schedule = [
         "1: (11~limit,^,32~pad,^,^) (^,^ ; ^) (THR.x,^,THR.y,^,^)",
         "2: (8~limit,^,16,^,^) (L2[1/16,2,3,4,1%16],L2[1/16,2,3,1%16] ; ^) (FOR.1,^,FOR.2,^,^)",
         "3: (1,^,^,^,^) (^,^ ; ^) (FOR.1,^,^,^,^)",
         "4: (^,7~peel,^,^,^) (^,^ ; REG) (^,FOR.1,^,^,^)",
         "5: (^,^,^,1,1) (^,^ ; ^) (^,^,^,FOR.1,UNR.2)",
         "6: (^,1,^,^,^) (^,^ ; ^) (^,UNR.1,^,^,^)",
         "7: (^,^,1,^,^) (^,^ ; ^) (^,^,VEC.x,^,^)"]} {
    %0 = arith.mulf %a, %f : f32
    mdh.yield %0 : f32
  } : (tensor<35x19x21x1xf32>, tensor<35x3x3xf32>) -> tensor<21x19x35xf32>
  return %C : tensor<21x19x35xf32>
}
// check: func.func @panels_of_windows
// check: sched.copy {{.*}} else

// Long rows of results that begin within lines: three vectors of each in order, and what remains of both dimensions.
func.func @long_rows(%A: tensor<53x37xf32>, %B: tensor<37x53xf32>) -> tensor<37x53xf32> {
  %C = mdh.compute (i in 37, j in 53) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) attributes {mdh.schedule = [
         "1: (32~limit,^) (^,^ ; ^) (THR.x,^)",
         "2: (16~peel,48~peel) (L1[2,1],^ ; ^) (FOR.1,FOR.2)",
         "3: (1,^) (^,^ ; ^) (FOR.1,^)",
         "4: (^,16) (^,^ ; ^) (^,UNR.1)",
         "5: (^,1) (^,^ ; ^) (^,VEC.x)"]} {
    %0 = arith.subf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<53x37xf32>, tensor<37x53xf32>) -> tensor<37x53xf32>
  return %C : tensor<37x53xf32>
}
// check: func.func @long_rows

// Whole rows of 37, two vectors and 5 elements, in tasks along a dimension around them.
func.func @whole_rows(%A: tensor<37x6x21xf32>) -> tensor<21x6x37xf32> {
  %C = mdh.compute (i in 21, j in 6, k in 37) ins(%a = %A[k, j, i]) outs([i, j, k]) attributes {mdh.schedule = [
         "1: (^,2~limit,^) (^ ; ^) (^,THR.x,^)",
         "2: (16~peel,1,^) (L1[2,3,1] ; ^) (FOR.2,FOR.1,^)",
         "3: (1,^,^) (^ ; ^) (FOR.1,^,^)",
         "4: (^,^,16~peel) (^ ; ^) (^,^,UNR.1)",
         "5: (^,^,1) (^ ; ^) (^,^,VEC.x)"]} {
    %0 = arith.addf %a, %a : f32
    mdh.yield %0 : f32
  } : (tensor<37x6x21xf32>) -> tensor<21x6x37xf32>
  return %C : tensor<21x6x37xf32>
}
// check: func.func @whole_rows

// The same with a window: long rows of the result's tile are copied out.
func.func @long_window(%A: tensor<55x39xf32>) -> tensor<37x53xf32> {
  %C = mdh.compute (i in 37, j in 53) ins(%a = %A[j, i], %b = %A[j + 1, i + 2], %c = %A[j + 2, i + 1]) outs([i, j]) attributes {mdh.schedule = [
         "1: (32~limit,^) (^ ; ^) (THR.x,^)",
         "2: (16~peel,48~peel) (^ ; L1[2,1]) (FOR.2,FOR.1)",
         "3: (^,16~peel) (^ ; ^) (^,FOR.1)",
         "4: (^,1) (^ ; ^) (^,UNR.1)",
         "5: (1,^) (^ ; ^) (VEC.x,^)"]} {
    %0 = arith.addf %a, %b : f32
    %1 = arith.subf %0, %c : f32
    mdh.yield %1 : f32
  } : (tensor<55x39xf32>, tensor<55x39xf32>, tensor<55x39xf32>) -> tensor<37x53xf32>
  return %C : tensor<37x53xf32>
}
// check: func.func @long_window

// One buffer, read along rows and along columns: the latter alone are copied.
func.func @plus_its_transpose(%A: tensor<53x53xf32>) -> tensor<53x53xf32> {
  %C = mdh.compute (i in 53, j in 53) ins(%a = %A[i, j], %b = %A[j, i]) outs([i, j]) attributes {mdh.schedule = [
         "1: (16~peel,32~peel) (^,L1[2,1] ; ^) (FOR.2,FOR.1)",
         "2: (1,^) (^,^ ; ^) (FOR.1,^)",
         "3: (^,16) (^,^ ; ^) (^,UNR.1)",
         "4: (^,1) (^,^ ; ^) (^,VEC.x)"]} {
    %0 = arith.addf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<53x53xf32>, tensor<53x53xf32>) -> tensor<53x53xf32>
  return %C : tensor<53x53xf32>
}
// check: func.func @plus_its_transpose
// check: sched.copy
