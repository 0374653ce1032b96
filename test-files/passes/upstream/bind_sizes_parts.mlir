// test: opt --pipeline="func.func(bind-sizes{sizes=A=9x9,B=7x6,n=2,i=3})"
// Parts and padding: numbers that are known are operands no more, and sizes follow from them.

func.func @parts(%A: tensor<?x9xf32>, %n: index, %i: index, %B: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %r = tensor.extract_slice %A[1, 0] [%n, 4] [1, 2] : tensor<?x9xf32> to tensor<?x4xf32>
  %s = tensor.insert_slice %r into %B[%n, 1] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x?xf32>
  %t = tensor.extract_slice %A[%i, 2] [1, %n] [1, 1] : tensor<?x9xf32> to tensor<?xf32>
  return %s, %t : tensor<?x?xf32>, tensor<?xf32>
}
// check: -> (tensor<7x6xf32>, tensor<2xf32>)
// check: tensor.extract_slice %A[1, 0] [2, 4] [1, 2] : tensor<9x9xf32> to tensor<2x4xf32>
// check: tensor.insert_slice %r into %B[2, 1] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<7x6xf32>
// check: tensor.extract_slice %A[3, 2] [1, 2] [1, 1] : tensor<9x9xf32> to tensor<2xf32>

func.func @pad(%B: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %B low[1, %n] high[%n, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// check: tensor.pad %B low[1, 2] high[2, 2]
// check: } : tensor<7x6xf32> to tensor<10x10xf32>

// What is not known stays an operand.
func.func @half(%A: tensor<9x9xf32>, %m: index, %n: index) -> tensor<?x2xf32> {
  %r = tensor.extract_slice %A[%n, 0] [%m, 2] [1, 1] : tensor<9x9xf32> to tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
// check: tensor.extract_slice %A[%c2, 0] [%m, 2] [1, 1] : tensor<9x9xf32> to tensor<?x2xf32>
