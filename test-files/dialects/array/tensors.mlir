// test: round-trip
// Tensors of fixed shape are arrays of arrays, and back.

func.func @rows(%t: tensor<2x3xi32>) -> tensor<2xi32> {
  %0 = array.from_tensor %t
  %1 = array.map %0 as %row {
    %2 = array.reduce add %row as %a {
      array.yield %a
    }
    array.yield %2
  }
  %3 = array.to_tensor %1
  return %3 : tensor<2xi32>
}
// eval: @rows([1, 2, 3, 4, 5, 6]) == [6, 15]

func.func @transposed(%t: tensor<2x3x1xf32>) -> tensor<3x2x1xf32> {
  %0 = array.to_tensor (array.transpose (array.from_tensor %t))
  return %0 : tensor<3x2x1xf32>
}
// eval: @transposed([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]
