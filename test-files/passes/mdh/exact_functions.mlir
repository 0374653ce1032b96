// No order of a function that only compares and chooses shows: for it `exact` and `invariant` are `fixed`, and any schedule may follow.
// test: opt --pipeline="mdh-accumulators,func.func(mdh-fix-bits)"

func.func private @best(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32)
    attributes {sched.operator = {associative, commutative, exact, identity = [0xFF800000 : f32, 2147483647 : i32]}} {
  %g = arith.cmpf ogt, %a, %b : f32
  %e = arith.cmpf oeq, %a, %b : f32
  %l = arith.cmpi slt, %i, %j : i32
  %t = arith.andi %e, %l : i1
  %u = arith.ori %g, %t : i1
  %v = arith.select %u, %a, %b : f32
  %w = arith.select %u, %i, %j : i32
  return %v, %w : f32, i32
}

func.func private @greater(%a: i32, %b: i32) -> i32
    attributes {sched.operator = {associative, commutative, exact, identity = [-2147483648 : i32]}} {
  %g = arith.maxsi %a, %b : i32
  return %g : i32
}

// check: func.func @place
// check: i in 9 pw @best)
func.func @place() -> i32 {
  %A = arith.constant dense<[1.0, -3.0, 2.0, 0.5, 2.0, -7.0, 8.0, 8.0, 1.0]> : tensor<9xf32>
  %v, %p = mdh.compute (i in 9 pw @best exact) ins(%a = %A[i]) outs([], []) {
    %i = mdh.index 0
    %n = arith.index_cast %i : index to i32
    mdh.yield %a, %n : f32, i32
  } : (tensor<9xf32>) -> (tensor<f32>, tensor<i32>)
  %r = tensor.extract %p[] : tensor<i32>
  return %r : i32
}

// Another number next to a sum: the sum is of digits, the number as it is. By rows and columns, and by the pass for brackets.
// check: func.func @places
// check: j in 3 pw (add, {{.*}}@greater
// check: i in 4 pw @greater, j in 3 pw @greater)
func.func @places() -> i32 {
  %A = arith.constant dense<[[1, 7, 2], [9, 3, 4], [5, 11, 6], [8, 10, 0]]> : tensor<4x3xi32>
  %F = arith.constant dense<1.5> : tensor<4x3xf32>
  %s, %m = mdh.compute (i in 4 pw (add, @greater) exact, j in 3 pw (add, @greater) exact) ins(%f = %F[i, j], %a = %A[i, j]) outs([], []) {
    mdh.yield %f, %a : f32, i32
  } : (tensor<4x3xf32>, tensor<4x3xi32>) -> (tensor<f32>, tensor<i32>)
  %n = mdh.compute (i in 4 pw @greater invariant, j in 3 pw @greater invariant) ins(%a = %A[i, j]) outs([]) {
    mdh.yield %a : i32
  } : (tensor<4x3xi32>) -> tensor<i32>
  %x = tensor.extract %m[] : tensor<i32>
  %y = tensor.extract %n[] : tensor<i32>
  %r = arith.maxsi %x, %y : i32
  return %r : i32
}
