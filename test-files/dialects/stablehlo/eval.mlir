// What the specification says where a reader might expect something else.
// test: round-trip

func.func @divide(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %q = stablehlo.divide %x, %y : tensor<4xi32>
  %r = stablehlo.remainder %x, %y : tensor<4xi32>
  return %q, %r : tensor<4xi32>, tensor<4xi32>
}
// eval: @divide([-7, 7, 5, -2147483648], [2, -2, 0, -1]) == ([-3, -3, -1, -2147483648], [-1, 1, 5, 0])

func.func @unsigned(%x: tensor<2xui8>, %y: tensor<2xui8>) -> (tensor<2xui8>, tensor<2xui8>, tensor<2xi1>) {
  %q = stablehlo.divide %x, %y : tensor<2xui8>
  %m = stablehlo.maximum %x, %y : tensor<2xui8>
  %c = stablehlo.compare LT, %x, %y, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  return %q, %m, %c : tensor<2xui8>, tensor<2xui8>, tensor<2xi1>
}
// eval: @unsigned([-56, 7], [3, 0]) == ([66, -1], [-56, 7], [0, 0])

func.func @shifts(%x: tensor<3xi8>, %y: tensor<3xi8>) -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %l = stablehlo.shift_left %x, %y : tensor<3xi8>
  %r = stablehlo.shift_right_logical %x, %y : tensor<3xi8>
  %a = stablehlo.shift_right_arithmetic %x, %y : tensor<3xi8>
  return %l, %r, %a : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}
// eval: @shifts([-3, -3, 5], [1, 8, 2]) == ([-6, 0, 20], [126, 0, 1], [-2, -1, 1])

