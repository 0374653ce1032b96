// test: opt --pipeline="tensor-constants-to-globals"
// Constant tensors of different elements are buffers of the module; equal ones are one.

func.func @f(%i: index) -> i32 {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %d = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %x = tensor.extract %c[%i] : tensor<3xi32>
  %y = tensor.extract %d[%i] : tensor<3xi32>
  %z = arith.addi %x, %y : i32
  return %z : i32
}
// eval: @f(2) == 6
// check: memref.global "private" constant @f_constant : memref<3xi32> = dense<[1, 2, 3]>
// next: func.func @f
// next: %0 = memref.get_global @f_constant
// next: bufferization.to_tensor %0 restrict

// One value throughout stays; a name that is taken is not taken again.
func.func private @g_constant() -> i32 {
  %c = arith.constant 1 : i32
  return %c : i32
}

func.func @g() -> (tensor<2xf32>, tensor<2xf32>) {
  %c = arith.constant dense<0.5> : tensor<2xf32>
  %d = arith.constant dense<[0.5, 1.5]> : tensor<2xf32>
  return %c, %d : tensor<2xf32>, tensor<2xf32>
}
// eval: @g() == ([0.5, 0.5], [0.5, 1.5])
// check: memref.global "private" constant @g_constant_0 : memref<2xf32>
// check: arith.constant dense<5.000000e-01> : tensor<2xf32>
