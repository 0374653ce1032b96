// test: opt --pipeline="linalg-operators,func.func(linalg-to-mdh,mdh-inline),mdh-operators-by-place"
// Operators that take the left one of two tuples: where they have places, the one of the lesser place, in any order.

// Of two that are no numbers JAX takes the left one. The largest value is not used, so the sign of a zero does not show.
func.func @argmax(%x: tensor<3x5xf32>) -> tensor<3xi32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xf32>
  %v = linalg.fill ins(%least : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %i = tensor.empty() : tensor<3xi32>
  %p = linalg.fill ins(%zero : i32) outs(%i : tensor<3xi32>) -> tensor<3xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%in: f32, %out: f32, %place: i32):
    %n = linalg.index 1 : index
    %at = arith.index_cast %n : index to i32
    %0 = arith.cmpf ogt, %out, %in : f32
    %1 = arith.cmpf une, %out, %out : f32
    %2 = arith.ori %0, %1 : i1
    %3 = arith.cmpf oeq, %out, %in : f32
    %4 = arith.cmpi slt, %place, %at : i32
    %5 = arith.andi %3, %4 : i1
    %6 = arith.ori %2, %5 : i1
    %7 = arith.select %2, %out, %in : f32
    %8 = arith.select %6, %place, %at : i32
    linalg.yield %7, %8 : f32, i32
  } -> (tensor<3xf32>, tensor<3xi32>)
  return %r#1 : tensor<3xi32>
}
// eval: @argmax([1.0, 3.0, 3.0, 2.0, 0.0, nan, 1.0, nan, 9.0, 1.0, -0.0, 0.0, -1.0, -0.0, -2.0]) == [1, 0, 0]
// check: func.func private @argmax_combine_by_place
// check: arith.cmpi sle, %arg1, %arg3
// check: func.func @argmax
// check: pw @argmax_combine_by_place

// The first of the least integers: its operator does not commute, and equal values show in nothing but the place.
func.func @least(%x: tensor<7xi32>) -> (tensor<i32>, tensor<i32>) {
  %most = arith.constant 2147483647 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%most : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %p = linalg.fill ins(%zero : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<7xi32>) outs(%v, %p : tensor<i32>, tensor<i32>) {
  ^bb0(%in: i32, %out: i32, %place: i32):
    %n = linalg.index 0 : index
    %at = arith.index_cast %n : index to i32
    %0 = arith.cmpi sle, %out, %in : i32
    %1 = arith.select %0, %out, %in : i32
    %2 = arith.select %0, %place, %at : i32
    linalg.yield %1, %2 : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}
// It has no neutral element: a start of the greatest integer wins over an equal one.
// check: func.func @least
// check: pw @least_combine)

// The value is used: of zeros of both signs the last one is seen, which depends on the order.
func.func @both(%x: tensor<7xf32>) -> (tensor<f32>, tensor<i32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<f32>
  %i = tensor.empty() : tensor<i32>
  %v = linalg.fill ins(%least : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %p = linalg.fill ins(%zero : i32) outs(%i : tensor<i32>) -> tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<7xf32>) outs(%v, %p : tensor<f32>, tensor<i32>) {
  ^bb0(%in: f32, %out: f32, %place: i32):
    %n = linalg.index 0 : index
    %at = arith.index_cast %n : index to i32
    %0 = arith.cmpf ogt, %out, %in : f32
    %1 = arith.cmpf une, %out, %out : f32
    %2 = arith.ori %0, %1 : i1
    %3 = arith.cmpf oeq, %out, %in : f32
    %4 = arith.cmpi slt, %place, %at : i32
    %5 = arith.andi %3, %4 : i1
    %6 = arith.ori %2, %5 : i1
    %7 = arith.select %2, %out, %in : f32
    %8 = arith.select %6, %place, %at : i32
    linalg.yield %7, %8 : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %r#0, %r#1 : tensor<f32>, tensor<i32>
}
// check: func.func @both
// check: pw @both_combine)
