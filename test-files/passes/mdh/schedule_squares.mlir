// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})"

// What lanes write as neighbors is apart where it is read: squares of the input. Rows of results begin within lines: a KB of each is
// written in order.
func.func @transposed(%A: tensor<1013x1009xf32>, %B: tensor<1009x1013xf32>) -> tensor<1009x1013xf32> {
  %C = mdh.compute (i in 1009, j in 1013) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) {
    %0 = arith.addf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<1013x1009xf32>, tensor<1009x1013xf32>) -> tensor<1009x1013xf32>
  return %C : tensor<1009x1013xf32>
}
// check: func.func @transposed
// check: %C = mdh.compute (i in 1009, j in 1013) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) attributes {mdh.schedule = ["1: (256~limit,^) (^,^ ; ^) (THR.x,^)", "2: (16~peel,32~peel) (L1[2,1],^ ; ^) (FOR.2,FOR.1)", "3: (1,^) (^,^ ; ^) (FOR.1,^)", "4: (^,16) (^,^ ; ^) (^,UNR.1)", "5: (^,1) (^,^ ; ^) (^,VEC.x)"]} {

// Rows of results are whole lines: a tile needs only one of each row.
func.func @whole_lines(%A: tensor<1008x1008xf32>, %B: tensor<1008x1008xf32>) -> tensor<1008x1008xf32> {
  %C = mdh.compute (i in 1008, j in 1008) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) {
    %0 = arith.addf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<1008x1008xf32>, tensor<1008x1008xf32>) -> tensor<1008x1008xf32>
  return %C : tensor<1008x1008xf32>
}
// check: func.func @whole_lines
// check: %C = mdh.compute (i in 1008, j in 1008) ins(%a = %A[j, i], %b = %B[i, j]) outs([i, j]) attributes {mdh.schedule = ["1: (256~limit,^) (^,^ ; ^) (THR.x,^)", "2: (16~peel,32~peel) (L1[2,1],^ ; ^) (FOR.2,FOR.1)", "3: (1,^) (^,^ ; ^) (FOR.1,^)", "4: (^,16) (^,^ ; ^) (^,UNR.1)", "5: (^,1) (^,^ ; ^) (^,VEC.x)"]} {

// One buffer, read along rows and along columns.
func.func @plus_its_transpose(%A: tensor<1009x1009xf32>) -> tensor<1009x1009xf32> {
  %C = mdh.compute (i in 1009, j in 1009) ins(%a = %A[i, j], %b = %A[j, i]) outs([i, j]) {
    %0 = arith.addf %a, %b : f32
    mdh.yield %0 : f32
  } : (tensor<1009x1009xf32>, tensor<1009x1009xf32>) -> tensor<1009x1009xf32>
  return %C : tensor<1009x1009xf32>
}
// check: func.func @plus_its_transpose
// check: %C = mdh.compute (i in 1009, j in 1009) ins(%a = %A[i, j], %b = %A[j, i]) outs([i, j]) attributes {mdh.schedule = ["1: (256~limit,^) (^,^ ; ^) (THR.x,^)", "2: (16~peel,32~peel) (^,L1[2,1] ; ^) (FOR.2,FOR.1)", "3: (1,^) (^,^ ; ^) (FOR.1,^)", "4: (^,16) (^,^ ; ^) (^,UNR.1)", "5: (^,1) (^,^ ; ^) (^,VEC.x)"]} {

// Rows of seven columns with a function of a library: a lane for each row.
func.func @short_rows(%A: tensor<142867x7xf32>, %M: tensor<142867xf32>) -> tensor<142867xf32> {
  %S = mdh.compute (i in 142867, j in 7 pw add) ins(%a = %A[i, j], %m = %M[i]) outs([i]) {
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    mdh.yield %1 : f32
  } : (tensor<142867x7xf32>, tensor<142867xf32>) -> tensor<142867xf32>
  return %S : tensor<142867xf32>
}
// check: func.func @short_rows
// check: (16~peel,^) (L1[2,1],^ ; REG) (FOR.1,^)

// Long rows stay with lanes along them.
func.func @long_rows(%A: tensor<1009x1000xf32>) -> tensor<1009xf32> {
  %S = mdh.compute (i in 1009, j in 1000 pw add) ins(%a = %A[i, j]) outs([i]) {
    %0 = math.exp %a : f32
    mdh.yield %0 : f32
  } : (tensor<1009x1000xf32>) -> tensor<1009xf32>
  return %S : tensor<1009xf32>
}
// check: func.func @long_rows
// check: (^,VEC.x)

