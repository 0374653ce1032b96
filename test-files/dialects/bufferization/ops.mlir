// test: round-trip
// Values of buffers, and buffers of values.

func.func @double(%m: memref<2x2xf32>) -> tensor<2x2xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<2x2xf32> to tensor<2x2xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<2x2xf32>, memref<2x2xf32>) -> ()
  return %t : tensor<2x2xf32>
}

func.func @through(%a: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %m = memref.alloc() : memref<2x2xi32>
  bufferization.materialize_in_destination %a in writable %m : (tensor<2x2xi32>, memref<2x2xi32>) -> ()
  %t = bufferization.to_tensor %m : memref<2x2xi32> to tensor<2x2xi32>
  return %t : tensor<2x2xi32>
}
// eval: @through([1, 2, 3, 4]) == [1, 2, 3, 4]
