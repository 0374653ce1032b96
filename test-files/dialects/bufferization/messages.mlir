// test: opt --split-input-file --verify-diagnostics

// test: opt --split-input-file --verify-diagnostics

func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{a buffer as destination gives no result}}
  %r = "bufferization.materialize_in_destination"(%t, %m) <{writable}> : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
