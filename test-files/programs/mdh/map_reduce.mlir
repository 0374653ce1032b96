// test: round-trip
module {
  func.func @map(%x: tensor<19xf64>) -> (tensor<19xf64> {terrace.name = "y"}) {
    %y = mdh.compute "map" (i in 19) ins(%x.e = %x[i]) outs([i]) {
      %0 = math.exp %x.e : f64
      %cst = arith.constant 1.000000e+00 : f64
      %1 = math.exp %x.e : f64
      %2 = arith.addf %cst, %1 : f64
      %3 = arith.divf %0, %2 : f64
      mdh.yield %3 : f64
    } : (tensor<19xf64>) -> tensor<19xf64>
    return %y : tensor<19xf64>
  }
  func.func @largest(%x: tensor<19xf32>) -> (tensor<f32> {terrace.name = "result"}) {
    %result = mdh.compute "largest" (i in 19 pw max) ins(%x.e = %x[i]) outs([]) {
      mdh.yield %x.e : f32
    } : (tensor<19xf32>) -> tensor<f32>
    return %result : tensor<f32>
  }
  func.func @sum_max(%x: tensor<19xf32>) -> (tensor<f32> {terrace.name = "s"}, tensor<f32> {terrace.name = "m"}) {
    %s, %m = mdh.compute "sum_max" (i in 19 pw (add, max)) ins(%x.e = %x[i]) outs([], []) {
      mdh.yield %x.e, %x.e : f32, f32
    } : (tensor<19xf32>) -> (tensor<f32>, tensor<f32>)
    return %s, %m : tensor<f32>, tensor<f32>
  }
  func.func @argmax(%x: tensor<19xf32>, %out_value: tensor<1xf32>, %out_at: tensor<1xi32>) -> (tensor<1xf32> {terrace.name = "out_value"}, tensor<1xi32> {terrace.name = "out_at"}) {
    %out_value_0, %out_at_1 = mdh.compute "argmax" (i in 19 pw @first) ins(%x.e = %x[i]) outs([0] into %out_value, [0] into %out_at) {
      %0 = mdh.index 0
      %1 = arith.index_cast %0 : index to i32
      mdh.yield %x.e, %1 : f32, i32
    } : (tensor<19xf32>, tensor<1xf32>, tensor<1xi32>) -> (tensor<1xf32>, tensor<1xi32>)
    return %out_value_0, %out_at_1 : tensor<1xf32>, tensor<1xi32>
  }
  func.func private @first(%a: f32, %i: i32, %b: f32, %j: i32) -> (f32, i32) attributes {sched.operator = {associative, exact}} {
    %0 = arith.cmpf ogt, %b, %a : f32
    %1 = arith.select %0, %b, %a : f32
    %2 = arith.cmpf ogt, %b, %a : f32
    %3 = arith.select %2, %j, %i : i32
    return %1, %3 : f32, i32
  }
}
