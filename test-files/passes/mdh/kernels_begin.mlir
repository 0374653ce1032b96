// test: opt --pipeline="func.func(mdh-schedule{target=cuda})"
// What begins a kernel of its own says why.

// Other axes: the sum of a column needs the sums of all rows.
func.func @rows_and_columns(%X: tensor<1024x2048xf32>) -> tensor<2048xf32> {
  %s = mdh.compute "s" (i in 1024, j in 2048 pw add) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<1024x2048xf32>) -> tensor<1024xf32>
  // expected-remark@+1 {{it begins a kernel: it reads at other coordinates than are written}}
  %c = mdh.compute "c" (j in 2048, i in 1024 pw add) ins(%x = %X[i, j], %a = %s[i]) outs([j]) {
    %q = arith.mulf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<1024x2048xf32>, tensor<1024xf32>) -> tensor<2048xf32>
  return %c : tensor<2048xf32>
}
// check: @rows_and_columns

// The block's memory: a row of 100000 elements is between the computations. The sum computes what it reads.
func.func @long_rows(%X: tensor<64x100000xf32>) -> tensor<64x100000xf32> {
  %e = mdh.compute "e" (i in 64, j in 100000) ins(%x = %X[i, j]) outs([i, j]) {
    %d = math.exp %x : f32
    mdh.yield %d : f32
  } : (tensor<64x100000xf32>) -> tensor<64x100000xf32>
  %s = mdh.compute "s" (i in 64, j in 100000 pw add) ins(%x = %e[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<64x100000xf32>) -> tensor<64xf32>
  // expected-remark@+1 {{it begins a kernel: the block's memory is too small: 400004 of 49152 bytes are between the computations}}
  %y = mdh.compute "y" (i in 64, j in 100000) ins(%x = %e[i, j], %a = %s[i]) outs([i, j]) {
    %q = arith.divf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<64x100000xf32>, tensor<64xf32>) -> tensor<64x100000xf32>
  return %y : tensor<64x100000xf32>
}
// check: @long_rows

// The order of the source: the first computation has no form in rows.
func.func @in_order(%X: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %s = mdh.compute "s" (i in 64, j in 1000 pw add source) ins(%x = %X[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<64x1000xf32>) -> tensor<64xf32>
  // expected-remark@+1 {{it begins a kernel: what it reads keeps its order, has conditions or a schedule of its own}}
  %y = mdh.compute "y" (i in 64, j in 1000) ins(%x = %X[i, j], %a = %s[i]) outs([i, j]) {
    %q = arith.subf %x, %a : f32
    mdh.yield %q : f32
  } : (tensor<64x1000xf32>, tensor<64xf32>) -> tensor<64x1000xf32>
  return %y : tensor<64x1000xf32>
}
// check: @in_order

// Updates of memory: no thread has all of a result when its kernel ends. (This schedule is the author's.)
func.func @updated(%X: tensor<4096x4096xi32>) -> tensor<4096xi32> {
  %s = mdh.compute "s" (i in 4096 pw add, j in 4096) ins(%x = %X[i, j]) outs([j]) attributes {mdh.schedule = [
    "1: (512,128) (^ ; ^) (BLK.y(atomic),BLK.x)", "2: (^,1) (^ ; ^) (^,THR.x)", "3: (1,^) (^ ; ^) (FOR.1,^)"]} {
    mdh.yield %x : i32
  } : (tensor<4096x4096xi32>) -> tensor<4096xi32>
  // expected-remark@+1 {{it begins a kernel: blocks meet in what it reads by atomic updates, and none has all of it}}
  %y = mdh.compute "y" (j in 4096) ins(%a = %s[j]) outs([j]) {
    %q = arith.muli %a, %a : i32
    mdh.yield %q : i32
  } : (tensor<4096xi32>) -> tensor<4096xi32>
  return %y : tensor<4096xi32>
}
// check: @updated
