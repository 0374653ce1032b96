// test: opt --pipeline="mdh-accumulators" --verify-diagnostics
// A schedule for one result is none for the several that partial results are.

func.func @scheduled(%A: tensor<64xf32>) -> tensor<f32> {
  // expected-error @+1 {{[E0675]: 'mdh.compute' op accumulators cannot be written out: it has a schedule, which is not one of several results}}
  %0 = mdh.compute (j in 64 pw add exact) ins(%a = %A[j]) outs([]) attributes {mdh.schedule = ["1: (1) (^ ; ^) (FOR.1)"]} {
    mdh.yield %a : f32
  } : (tensor<64xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
