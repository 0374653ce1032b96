// test: opt --pipeline="linalg-operators,func.func(linalg-to-mdh)"
// Reductions that combine several values at once.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The largest element and its place, as JAX has it: what is no number is largest, and of equal ones the first place counts.
func.func @argmax(%x: tensor<3x4xf32>, %k: tensor<3x4xi32>, %o: tensor<3xf32>, %p: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %k : tensor<3x4xf32>, tensor<3x4xi32>) outs(%o, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%in: f32, %at: i32, %out: f32, %place: i32):
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
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi32>
}
// eval: @argmax([1.0, 3.0, 3.0, 2.0, 5.0, 1.0, 5.0, 4.0, -1.0, -2.0, -3.0, -1.0], [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3], [-10.0, -10.0, 9.0], [0, 0, 7]) == ([3.0, 5.0, 9.0], [1, 0, 7])
// check: func.func private @argmax_combine(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {sched.operator = {associative, exact, identity = [0xFF800000 : f32, 2147483647 : i32]}}
// check: pw @argmax_combine) ins({{.*}}) outs([d0] into %o, [d0] into %p)

// Least and greatest of integers at once, each by a choice of its own, in one body that uses the place too.
func.func @least(%x: tensor<3x4xi32>, %o: tensor<3xi32>, %p: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x4xi32>) outs(%o, %p : tensor<3xi32>, tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32, %place: i32):
    %n = linalg.index 1 : index
    %at = arith.index_cast %n : index to i32
    %0 = arith.cmpi sle, %out, %in : i32
    %1 = arith.select %0, %out, %in : i32
    %2 = arith.select %0, %place, %at : i32
    linalg.yield %1, %2 : i32, i32
  } -> (tensor<3xi32>, tensor<3xi32>)
  return %r#0, %r#1 : tensor<3xi32>, tensor<3xi32>
}
// eval: @least([4, 2, 2, 9, 7, 8, 6, 6, 1, 1, 1, 0], [100, 100, 100], [-1, -1, -1]) == ([2, 6, 0], [1, 2, 3])
// check: @least_combine
// not: commutative

// The largest element and its place, as one writes it first: what is no number makes it hang on the bracketing, so the order stays.
func.func @first(%x: tensor<2x5xf32>, %o: tensor<2xf32>, %p: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x5xf32>) outs(%o, %p : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%in: f32, %out: f32, %place: i32):
    %n = linalg.index 1 : index
    %at = arith.index_cast %n : index to i32
    %0 = arith.cmpf ogt, %in, %out : f32
    %1 = arith.select %0, %in, %out : f32
    %2 = arith.select %0, %at, %place : i32
    linalg.yield %1, %2 : f32, i32
  } -> (tensor<2xf32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
}
// eval: @first([1.0, 3.0, 3.0, 2.0, 0.0, 5.0, 1.0, 5.0, 4.0, 6.0], [0.0, 0.0], [-1, -1]) == ([3.0, 6.0], [1, 4])
// check: @first_combine{{.*}}sched.operator = {}
// check: pw @first_combine source)

// Mean and sum of squares at once: what is new is one number, and each step needs what all three were.
func.func @moments(%x: tensor<2x4xf64>, %m: tensor<2xf64>, %q: tensor<2xf64>, %c: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %one = arith.constant 1.0 : f64
  %r:3 = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2x4xf64>) outs(%m, %q, %c : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  ^bb0(%in: f64, %mean: f64, %squares: f64, %count: f64):
    %n = arith.addf %count, %one : f64
    %d = arith.subf %in, %mean : f64
    %part = arith.divf %d, %n : f64
    %next = arith.addf %mean, %part : f64
    %e = arith.subf %in, %next : f64
    %product = arith.mulf %d, %e : f64
    %sum = arith.addf %squares, %product : f64
    linalg.yield %next, %sum, %n : f64, f64, f64
  } -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %r#0, %r#1, %r#2 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}
// eval: @moments([1.0, 3.0, 5.0, 7.0, 2.0, 2.0, 2.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]) == ([4.0, 2.0], [20.0, 0.0], [4.0, 4.0])

// Over two dimensions, in their order.
func.func @digits(%x: tensor<2x3xi32>, %o: tensor<i32>) -> tensor<i32> {
  %ten = arith.constant 10 : i32
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<2x3xi32>) outs(%o : tensor<i32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.muli %out, %ten : i32
    %1 = arith.addi %0, %in : i32
    linalg.yield %1 : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
// eval: @digits([1, 2, 3, 4, 5, 6], [7]) == [7123456]
// check: pw @digits_combine source
