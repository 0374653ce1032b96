// test: opt --explain-schedule --target=x86-64-v4
// Records of three numbers: lanes have a record each, copied with rows and columns exchanged.
func.func private @further(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32)
    attributes {sched.operator = {associative, commutative, identity = [0xFF800000 : f32, 2147483647 : i32]}} {
  %c = arith.cmpf ogt, %b, %a : f32
  %w = arith.select %c, %b, %a : f32
  %k = arith.select %c, %j, %i : i32
  return %w, %k : f32, i32
}
func.func @records(%P: tensor<1009x3xf32>, %Q: tensor<501x3xf32>) -> (tensor<1009xf32>, tensor<1009xi32>) {
  %d, %n = mdh.compute (i in 1009, j in 501 pw @further)
       ins(%a = %P[i, 0], %b = %P[i, 1], %c = %P[i, 2], %x = %Q[j, 0], %y = %Q[j, 1], %z = %Q[j, 2]) outs([i], [i]) {
    %jx = mdh.index 1
    %k = arith.index_cast %jx : index to i32
    %0 = arith.mulf %a, %x : f32
    %1 = arith.mulf %b, %y : f32
    %2 = arith.mulf %c, %z : f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    mdh.yield %4, %k : f32, i32
  } : (tensor<1009x3xf32>, tensor<1009x3xf32>, tensor<1009x3xf32>, tensor<501x3xf32>, tensor<501x3xf32>, tensor<501x3xf32>) -> (tensor<1009xf32>, tensor<1009xi32>)
  return %d, %n : tensor<1009xf32>, tensor<1009xi32>
}
// check: records: schedule by `tuples`
// check: (16~peel,^) (L1[2,1],^ ; ^,^) (FOR.1,^)
// next: (1,^) (^,^ ; ^,^) (VEC.x,^)
