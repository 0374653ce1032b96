// test: round-trip
#v = affine_map<(e, b) -> (e)>
#h = affine_map<(e, b) -> (b)>
func.func @histogram(%v: tensor<29xi32>) -> (tensor<4xi32> {terrace.name = "h"}) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#v, #h], iterator_types = ["reduction", "parallel"]} ins(%v : tensor<29xi32>) outs(%f : tensor<4xi32>) {
  ^bb0(%x: i32, %n: i32):
    %b = linalg.index 1 : index
    %bin = arith.index_cast %b : index to i32
    %hit = arith.cmpi eq, %x, %bin : i32
    %one = arith.extui %hit : i1 to i32
    %s = arith.addi %n, %one : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
