// test: opt --pipeline=func.func(linalg-to-mdh),mdh-dependent,func.func(mdh-inline)
// rule: online_softmax, welford, one_pass_norm

// A softmax: the maximum and the sum are one reduction, the quotient has the exponentials.

func.func @softmax(%X: tensor<5x37xf32>) -> tensor<5x37xf32> attributes {mdh.approximate = ["online_softmax"]} {
  %m = mdh.compute "m" (i in 5, j in 37 pw max) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<5x37xf32>) -> tensor<5xf32>
  %e = mdh.compute "e" (i in 5, j in 37) ins(%a = %X[i, j], %c = %m[i]) outs([i, j]) {
    %d = arith.subf %a, %c : f32
    %t = math.exp %d : f32
    mdh.yield %t : f32
  } : (tensor<5x37xf32>, tensor<5xf32>) -> tensor<5x37xf32>
  %s = mdh.compute "s" (i in 5, j in 37 pw add) ins(%a = %e[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<5x37xf32>) -> tensor<5xf32>
  %y = mdh.compute "y" (i in 5, j in 37) ins(%a = %e[i, j], %b = %s[i]) outs([i, j]) {
    %q = arith.divf %a, %b : f32
    mdh.yield %q : f32
  } : (tensor<5x37xf32>, tensor<5xf32>) -> tensor<5x37xf32>
  return %y : tensor<5x37xf32>
}
// check: func.func private @online_softmax_f32
// check: func.func @softmax
// next: mdh.compute "m" (i in 5, j in 37 pw @online_softmax_f32)
// check: mdh.compute "s" (i in 5)
// check: mdh.compute "y" (i in 5, j in 37)
// next: arith.subf
// next: math.exp
// next: arith.divf

func.func @variance(%X: tensor<5x37xf32>) -> tensor<5xf32> attributes {mdh.approximate = ["welford"]} {
  %m = mdh.compute "m" (i in 5, j in 37 pw add) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<5x37xf32>) -> tensor<5xf32>
  %v = mdh.compute "v" (i in 5, j in 37 pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {
    %n = arith.constant 37.0 : f32
    %u = arith.divf %c, %n : f32
    %d = arith.subf %a, %u : f32
    %t = arith.mulf %d, %d : f32
    mdh.yield %t : f32
  } : (tensor<5x37xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %v : tensor<5xf32>
}
// check: func.func private @welford_f32
// check: func.func @variance
// next: mdh.compute "m" (i in 5, j in 37 pw @welford_f32)

func.func @norm(%X: tensor<5x37xf32>) -> tensor<5xf32> attributes {mdh.approximate = ["one_pass_norm"]} {
  %m = mdh.compute "m" (i in 5, j in 37 pw add) ins(%a = %X[i, j]) outs([i]) {
    mdh.yield %a : f32
  } : (tensor<5x37xf32>) -> tensor<5xf32>
  %v = mdh.compute "v" (i in 5, j in 37 pw add) ins(%a = %X[i, j], %c = %m[i]) outs([i]) {
    %n = arith.constant 37.0 : f32
    %u = arith.divf %c, %n : f32
    %d = arith.subf %a, %u : f32
    %t = arith.mulf %d, %d : f32
    mdh.yield %t : f32
  } : (tensor<5x37xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %v : tensor<5xf32>
}
// check: func.func @norm
// next: mdh.compute "m" (i in 5, j in 37 pw (add, add))
// check: maximumf

// Of linalg, as its users spell it; its author permits nothing.

func.func @linalg(%x: tensor<5x33xf32>, %f: tensor<5xf32>) -> tensor<5xf32> {
  %n = arith.constant 33.0 : f32
  %s = linalg.reduce ins(%x : tensor<5x33xf32>) outs(%f : tensor<5xf32>) dimensions = [1] (%a: f32, %b: f32) {
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return %s : tensor<5xf32>
}
// check: func.func @linalg
// check: pw add
