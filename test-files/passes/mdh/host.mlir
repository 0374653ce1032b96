// test: opt --pipeline="func.func(mdh-schedule{target=x86-64-v4})"
// snapshot:
// What accesses say about a schedule.

// Rows and lanes in registers, panels of what moves with the lanes, threads over columns.
func.func @square(%A: tensor<1024x1024xf32>, %B: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %c = mdh.compute (i in 1024, j in 1024, k in 1024 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %c : tensor<1024x1024xf32>
}
// check: @square
// check: mdh.schedule = ["1: (^,256,^) (^,^ ; ^) (^,THR.x,^)", "2: (^,128,^) (^,L2[2/64,1,2%64] ; ^) (^,FOR.1,^)", "3: (60~limit,^,^) (^,^ ; ^) (FOR.1,^,^)", "4: (6~peel,64,^) (^,^ ; REG) (FOR.2,FOR.1,^)", "5: (^,^,1) (^,^ ; ^) (^,^,FOR.1)", "6: (1,16,^) (^,^ ; ^) (UNR.1,UNR.2,^)", "7: (^,1,^) (^,^ ; ^) (^,VEC.x,^)"]

// One that is there stays.
func.func @own(%A: tensor<8xf32>) -> tensor<8xf32> {
  %c = mdh.compute (i in 8) ins(%a = %A[i]) outs([i]) attributes {mdh.schedule = ["1: (1) (^ ; ^) (UNR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
// check: mdh.schedule = ["1: (1) (^ ; ^) (UNR.1)"]

// A contiguous reduction has several vectors of accumulators.
func.func @rows(%A: tensor<64x4096xf32>) -> tensor<64xf32> {
  %c = mdh.compute (i in 64, k in 4096 pw add) ins(%a = %A[i, k]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<64x4096xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
// check: mdh.schedule = ["1: (16,^) (^ ; ^) (THR.x,^)", "2: (1,128~peel) (^ ; ^) (FOR.1,FOR.2)", "3: (^,16) (^ ; ^) (^,UNR.1)", "4: (^,1) (^ ; ^) (^,VEC.x)"]

// `source` is a left fold: nothing is reordered.
func.func @ordered(%A: tensor<4096xf32>) -> tensor<f32> {
  %c = mdh.compute (k in 4096 pw add source) ins(%a = %A[k]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<4096xf32>) -> tensor<f32>
  return %c : tensor<f32>
}
// check: mdh.schedule = ["1: (1) (^ ; ^) (FOR.1)"]

// Nothing is reduced: lanes along what is contiguous, threads outside.
func.func @stencil(%A: tensor<514x514xf32>) -> tensor<512x512xf32> {
  %s = mdh.compute (i in 512, j in 512) ins(%u = %A[i, j + 1], %d = %A[i + 2, j + 1]) outs([i, j]) {
    %0 = arith.addf %u, %d : f32
    mdh.yield %0 : f32
  } : (tensor<514x514xf32>, tensor<514x514xf32>) -> tensor<512x512xf32>
  return %s : tensor<512x512xf32>
}
// check: mdh.schedule = ["1: (128,^) (^ ; ^) (THR.x,^)", "2: (1,16~peel) (^ ; ^) (FOR.1,FOR.2)", "3: (^,1) (^ ; ^) (^,VEC.x)"]

// Lanes read a window that moves by a few elements: nothing is copied.
func.func @pooling(%A: tensor<64x112x112xf32>) -> tensor<64x56x56xf32> {
  %m = mdh.compute (c in 64, p in 56, q in 56, r in 2 pw max, s in 2 pw max) ins(%a = %A[c, 2 * p + r, 2 * q + s]) outs([c, p, q]) {
    mdh.yield %a : f32
  } : (tensor<64x112x112xf32>) -> tensor<64x56x56xf32>
  return %m : tensor<64x56x56xf32>
}
// check: @pooling
// check: mdh.schedule = ["1: (16,^,^,^,^) (^ ; ^) (THR.x,^,^,^,^)", "2: (1,1,^,^,^) (^ ; ^) (FOR.1,FOR.2,^,^,^)", "3: (^,^,^,^,^) (^ ; REG) (^,^,^,^,^)", "4: (^,^,^,1,1) (^ ; ^) (^,^,^,FOR.1,FOR.2)", "5: (^,^,16~peel,^,^) (^ ; ^) (^,^,UNR.1,^,^)", "6: (^,^,1,^,^) (^ ; ^) (^,^,VEC.x,^,^)"]

func.func @strided(%X: tensor<64x129x129xf32>, %W: tensor<128x64x3x3xf32>) -> tensor<128x64x64xf32> {
  %m = mdh.compute (k in 128, p in 64, q in 64, c in 64 pw add, r in 3 pw add, s in 3 pw add) ins(%x = %X[c, 2 * p + r, 2 * q + s], %w = %W[k, c, r, s]) outs([k, p, q]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<64x129x129xf32>, tensor<128x64x3x3xf32>) -> tensor<128x64x64xf32>
  return %m : tensor<128x64x64xf32>
}
// check: @strided
// check: mdh.schedule = ["1: (^,16,^,^,^,^) (^,^ ; ^) (^,THR.x,^,^,^,^)", "2: (^,1,^,^,^,^) (^,^ ; ^) (^,FOR.1,^,^,^,^)", "3: (5~peel,^,^,^,^,^) (^,^ ; REG) (FOR.1,^,^,^,^,^)", "4: (^,^,^,1,1,1) (^,^ ; ^) (^,^,^,FOR.1,FOR.2,FOR.3)", "5: (1,^,16,^,^,^) (^,^ ; ^) (UNR.1,^,UNR.2,^,^,^)", "6: (^,^,1,^,^,^) (^,^ ; ^) (^,^,VEC.x,^,^,^)"]

// Padding along the lanes: taps are copies, of which some lanes are masked.
func.func @padded(%X: tensor<64x56x56xf32>, %W: tensor<64x64x3x3xf32>) -> tensor<64x56x56xf32> {
  %m = mdh.compute (k in 64, p in 56, q in 56, c in 64 pw add, r in 3 pw add, s in 3 pw add)
       where 0 <= p + r - 1 < 56, 0 <= q + s - 1 < 56 ins(%x = %X[c, p + r - 1, q + s - 1], %w = %W[k, c, r, s]) outs([k, p, q]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<64x56x56xf32>
  return %m : tensor<64x56x56xf32>
}
// check: @padded
// check: mdh.schedule = ["1: (^,14,^,^,^,^) (^,^ ; ^) (^,THR.x,^,^,^,^)", "2: (^,1,^,^,^,^) (^,^ ; ^) (^,FOR.1,^,^,^,^)", "3: (6~peel,^,^,^,^,^) (^,^ ; REG) (FOR.1,^,^,^,^,^)", "4: (^,^,^,1,1,1) (^,^ ; ^) (^,^,^,FOR.1,FOR.2,UNR.3)", "5: (1,^,16~peel,^,^,^) (^,^ ; ^) (UNR.1,^,UNR.2,^,^,^)", "6: (^,^,1,^,^,^) (^,^ ; ^) (^,^,VEC.x,^,^,^)"]
// not: mdh.rolled

// Short rows: lanes along the filters, whose weights are copied; a tile is turned when it is written.
func.func @turned(%X: tensor<256x14x14xf32>, %W: tensor<256x256x3x3xf32>) -> tensor<256x14x14xf32> {
  %m = mdh.compute (k in 256, p in 14, q in 14, c in 256 pw add, r in 3 pw add, s in 3 pw add)
       where 0 <= p + r - 1 < 14, 0 <= q + s - 1 < 14 ins(%x = %X[c, p + r - 1, q + s - 1], %w = %W[k, c, r, s]) outs([k, p, q]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<256x14x14xf32>
  return %m : tensor<256x14x14xf32>
}
// check: @turned
// check: %m = mdh.compute (k in 256, p in 14, q in 14, c in 256 pw add, r in 3 pw add, s in 3 pw add) where 0 <= p + r - 1 < 14, 0 <= q + s - 1 < 14 ins(%x = %X[c, p + r - 1, q + s - 1], %w = %W[k, c, r, s]) outs([k, p, q]) attributes {mdh.rolled = array<i64: 5>, mdh.schedule = ["1: (64,^,^,^,^,^) (^,^ ; ^) (THR.x,^,^,^,^,^)", "2: (32,^,^,^,^,^) (^,L2[1/32,2,3,4,1%32] ; ^) (FOR.1,^,^,^,^,^)", "3: (^,1,^,^,^,^) (^,^ ; ^) (^,FOR.1,^,^,^,^)", "4: (^,^,7~peel,^,^,^) (^,^ ; REG[2,3,1]) (^,^,FOR.1,^,^,^)", "5: (^,^,^,1,1,1) (^,^ ; ^) (^,^,^,FOR.1,FOR.2,UNR.3)", "6: (16,^,1,^,^,^) (^,^ ; ^) (UNR.2,^,UNR.1,^,^,^)", "7: (1,^,^,^,^,^) (^,^ ; ^) (VEC.x,^,^,^,^,^)"]} {

// Each element names its bin: it goes there, with a copy of the bins for each task.
func.func @histogram(%A: tensor<1048576xi32>) -> tensor<256xi32> {
  %r = mdh.compute (e in 1048576 pw add, b in 256) ins(%a = %A[e]) outs([b]) {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.select %hit, %one, %zero : i32
    mdh.yield %n : i32
  } : (tensor<1048576xi32>) -> tensor<256xi32>
  return %r : tensor<256xi32>
}
// check: mdh.scatter = array<i64: 1>, mdh.schedule = ["1: (32768,^) (^ ; ^) (THR.x,^)", "2: (1,1) (^ ; ^) (FOR.2,FOR.1)"]

// What misses counts as well: every bin is asked.
func.func @misses(%A: tensor<1048576xi32>) -> tensor<256xi32> {
  %r = mdh.compute (e in 1048576 pw add, b in 256) ins(%a = %A[e]) outs([b]) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.select %hit, %one, %two : i32
    mdh.yield %n : i32
  } : (tensor<1048576xi32>) -> tensor<256xi32>
  return %r : tensor<256xi32>
}
// check: @misses
// check-not: mdh.scatter

// Rows are reduced by threads, then prefixes are taken of their sums.
func.func @prefixes(%A: tensor<512x4096xf32>) -> tensor<512xf32> {
  %s = mdh.compute "sums" (i in 512 ps add, j in 4096 pw add) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<512x4096xf32>) -> tensor<512xf32>
  return %s : tensor<512xf32>
}
// check: mdh.compute "sums_reduced" (i in 512, j in 4096 pw add)
// check: mdh.compute "sums" (i in 512 ps add)

// Panels whose rows stay in the second cache where they lie are not copied: 512 rows 2 KB apart fill its sets, and no more.
func.func @as_they_lie(%A: tensor<196x512xf32>, %B: tensor<512x512xf32>) -> tensor<196x512xf32> {
  %c = mdh.compute (i in 196, j in 512, k in 512 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<196x512xf32>, tensor<512x512xf32>) -> tensor<196x512xf32>
  return %c : tensor<196x512xf32>
}
// check: @as_they_lie
// not: L2[

// Rows of 4 KB would fall into a quarter of as many sets.
func.func @crowded(%A: tensor<196x512xf32>, %B: tensor<512x1024xf32>) -> tensor<196x1024xf32> {
  %c = mdh.compute (i in 196, j in 1024, k in 512 pw add) ins(%a = %A[i, k], %b = %B[k, j]) outs([i, j]) {
    %p = arith.mulf %a, %b : f32
    mdh.yield %p : f32
  } : (tensor<196x512xf32>, tensor<512x1024xf32>) -> tensor<196x1024xf32>
  return %c : tensor<196x1024xf32>
}
// check: @crowded
// check: L2[2/

// Rows of a tile run down the image, where pixels lie next to each other, and not along the result's.
func.func @down_the_image(%X: tensor<61x57x59xf32>, %W: tensor<67x61x3x3xf32>) -> tensor<59x57x67xf32> {
  %o = mdh.compute (p in 59, q in 57, k in 67, r in 3 pw add, s in 3 pw add, c in 61 pw add)
       where 0 <= p + r - 1 < 59, 0 <= q + s - 1 < 57
       ins(%x = %X[c, q + s - 1, p + r - 1], %w = %W[k, c, s, r]) outs([p, q, k]) {
    %v = arith.mulf %x, %w : f32
    mdh.yield %v : f32
  } : (tensor<61x57x59xf32>, tensor<67x61x3x3xf32>) -> tensor<59x57x67xf32>
  return %o : tensor<59x57x67xf32>
}
// check: @down_the_image
// check: "4: (20~peel,^,16~pad,^,^,^) (^,^ ; REG) (FOR.2,^,FOR.1,^,^,^)"

// A last dimension of fifteen is one vector.
func.func @of_fifteen(%X: tensor<23x15x17x13xf32>, %Y: tensor<15x19x23x11xf32>) -> tensor<17x13x11x15x19x15xf32> {
  %z = mdh.compute (a in 17, b in 13, c in 11, d in 15, e in 19, f in 15, g in 23 pw add)
       ins(%x = %X[g, d, a, b], %y = %Y[f, e, g, c]) outs([a, b, c, d, e, f]) {
    %v = arith.mulf %x, %y : f32
    mdh.yield %v : f32
  } : (tensor<23x15x17x13xf32>, tensor<15x19x23x11xf32>) -> tensor<17x13x11x15x19x15xf32>
  return %z : tensor<17x13x11x15x19x15xf32>
}
// check: @of_fifteen
// check: (^,^,^,^,^,1~mask,^) (^,^ ; ^) (^,^,^,^,^,VEC.x,^)
