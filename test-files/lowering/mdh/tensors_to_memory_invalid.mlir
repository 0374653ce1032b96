// test: opt --pipeline="func.func(linalg-to-mdh,tensors-to-memory,mdh-to-sched)" --split-input-file --verify-diagnostics

// Which value is read last is not looked for along branches.
func.func @branches(%a: tensor<4xi32>, %i: index, %c: i32) -> tensor<4xi32> {
  // expected-error @+1 {{[E0642]: 'tensor.insert' op 'tensor.insert' in a function of several blocks has no form on buffers}}
  %x = tensor.insert %c into %a[%i] : tensor<4xi32>
  cf.br ^bb1
^bb1:
  return %x : tensor<4xi32>
}

// -----
func.func @elsewhere(%a: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  // expected-error @+1 {{[E0642]: 'mdh.compute' op a tensor of 'mdh.compute' is used in another block of the function}}
  %x = linalg.add ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  cf.br ^bb1
^bb1:
  return %x : tensor<4xi32>
}

// -----
func.func @at_once(%a: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{[E0642]: 'scf.execute_region' op 'scf.execute_region' on tensors has no form on buffers yet}}
  %r = scf.execute_region -> tensor<4xi32> {
    scf.yield %a : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
