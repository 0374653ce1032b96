// Sums are in the type of the declared result: wider than the operands, or as narrow as these where the program declares that.
// test: opt --pipeline="func.func(linalg-to-mdh,mdh-inline)"
// eval: @bytes([127, -128, 1, 2], [127, -128]) == ([32513, -129])
// eval: @floats([256., 1., 1., 2.], [1., 1.]) == ([257., 3.])
// eval: @halves([2048., 1., 1., 2.], [1., 1.]) == ([2049., 3.])
// eval: @declared([256., 1., 1., 2.], [1., 1.]) == ([256., 3.])

func.func @bytes(%A: tensor<2x2xi8>, %x: tensor<2xi8>) -> tensor<2xi32> {
  %zero = arith.constant dense<0> : tensor<2xi32>
  %y = linalg.matvec ins(%A, %x : tensor<2x2xi8>, tensor<2xi8>) outs(%zero : tensor<2xi32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}
// check: @bytes
// check: arith.extsi {{.*}} : i8 to i32
// check: arith.muli {{.*}} : i32

func.func @floats(%A: tensor<2x2xbf16>, %x: tensor<2xbf16>) -> tensor<2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %y = linalg.matvec ins(%A, %x : tensor<2x2xbf16>, tensor<2xbf16>) outs(%zero : tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// check: @floats
// check: arith.extf {{.*}} : bf16 to f32
// check: arith.mulf {{.*}} : f32

func.func @halves(%A: tensor<2x2xf16>, %x: tensor<2xf16>) -> tensor<2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %y = linalg.matvec ins(%A, %x : tensor<2x2xf16>, tensor<2xf16>) outs(%zero : tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// check: @halves
// check: arith.extf {{.*}} : f16 to f32
// check: arith.mulf {{.*}} : f32

func.func @declared(%A: tensor<2x2xbf16>, %x: tensor<2xbf16>) -> tensor<2xbf16> {
  %zero = arith.constant dense<0.0> : tensor<2xbf16>
  %y = linalg.matvec ins(%A, %x : tensor<2x2xbf16>, tensor<2xbf16>) outs(%zero : tensor<2xbf16>) -> tensor<2xbf16>
  return %y : tensor<2xbf16>
}
// check: @declared
// not: arith.extf
