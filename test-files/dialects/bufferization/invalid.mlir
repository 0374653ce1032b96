// test: opt --split-input-file --verify-diagnostics

func.func @shape(%m: memref<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{tensor<3x2xf32> and memref<2x3xf32> differ in shape or elements}}
  %t = bufferization.to_tensor %m : memref<2x3xf32> to tensor<3x2xf32>
  return %t : tensor<3x2xf32>
}

// -----
func.func @elements(%t: tensor<2xf64>, %m: memref<2xf32>) {
  // expected-error @+1 {{tensor<2xf64> and memref<2xf32> differ in shape or elements}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<2xf64>, memref<2xf32>) -> ()
  return
}
