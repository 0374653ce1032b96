// Values from buffers and into them: what is written later does not change the value.
// test: opt --pipeline="func.func(canonicalize,cse)"

func.func @before_the_write(%a: tensor<2xi32>, %x: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi32>
  bufferization.materialize_in_destination %a in writable %m : (tensor<2xi32>, memref<2xi32>) -> ()
  memref.store %x, %m[%c0] : memref<2xi32>
  %t = bufferization.to_tensor %m : memref<2xi32> to tensor<2xi32>
  return %a, %t : tensor<2xi32>, tensor<2xi32>
}
// eval: @before_the_write([1, 2], 9) == ([1, 2], [9, 2])

func.func @rank_0(%a: tensor<f64>) -> (f64, tensor<f64>) {
  %m = memref.alloc() : memref<f64>
  bufferization.materialize_in_destination %a in writable %m : (tensor<f64>, memref<f64>) -> ()
  %x = memref.load %m[] : memref<f64>
  %y = arith.negf %x : f64
  memref.store %y, %m[] : memref<f64>
  %t = bufferization.to_tensor %m : memref<f64> to tensor<f64>
  return %x, %t : f64, tensor<f64>
}
// eval: @rank_0([0.0]) == (0.0, [-0.0])

// A part of a buffer as the destination: every other element.
func.func @in_steps(%a: tensor<2xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0> : vector<4xi32>
  %m = memref.alloc() : memref<4xi32>
  vector.store %zeros, %m[%c0] : memref<4xi32>, vector<4xi32>
  %s = memref.subview %m[1] [2] [2] : memref<4xi32> to memref<2xi32, strided<[2], offset: 1>>
  bufferization.materialize_in_destination %a in writable %s : (tensor<2xi32>, memref<2xi32, strided<[2], offset: 1>>) -> ()
  %t = bufferization.to_tensor %m : memref<4xi32> to tensor<4xi32>
  return %t : tensor<4xi32>
}
// eval: @in_steps([7, 8]) == [0, 7, 0, 8]

// A transposed view read as a tensor.
func.func @transposed(%a: tensor<2x3xi32>) -> tensor<3x2xi32> {
  %m = memref.alloc() : memref<2x3xi32>
  bufferization.materialize_in_destination %a in writable %m : (tensor<2x3xi32>, memref<2x3xi32>) -> ()
  %v = memref.transpose %m (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
  %t = bufferization.to_tensor %v : memref<3x2xi32, strided<[1, 3]>> to tensor<3x2xi32>
  return %t : tensor<3x2xi32>
}
// eval: @transposed([1, 2, 3, 4, 5, 6]) == [1, 4, 2, 5, 3, 6]

func.func @nothing(%x: i32) -> i32 {
  %m = memref.alloc() : memref<0xi32>
  %e = tensor.empty() : tensor<0xi32>
  bufferization.materialize_in_destination %e in writable %m : (tensor<0xi32>, memref<0xi32>) -> ()
  return %x : i32
}
// eval: @nothing(1) == 1
