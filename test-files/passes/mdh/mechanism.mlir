// test: opt --pipeline="func.func(mdh-schedule{target=cuda})"
// Where the blocks of a given schedule split a reduction, it is settled how they meet.

// Integers: atomics, since every order gives the same.
func.func @counts(%A: tensor<4x512xi32>) -> tensor<4xi32> {
  %c = mdh.compute "counts" (i in 4, k in 512 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,64) (^ ; ^) (BLK.y,BLK.x)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<4x512xi32>) -> tensor<4xi32>
  return %c : tensor<4xi32>
}
// check: @counts
// check: mdh.schedule = ["1: (1,64) (^ ; ^) (BLK.y,BLK.x(atomic))", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]

// Rounded sums in a fixed bracketing: a second computation, and the schedule goes to the parts.
func.func @sums(%A: tensor<4x500xf32>) -> tensor<4xf32> {
  %c = mdh.compute "sums" (i in 4, k in 500 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,64~limit) (^ ; ^) (BLK.y,BLK.x)", "2: (^,8) (^ ; RM) (FOR.1,FOR.2)", "3: (^,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<4x500xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
// check: @sums
// check: mdh.compute "sums_parts" (part in 8, i in 4, k in 64 pw add) where 64 * part + k < 500 ins(%a = %A[i, 64 * part + k]) outs([part, i]) attributes {mdh.schedule = ["1: (1,1,^) (^ ; ^) (BLK.x,BLK.y,^)", "2: (^,^,8) (^ ; RM) (^,FOR.1,FOR.2)", "3: (^,^,1) (^ ; ^) (^,FOR.1,FOR.2)"]
// check: mdh.compute "sums" (i in 4, part in 8 pw add) ins(%{{.*}} = %{{.*}}[part, i]) outs([i])

// What is said stays.
func.func @free(%A: tensor<4x512xf32>) -> tensor<4xf32> {
  %c = mdh.compute "free" (i in 4, k in 512 pw add free) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,64) (^ ; ^) (BLK.y,BLK.x(atomic))", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<4x512xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
// check: @free
// check: BLK.x(atomic)

// One block: nothing meets.
func.func @one(%A: tensor<4x512xf32>) -> tensor<4xf32> {
  %c = mdh.compute "one" (i in 4, k in 512 pw add) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,512) (^ ; ^) (BLK.y,BLK.x)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : f32
  } : (tensor<4x512xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
// check: @one
// check: (BLK.y,BLK.x)"

// Where no order shows, keeping that of the source is no bond.
func.func @source_of_integers(%A: tensor<4x512xi32>) -> tensor<4xi32> {
  %c = mdh.compute "source" (i in 4, k in 512 pw add source) ins(%a = %A[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,64) (^ ; ^) (BLK.y,BLK.x)", "2: (1,1) (^ ; ^) (FOR.1,FOR.2)"]} {
    mdh.yield %a : i32
  } : (tensor<4x512xi32>) -> tensor<4xi32>
  return %c : tensor<4xi32>
}
// check: @source_of_integers
// check: BLK.x(atomic)
