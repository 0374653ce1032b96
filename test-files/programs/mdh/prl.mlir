// test: round-trip
module {
  func.func @prl(%E_id: tensor<8xi32>, %N_name: tensor<5xf32>, %N_day: tensor<5xf32>, %E_name: tensor<8xf32>, %E_day: tensor<8xf32>) -> (tensor<5xi32> {terrace.name = "best_id"}, tensor<5xf32> {terrace.name = "best_weight"}) {
    %best_id, %best_weight = mdh.compute "prl" (i in 5, j in 8 pw @better) ins(%e_id = %E_id[j], %n_name = %N_name[i], %n_day = %N_day[i], %e_name = %E_name[j], %e_day = %E_day[j]) outs([i], [i]) {
      %0 = arith.subf %n_name, %e_name : f32
      %1 = math.absf %0 : f32
      %cst = arith.constant 5.000000e-01 : f32
      %2 = arith.cmpf olt, %1, %cst : f32
      %cst_0 = arith.constant 2.000000e+00 : f32
      %3 = arith.subf %n_name, %e_name : f32
      %4 = math.absf %3 : f32
      %5 = arith.subf %cst_0, %4 : f32
      %6 = arith.subf %n_day, %e_day : f32
      %7 = math.absf %6 : f32
      %8 = arith.subf %5, %7 : f32
      %9 = arith.subf %n_day, %e_day : f32
      %10 = math.absf %9 : f32
      %11 = arith.negf %10 : f32
      %12 = arith.select %2, %8, %11 : f32
      mdh.yield %e_id, %12 : i32, f32
    } : (tensor<8xi32>, tensor<5xf32>, tensor<5xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<5xi32>, tensor<5xf32>)
    return %best_id, %best_weight : tensor<5xi32>, tensor<5xf32>
  }
  func.func private @better(%i: i32, %w: f32, %j: i32, %v: f32) -> (i32, f32) attributes {sched.operator = {associative, commutative, exact, identity = [-2147483648 : i32, 0xFF800000 : f32]}} {
    %0 = arith.cmpf ogt, %w, %v : f32
    %1 = arith.cmpf ogt, %v, %w : f32
    %2 = arith.maxsi %i, %j : i32
    %3 = arith.select %1, %j, %2 : i32
    %4 = arith.select %0, %i, %3 : i32
    %5 = arith.maximumf %w, %v : f32
    return %4, %5 : i32, f32
  }
}
