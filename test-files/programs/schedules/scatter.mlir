// test: opt --pipeline="func.func(mdh-to-sched)"
// Points that name their bins: only the bins that are hit are visited.

// One point after the other.
func.func @in_order(%A: tensor<100xi32>) -> tensor<16xi32> {
  %C = mdh.compute (e in 100 pw add, b in 16) ins(%a = %A[e]) outs([b])
       attributes {mdh.scatter = array<i64: 1>, mdh.schedule = [
         "1: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.extui %hit : i1 to i32
    mdh.yield %n : i32
  } : (tensor<100xi32>) -> tensor<16xi32>
  return %C : tensor<16xi32>
}
// check: func.func @in_order
// check: sched.for (%e in 100 by 1 dim 0 pw add)
// not: sched.for
// check: combine add

// Tasks with points of their own.
func.func @by_tasks(%A: tensor<97xi32>) -> tensor<7xi32> {
  %C = mdh.compute (e in 97 pw add, b in 7) ins(%a = %A[e]) outs([b])
       attributes {mdh.scatter = array<i64: 1>, mdh.schedule = [
         "1: (32~limit,^) (^ ; ^) (THR.x,^)",
         "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    %bin = mdh.index 1
    %at = arith.index_cast %bin : index to i32
    %hit = arith.cmpi eq, %a, %at : i32
    %n = arith.extui %hit : i1 to i32
    mdh.yield %n : i32
  } : (tensor<97xi32>) -> tensor<7xi32>
  return %C : tensor<7xi32>
}
// check: func.func @by_tasks
// check: : task pw add
