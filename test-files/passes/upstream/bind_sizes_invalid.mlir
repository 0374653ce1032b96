// test: opt --pipeline="func.func(bind-sizes{sizes=A=4x6,B=7x5,v=3})" --split-input-file --verify-diagnostics

func.func @mm(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{[E0506]: 'linalg.matmul' op SIZE: dimension 0 of %B is 7, and here 6}}
  %r = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----
// expected-error @+1 {{SIZE: %A has 1 dimensions, not 2}}
func.func @rank(%A: tensor<?xf32>) {
  return
}

// -----
// expected-error @+1 {{SIZE: dimension 1 of %A is 5, and here 6}}
func.func @fixed(%A: tensor<?x5xf32>) {
  return
}
