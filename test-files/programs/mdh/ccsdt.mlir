// test: round-trip
module {
  func.func @gdab_efgc(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x2x3x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gdab_efgc" (a in 3, b in 2, c in 2, d in 2, e in 3, f in 2, g in 3 pw add) ins(%x = %X[g, d, a, b], %y = %Y[e, f, g, c]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
    return %O : tensor<3x2x2x2x3x2xf32>
  }
  func.func @gdac_efgb(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x2x3x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gdac_efgb" (a in 3, b in 2, c in 2, d in 2, e in 3, f in 2, g in 3 pw add) ins(%x = %X[g, d, a, c], %y = %Y[e, f, g, b]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) -> tensor<3x2x2x2x3x2xf32>
    return %O : tensor<3x2x2x2x3x2xf32>
  }
  func.func @gdbc_efga(%X: tensor<3x2x2x2xf32>, %Y: tensor<3x2x3x3xf32>) -> (tensor<3x2x2x2x3x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gdbc_efga" (a in 3, b in 2, c in 2, d in 2, e in 3, f in 2, g in 3 pw add) ins(%x = %X[g, d, b, c], %y = %Y[e, f, g, a]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x2x2xf32>, tensor<3x2x3x3xf32>) -> tensor<3x2x2x2x3x2xf32>
    return %O : tensor<3x2x2x2x3x2xf32>
  }
  func.func @geab_dfgc(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "geab_dfgc" (a in 3, b in 2, c in 2, d in 3, e in 2, f in 2, g in 3 pw add) ins(%x = %X[g, e, a, b], %y = %Y[d, f, g, c]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) -> tensor<3x2x2x3x2x2xf32>
    return %O : tensor<3x2x2x3x2x2xf32>
  }
  func.func @geac_dfgb(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "geac_dfgb" (a in 3, b in 2, c in 2, d in 3, e in 2, f in 2, g in 3 pw add) ins(%x = %X[g, e, a, c], %y = %Y[d, f, g, b]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) -> tensor<3x2x2x3x2x2xf32>
    return %O : tensor<3x2x2x3x2x2xf32>
  }
  func.func @gebc_dfga(%X: tensor<3x2x2x2xf32>, %Y: tensor<3x2x3x3xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gebc_dfga" (a in 3, b in 2, c in 2, d in 3, e in 2, f in 2, g in 3 pw add) ins(%x = %X[g, e, b, c], %y = %Y[d, f, g, a]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x2x2xf32>, tensor<3x2x3x3xf32>) -> tensor<3x2x2x3x2x2xf32>
    return %O : tensor<3x2x2x3x2x2xf32>
  }
  func.func @gfab_degc(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gfab_degc" (a in 3, b in 2, c in 2, d in 3, e in 2, f in 2, g in 3 pw add) ins(%x = %X[g, f, a, b], %y = %Y[d, e, g, c]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) -> tensor<3x2x2x3x2x2xf32>
    return %O : tensor<3x2x2x3x2x2xf32>
  }
  func.func @gfac_degb(%X: tensor<3x2x3x2xf32>, %Y: tensor<3x2x3x2xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gfac_degb" (a in 3, b in 2, c in 2, d in 3, e in 2, f in 2, g in 3 pw add) ins(%x = %X[g, f, a, c], %y = %Y[d, e, g, b]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x3x2xf32>, tensor<3x2x3x2xf32>) -> tensor<3x2x2x3x2x2xf32>
    return %O : tensor<3x2x2x3x2x2xf32>
  }
  func.func @gfbc_dega(%X: tensor<3x2x2x2xf32>, %Y: tensor<3x2x3x3xf32>) -> (tensor<3x2x2x3x2x2xf32> {terrace.name = "O"}) {
    %O = mdh.compute "gfbc_dega" (a in 3, b in 2, c in 2, d in 3, e in 2, f in 2, g in 3 pw add) ins(%x = %X[g, f, b, c], %y = %Y[d, e, g, a]) outs([a, b, c, d, e, f]) {
      %0 = arith.mulf %x, %y : f32
      mdh.yield %0 : f32
    } : (tensor<3x2x2x2xf32>, tensor<3x2x3x3xf32>) -> tensor<3x2x2x3x2x2xf32>
    return %O : tensor<3x2x2x3x2x2xf32>
  }
}