// A window reads neighbors: lanes are where the input is contiguous, and squares of the result change places, also a KB of a
// row in order.
func.func @window(%A: tensor<1015x1011xf32>) -> tensor<1009x1013xf32> {
  %C = mdh.compute (i in 1009, j in 1013) ins(%a = %A[j, i], %b = %A[j + 1, i + 2], %c = %A[j + 2, i + 1]) outs([i, j]) {
    %0 = arith.addf %a, %b : f32
    %1 = arith.addf %0, %c : f32
    mdh.yield %1 : f32
  } : (tensor<1015x1011xf32>, tensor<1015x1011xf32>, tensor<1015x1011xf32>) -> tensor<1009x1013xf32>
  return %C : tensor<1009x1013xf32>
}
// check: func.func @window
// check: (16~peel,256~peel) (^ ; L1[2,1]) (FOR.2,FOR.1)

// Channels are apart in the image: panels of windows, copied for a block of rows.
func.func @channels_apart(%A: tensor<1x48x57x57xf32>, %F: tensor<48x3x3xf32>) -> tensor<1x57x57x48xf32> {
  %C = mdh.compute (n in 1, p in 57, q in 57, c in 48, r in 3 pw add, s in 3 pw add)
       where 0 <= p + r - 1 < 57, 0 <= q + s - 1 < 57
       ins(%a = %A[n, c, p + r - 1, q + s - 1], %f = %F[c, r, s]) outs([n, p, q, c]) {
    %0 = arith.mulf %a, %f : f32
    mdh.yield %0 : f32
  } : (tensor<1x48x57x57xf32>, tensor<48x3x3xf32>) -> tensor<1x57x57x48xf32>
  return %C : tensor<1x57x57x48xf32>
}
// check: func.func @channels_apart
// check: (L2[2/16,1,3,4,2%16],L2[1/16,2,3,1%16] ; ^)

// Rows of 17: a vector and one more, several rows of them. Tiles of such rows share lines, which are not written past the caches.
func.func @rows_of_17(%A: tensor<25x17x25x17xf32>, %B: tensor<25x17x25x17xf32>) -> tensor<25x17x17x25x17x17xf32> {
  %C = mdh.compute (a in 25, b in 17, c in 17, d in 25, e in 17, f in 17, g in 25 pw add)
       ins(%x = %A[g, f, a, b], %y = %B[d, e, g, c]) outs([a, b, c, d, e, f]) {
    %0 = arith.mulf %x, %y : f32
    mdh.yield %0 : f32
  } : (tensor<25x17x25x17xf32>, tensor<25x17x25x17xf32>) -> tensor<25x17x17x25x17x17xf32>
  return %C : tensor<25x17x17x25x17x17xf32>
}
// check: func.func @rows_of_17
// check: (^,2~peel,^,^,6~peel,^,^) (^,^ ; REG) {{.*}} (^,1,^,^,1,16~peel,^)

// Columns of tiles become rows of the result, and planes of it are a multiple of 1 KB apart: whole squares, and two vectors of columns. The
// first cache holds lines of 48 planes.
func.func @planes(%A: tensor<1x3x224x224xf32>, %F: tensor<7x7x3x64xf32>) -> tensor<1x64x112x112xf32> {
  %C = mdh.compute (n in 1, p in 112, q in 112, k in 64, r in 7 pw add, s in 7 pw add, c in 3 pw add)
       where 0 <= 2 * p + r - 3 < 224, 0 <= 2 * q + s - 3 < 224
       ins(%a = %A[n, c, 2 * p + r - 3, 2 * q + s - 3], %f = %F[r, s, c, k]) outs([n, k, p, q]) {
    %0 = arith.mulf %a, %f : f32
    mdh.yield %0 : f32
  } : (tensor<1x3x224x224xf32>, tensor<7x7x3x64xf32>) -> tensor<1x64x112x112xf32>
  return %C : tensor<1x64x112x112xf32>
}
// check: func.func @planes
// check: %C = mdh.compute (n in 1, p in 112, q in 112, k in 64, r in 7 pw add, s in 7 pw add, c in 3 pw add) where 0 <= 2 * p + r - 3 < 224, 0 <= 2 * q + s - 3 < 224 ins(%a = %A[n, c, 2 * p + r - 3, 2 * q + s - 3], %f = %F[r, s, c, k]) outs([n, k, p, q]) attributes {mdh.rolled = array<i64: 5>, mdh.schedule = ["1: (^,56,^,32,^,^,^) (^,^ ; ^) (^,THR.x,^,THR.y,^,^,^)", "2: (^,^,^,^,^,^,^) (^,L2[4/32,1,2,3,4%32] ; ^) (^,^,^,^,^,^,^)", "3: (^,1,^,^,^,^,^) (^,^ ; ^) (^,FOR.1,^,^,^,^,^)", "4: (^,^,8~peel,^,^,^,^) (^,^ ; REG[1,3,4,2]) (^,^,FOR.1,^,^,^,^)", "5: (^,^,^,^,1,1,1) (^,^ ; ^) (^,^,^,^,FOR.1,UNR.2,UNR.3)", "6: (^,^,1,16,^,^,^) (^,^ ; ^) (^,^,UNR.1,UNR.2,^,^,^)", "7: (^,^,^,1,^,^,^) (^,^ ; ^) (^,^,^,VEC.x,^,^,^)"]} {
