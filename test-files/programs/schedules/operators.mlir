// test: opt --pipeline="func.func(mdh-to-sched)"
// Operators of a user: what is not declared commutative keeps its order.

// Composition of maps x -> a x + b: any bracketing, in order.
func.func private @compose(%a1: i32, %b1: i32, %a2: i32, %b2: i32) -> (i32, i32)
    attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %a = arith.muli %a1, %a2 : i32
  %t = arith.muli %a1, %b2 : i32
  %b = arith.addi %t, %b1 : i32
  return %a, %b : i32, i32
}

// The larger of two, by a function of one's own.
func.func private @larger(%a: f64, %b: f64) -> f64
    attributes {sched.operator = {associative, commutative, exact, identity = [0xFFF0000000000000 : f64]}} {
  %c = arith.maximumf %a, %b : f64
  return %c : f64
}

// The first value that is not 0: associative, not commutative.
func.func private @first(%a: i32, %b: i32) -> i32
    attributes {sched.operator = {associative, exact, identity = [0 : i32]}} {
  %zero = arith.constant 0 : i32
  %none = arith.cmpi eq, %a, %zero : i32
  %r = arith.select %none, %b, %a : i32
  return %r : i32
}

// One after the other.
func.func @chain(%A: tensor<13xi32>, %B: tensor<13xi32>) -> (tensor<i32>, tensor<i32>) {
  %C, %D = mdh.compute (k in 13 pw @compose) ins(%a = %A[k], %b = %B[k]) outs([], [])
       attributes {mdh.schedule = [
         "1: (4~limit) (^,^ ; ^,^) (FOR.1)",
         "2: (1) (^,^ ; ^,^) (FOR.1)"]} {
    mdh.yield %a, %b : i32, i32
  } : (tensor<13xi32>, tensor<13xi32>) -> (tensor<i32>, tensor<i32>)
  return %C, %D : tensor<i32>, tensor<i32>
}
// check: func.func @chain

// As copies of the body.
func.func @chain_in_copies(%A: tensor<12xi32>, %B: tensor<12xi32>) -> (tensor<i32>, tensor<i32>) {
  %C, %D = mdh.compute (k in 12 pw @compose) ins(%a = %A[k], %b = %B[k]) outs([], [])
       attributes {mdh.schedule = [
         "1: (4) (^,^ ; ^,^) (FOR.1)",
         "2: (1) (^,^ ; ^,^) (UNR.1)"]} {
    mdh.yield %a, %b : i32, i32
  } : (tensor<12xi32>, tensor<12xi32>) -> (tensor<i32>, tensor<i32>)
  return %C, %D : tensor<i32>, tensor<i32>
}
// check: func.func @chain_in_copies

// A maximum of one's own, by tasks.
func.func @larger_of_tasks(%A: tensor<4x30xf64>) -> tensor<4xf64> {
  %C = mdh.compute (i in 4, k in 30 pw @larger) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,7~limit) (^ ; ^) (^,THR.x)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f64
  } : (tensor<4x30xf64>) -> tensor<4xf64>
  return %C : tensor<4xf64>
}
// check: func.func @larger_of_tasks
// check: : task pw @larger

// Its padded tiles read its identity.
func.func @larger_padded(%A: tensor<4x30xf64>) -> tensor<4xf64> {
  %C = mdh.compute (i in 4, k in 30 pw @larger) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,7~pad) (^ ; ^) (^,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f64
  } : (tensor<4x30xf64>) -> tensor<4xf64>
  return %C : tensor<4xf64>
}
// check: func.func @larger_padded
// check: arith.constant 0xFFF0000000000000 : f64

// The first of each row.
func.func @first_by_tasks(%A: tensor<5x20xi32>) -> tensor<5xi32> {
  %C = mdh.compute (i in 5, k in 20 pw @first) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (^,5) (^ ; ^) (^,THR.x)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<5x20xi32>) -> tensor<5xi32>
  return %C : tensor<5xi32>
}
// check: func.func @first_by_tasks
// check: : task pw @first

// With a remainder at the end.
func.func @first_peeled(%A: tensor<5x23xi32>) -> tensor<5xi32> {
  %C = mdh.compute (i in 5, k in 23 pw @first) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (2~limit,5~peel) (^ ; ^) (THR.x,FOR.1)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<5x23xi32>) -> tensor<5xi32>
  return %C : tensor<5xi32>
}
// check: func.func @first_peeled
