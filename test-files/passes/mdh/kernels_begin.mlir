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

// The block's memory: a row of 100000 elements is between the computations.
func.func @long_rows(%X: tensor<64x100000xf32>) -> tensor<64xf32> {
  %e = mdh.compute "e" (i in 64, j in 100000) ins(%x = %X[i, j]) outs([i, j]) {
    %d = math.exp %x : f32
    mdh.yield %d : f32
  } : (tensor<64x100000xf32>) -> tensor<64x100000xf32>
  // expected-remark@+1 {{it begins a kernel: the block's memory is too small: 400000 of 49152 bytes are between the computations}}
  %s = mdh.compute "s" (i in 64, j in 100000 pw add) ins(%x = %e[i, j]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<64x100000xf32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
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
