// test: round-trip
module {
  func.func @scan(%x: tensor<13xf32>) -> (tensor<13xf32> {terrace.name = "y"}) {
    %y = mdh.compute "scan" (i in 13 ps add) ins(%x.e = %x[i]) outs([i]) {
      mdh.yield %x.e : f32
    } : (tensor<13xf32>) -> tensor<13xf32>
    return %y : tensor<13xf32>
  }
  func.func @mbbs(%x: tensor<6x5xi32>) -> (tensor<6xi32> {terrace.name = "sums"}) {
    %sums = mdh.compute "mbbs" (i in 6 ps add, j in 5 pw add) ins(%x.e = %x[i, j]) outs([i]) {
      mdh.yield %x.e : i32
    } : (tensor<6x5xi32>) -> tensor<6xi32>
    return %sums : tensor<6xi32>
  }
}
