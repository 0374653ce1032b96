// test: opt --pipeline="func.func(mdh-to-sched)"
// A tree of threads keeps the order of what does not commute.

// The first value that is not 0: associative, not commutative.
func.func private @first(%a: i32, %b: i32) -> i32
    attributes {sched.operator = {associative, exact, identity = [0 : i32]}} {
  %zero = arith.constant 0 : i32
  %none = arith.cmpi eq, %a, %zero : i32
  %r = arith.select %none, %b, %a : i32
  return %r : i32
}

// Threads keep the order of their parts.
func.func @first_in_threads(%A: tensor<5x24xi32>) -> tensor<5xi32> {
  %C = mdh.compute (i in 5, k in 24 pw @first) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,^) (^ ; ^) (BLK.x,^)",
         "2: (^,6) (^ ; ^) (^,THR.x)",
         "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<5x24xi32>) -> tensor<5xi32>
  return %C : tensor<5xi32>
}
// check: func.func @first_in_threads
// check: : thread.x pw @first

// A row for each block, lanes of odd number.
func.func @first_of_blocks_rows(%A: tensor<3x35xi32>) -> tensor<3xi32> {
  %C = mdh.compute (i in 3, k in 35 pw @first) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = [
         "1: (1,^) (^ ; ^) (BLK.y,^)",
         "2: (^,5) (^ ; ^) (^,THR.x)",
         "3: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<3x35xi32>) -> tensor<3xi32>
  return %C : tensor<3xi32>
}
// check: func.func @first_of_blocks_rows
// check: block [7, 1, 1]
