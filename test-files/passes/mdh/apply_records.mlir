// test: opt --pipeline="mdh-apply-records" --verify-diagnostics
// test: opt --pipeline="mdh-apply-records{target=x86-64-v3 on=openmp threads=3 from=any-machine+any-compiler}"
// Without a store nothing is looked up: computations stay as they are. With one: `passes/mdh/tests/records.rs`.

// check: mdh.compute "plain" (i in 7) ins(%a = %x[i]) outs([i]) {
func.func @plain(%x: tensor<7xf32>) -> tensor<7xf32> {
  %y = mdh.compute "plain" (i in 7) ins(%a = %x[i]) outs([i]) {
    %p = arith.mulf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<7xf32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// check: mdh.schedule = ["1: (1) (^ ; ^) (FOR.1)"]
func.func @given(%x: tensor<7xf32>) -> tensor<7xf32> {
  %y = mdh.compute (i in 7) ins(%a = %x[i]) outs([i]) attributes {mdh.schedule = ["1: (1) (^ ; ^) (FOR.1)"]} {
    %p = arith.mulf %a, %a : f32
    mdh.yield %p : f32
  } : (tensor<7xf32>) -> tensor<7xf32>
  return %y : tensor<7xf32>
}