func.func @extremes(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.maximum %x, %y : tensor<4xf32>
  %b = stablehlo.minimum %x, %y : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
// eval: @extremes([1.0, nan, -0.0, 2.0], [3.0, 1.0, 0.0, nan]) == ([3.0, nan, 0.0, nan], [1.0, nan, -0.0, nan])

func.func @booleans(%x: tensor<4xi1>, %y: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %a = stablehlo.add %x, %y : tensor<4xi1>
  %m = stablehlo.multiply %x, %y : tensor<4xi1>
  %n = stablehlo.not %x : tensor<4xi1>
  return %a, %m, %n : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
// eval: @booleans([0, 0, 1, 1], [0, 1, 0, 1]) == ([0, 1, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0])

func.func @power(%x: tensor<5xi32>, %y: tensor<5xi32>) -> tensor<5xi32> {
  %r = stablehlo.power %x, %y : tensor<5xi32>
  return %r : tensor<5xi32>
}
// eval: @power([2, -3, 2, -1, 1], [10, 3, -1, -3, -7]) == [1024, -27, 0, -1, 1]

func.func @rounding(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.round_nearest_afz %x : tensor<4xf32>
  %b = stablehlo.round_nearest_even %x : tensor<4xf32>
  %c = stablehlo.sign %x : tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
// eval: @rounding([0.5, 2.5, -1.5, nan]) == ([1.0, 3.0, -2.0, nan], [0.0, 2.0, -2.0, nan], [1.0, 1.0, -1.0, nan])

func.func @conversions(%x: tensor<5xf32>) -> (tensor<5xi8>, tensor<5xui8>, tensor<5xi1>) {
  %a = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xi8>
  %b = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xui8>
  %c = stablehlo.convert %x : (tensor<5xf32>) -> tensor<5xi1>
  return %a, %b, %c : tensor<5xi8>, tensor<5xui8>, tensor<5xi1>
}
// eval: @conversions([1.9, -1.9, 300.0, nan, -0.0]) == ([1, -1, 127, 0, 0], [1, 0, -1, 0, 0], [1, 1, 1, 1, 0])

func.func @from_unsigned(%x: tensor<2xui8>, %y: tensor<2xi1>) -> (tensor<2xf32>, tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.convert %x : (tensor<2xui8>) -> tensor<2xf32>
  %b = stablehlo.convert %x : (tensor<2xui8>) -> tensor<2xi32>
  %c = stablehlo.convert %y : (tensor<2xi1>) -> tensor<2xi32>
  return %a, %b, %c : tensor<2xf32>, tensor<2xi32>, tensor<2xi32>
}
// eval: @from_unsigned([-1, 3], [1, 0]) == ([255.0, 3.0], [255, 3], [1, 0])

func.func @total_order(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xi1>, tensor<4xi1>) {
  %a = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %b = stablehlo.compare LT, %x, %y, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %a, %b : tensor<4xi1>, tensor<4xi1>
}
// eval: @total_order([-0.0, 1.0, nan, 2.0], [0.0, nan, 1.0, 3.0]) == ([1, 1, 0, 1], [0, 0, 0, 1])

func.func @bits(%x: tensor<1xi32>) -> (tensor<1x2xi16>, tensor<1xi32>) {
  %a = stablehlo.bitcast_convert %x : (tensor<1xi32>) -> tensor<1x2xi16>
  %b = stablehlo.bitcast_convert %a : (tensor<1x2xi16>) -> tensor<1xi32>
  return %a, %b : tensor<1x2xi16>, tensor<1xi32>
}
// eval: @bits([65538]) == ([2, 1], [65538])

func.func @clamped_slice(%x: tensor<5xi32>, %i: tensor<i32>) -> (tensor<3xi32>, tensor<5xi32>) {
  %a = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  %c = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %b = stablehlo.dynamic_update_slice %x, %c, %i : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>
  return %a, %b : tensor<3xi32>, tensor<5xi32>
}
// eval: @clamped_slice([1, 2, 3, 4, 5], [1]) == ([2, 3, 4], [1, 7, 8, 4, 5])
// eval: @clamped_slice([1, 2, 3, 4, 5], [9]) == ([3, 4, 5], [1, 2, 3, 7, 8])
// eval: @clamped_slice([1, 2, 3, 4, 5], [-9]) == ([1, 2, 3], [7, 8, 3, 4, 5])

func.func @clamped_gather(%x: tensor<4x2xi32>, %i: tensor<3xi32>) -> tensor<3x2xi32> {
  %r = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  }> : (tensor<4x2xi32>, tensor<3xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
// eval: @clamped_gather([0, 1, 2, 3, 4, 5, 6, 7], [-1, 2, 9]) == [0, 1, 4, 5, 6, 7]

func.func @dropped_scatter(%x: tensor<4xi32>, %i: tensor<3x1xi32>, %y: tensor<3xi32>) -> tensor<4xi32> {
  %r = "stablehlo.scatter"(%x, %i, %y) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// eval: @dropped_scatter([1, 2, 3, 4], [1, 4, 1], [10, 20, 30]) == [1, 42, 3, 4]

func.func @pad(%x: tensor<3xi32>, %v: tensor<i32>) -> (tensor<7xi32>, tensor<3xi32>) {
  %a = stablehlo.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<7xi32>
  %b = stablehlo.pad %x, %v, low = [-1], high = [1], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %a, %b : tensor<7xi32>, tensor<3xi32>
}
// eval: @pad([1, 2, 3], [9]) == ([9, 1, 9, 2, 9, 3, 9], [2, 3, 9])

// The start comes first and once; the body's operands are not swapped.
func.func @in_order(%x: tensor<2x2xi32>, %s: tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.reduce(%x init: %s) across dimensions = [1] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
   reducer(%p: tensor<i32>, %q: tensor<i32>)  {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %t = stablehlo.multiply %p, %c : tensor<i32>
    %u = stablehlo.add %t, %q : tensor<i32>
    stablehlo.return %u : tensor<i32>
  }
  %b = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}
// eval: @in_order([1, 2, 3, 4], [5]) == ([512, 534], [9, 11])

// Borders do not contribute, whatever the start is.
func.func @windows(%x: tensor<4xi32>, %s: tensor<i32>) -> (tensor<3xi32>, tensor<2xi32>) {
  %a = "stablehlo.reduce_window"(%x, %s) <{
    padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>
  }> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %t = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>
  %b = "stablehlo.reduce_window"(%x, %s) <{window_dilations = array<i64: 2>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %t = stablehlo.maximum %p, %q : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  return %a, %b : tensor<3xi32>, tensor<2xi32>
}
// eval: @windows([1, 2, 3, 4], [100]) == ([101, 105, 104], [100, 100])

func.func @of_pooling(%x: tensor<4xi32>, %y: tensor<2xi32>, %s: tensor<i32>) -> tensor<4xi32> {
  %r = "stablehlo.select_and_scatter"(%x, %y, %s) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// eval: @of_pooling([3, 5, 9, 1], [10, 20], [0]) == [0, 10, 20, 0]

func.func @map(%x: tensor<3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
  %r = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// eval: @map([5, 6, 7], [1, 2, 4]) == [4, 4, 3]

func.func @grouped(%x: tensor<1x3x2xi32>, %w: tensor<2x1x2xi32>) -> tensor<1x2x2xi32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x3x2xi32>, tensor<2x1x2xi32>) -> tensor<1x2x2xi32>
  return %r : tensor<1x2x2xi32>
}
// eval: @grouped([1, 10, 2, 20, 3, 30], [1, 2, 100, 200]) == [102, 2040, 203, 4060]

func.func @case(%i: tensor<i32>, %x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<2xi32>
  }, {
    %n = stablehlo.negate %x : tensor<2xi32>
    stablehlo.return %n : tensor<2xi32>
  }) : (tensor<i32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
// eval: @case([0], [1, 2]) == [1, 2]
// eval: @case([1], [1, 2]) == [-1, -2]
// eval: @case([-1], [1, 2]) == [-1, -2]

// Narrow floats are added up in f32 and rounded once.
func.func @sums(%x: tensor<3xf16>, %y: tensor<3xf16>) -> (tensor<f16>, tensor<f32>) {
  %a = stablehlo.dot %x, %y : (tensor<3xf16>, tensor<3xf16>) -> tensor<f16>
  %b = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<3xf16>, tensor<3xf16>) -> tensor<f32>
  return %a, %b : tensor<f16>, tensor<f32>
}
// eval: @sums([2048.0, 1.0, 1.0], [1.0, 1.0, 1.0]) == ([2050.0], [2050.0])

func.func @top_2(%x: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %values, %indices = chlo.top_k(%x, k = 2) : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  return %values, %indices : tensor<2x2xf32>, tensor<2x2xi32>
}
// eval: @top_2([1.0, 3.0, 3.0, nan, 2.0, 5.0]) == ([3.0, 3.0, nan, 5.0], [1, 2, 0, 2])

// The condition runs once more than the body; a loop may carry nothing that changes.
func.func @while(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%iterArg = %n, %iterArg_0 = %c) : tensor<i32>, tensor<i32>
  cond {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %iterArg, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %m = stablehlo.subtract %iterArg, %c : tensor<i32>
    %s = stablehlo.add %iterArg_0, %iterArg_0 : tensor<i32>
    stablehlo.return %m, %s : tensor<i32>, tensor<i32>
  }
  %f = stablehlo.constant dense<false> : tensor<i1>
  stablehlo.while()
  cond {
    stablehlo.return %f : tensor<i1>
  } do {
    stablehlo.return
  }
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}
// eval: @while([5]) == ([0], [32])
// eval: @while([-5]) == ([-5], [1])
