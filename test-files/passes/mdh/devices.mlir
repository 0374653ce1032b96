// test: opt --pipeline="func.func(mdh-schedule{target=cuda devices=2}),to-cuda" --verify-diagnostics
// test: opt --pipeline="func.func(mdh-schedule{target=cuda devices=2}),to-cuda"
// Two devices share the kept loop of sums of rows and of columns: a launch for each of them, and a wait. A sum of everything stays on one.

func.func @rows(%A: tensor<64x96xf32>) -> tensor<64xf32> {
  // expected-remark@+1 {{2 devices share `i`}}
  %s = mdh.compute "rows" (i in 64, j in 96 pw add) ins(%a = %A[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<64x96xf32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}
// check: func.func @rows
// check: scf.for %i1 = %c0 to %c64 step %c32 iter_args
// check: gpu.set_default_device
// next: gpu.launch_func async @rows_kernel::@rows_kernel blocks in (%c32, %c1, %c1) threads in (%c64, %c1, %c1)  args(%i1 : index,
// next: gpu.wait async
// check: gpu.wait [

func.func @columns(%A: tensor<96x67xf32>) -> tensor<67xf32> {
  // expected-remark@+1 {{2 devices share `j`}}
  %s = mdh.compute "columns" (i in 96 pw add, j in 67) ins(%a = %A[i, j]) outs([j]) {
    mdh.yield %a : f32
  } : (tensor<96x67xf32>) -> tensor<67xf32>
  return %s : tensor<67xf32>
}
// check: func.func @columns
// check: gpu.set_default_device
// next: gpu.launch_func async @columns_kernel::@columns_kernel

func.func @all(%A: tensor<64x96xf32>) -> tensor<f32> {
  // expected-remark@+2 {{neighboring dimensions are one: i_j}}
  // expected-remark@+1 {{it stays on one device: no kept dimension has enough coordinates to share}}
  %s = mdh.compute "all" (i in 64 pw add, j in 96 pw add) ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : f32
  } : (tensor<64x96xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
// check: func.func @all
// check-not: gpu.set_default_device
// check: gpu.launch_func  @all_kernel::@all_kernel
