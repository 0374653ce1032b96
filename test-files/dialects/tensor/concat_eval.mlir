// Tensors one behind the other: along each dimension, one alone, three of different sizes.
// test: opt --pipeline="func.func(canonicalize)"

func.func @rows(%a: tensor<1x2xi32>, %b: tensor<2x2xi32>) -> tensor<3x2xi32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<1x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
// eval: @rows([1, 2], [3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6]

func.func @columns(%a: tensor<2x1xi32>, %b: tensor<2x2xi32>) -> tensor<2x3xi32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// eval: @columns([1, 2], [3, 4, 5, 6]) == [1, 3, 4, 2, 5, 6]

func.func @alone(%a: tensor<3xi32>) -> tensor<3xi32> {
  %r = tensor.concat dim(0) %a : (tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @alone([1, 2, 3]) == [1, 2, 3]

func.func @three(%a: tensor<1xi32>, %b: tensor<3xi32>) -> tensor<7xi32> {
  %r = tensor.concat dim(0) %b, %a, %b : (tensor<3xi32>, tensor<1xi32>, tensor<3xi32>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}
// eval: @three([0], [1, 2, 3]) == [1, 2, 3, 0, 1, 2, 3]

// In the middle of three dimensions.
func.func @middle(%a: tensor<2x1x2xi32>, %b: tensor<2x1x2xi32>) -> tensor<2x2x2xi32> {
  %r = tensor.concat dim(1) %a, %b : (tensor<2x1x2xi32>, tensor<2x1x2xi32>) -> tensor<2x2x2xi32>
  return %r : tensor<2x2x2xi32>
}
// eval: @middle([1, 2, 3, 4], [5, 6, 7, 8]) == [1, 2, 5, 6, 3, 4, 7, 8]
