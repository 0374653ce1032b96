// test: opt --pipeline="func.func(linalg-to-mdh)"
// Other bodies that combine: what is taken away, the larger and the smaller one by a comparison; a schedule beside an op.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @taken(%A: tensor<4x6xf32>, %o: tensor<4xf32>, %B: tensor<4x6xi32>, %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x6xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.subf %s, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %i = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%B : tensor<4x6xi32>) outs(%p : tensor<4xi32>) {
  ^bb0(%x: i32, %s: i32):
    %1 = arith.subi %s, %x : i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  return %r, %i : tensor<4xf32>, tensor<4xi32>
}
// check: (d0 in 4, d1 in 6 pw add) ins(%arg0 = %A[d0, d1]) outs([d0] into %o)
// next: arith.negf %arg0 : f32

func.func @chosen(%A: tensor<4x6xf32>, %o: tensor<4xf32>, %B: tensor<4x6xi32>, %p: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%A : tensor<4x6xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.cmpf olt, %s, %x : f32
    %0 = arith.select %t, %x, %s : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %i = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%B : tensor<4x6xi32>) outs(%p : tensor<4xi32>) {
  ^bb0(%x: i32, %s: i32):
    %t = arith.cmpi ult, %x, %s : i32
    %1 = arith.select %t, %x, %s : i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  return %r, %i : tensor<4xf32>, tensor<4xi32>
}
// check: @chosen
// check: (d0 in 4, d1 in 6 pw max) ins(%arg0 = %A[d0, d1]) outs([d0] into %o)
// check: (d0 in 4, d1 in 6 pw minui) ins(%arg0 = %B[d0, d1]) outs([d0] into %p)

func.func @scheduled(%a: tensor<16x32xf32>, %b: tensor<32x24xf32>, %c: tensor<16x24xf32>) -> tensor<16x24xf32> {
  %r = linalg.matmul {mdh.schedule = ["1: (4,^,^) (^,^ ; ^) (THR.x,FOR.1,FOR.2)", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"], other} ins(%a, %b : tensor<16x32xf32>, tensor<32x24xf32>) outs(%c : tensor<16x24xf32>) -> tensor<16x24xf32>
  return %r : tensor<16x24xf32>
}
// check: outs([d0, d1] into %c) attributes {mdh.schedule = ["1: (4,^,^) (^,^ ; ^) (THR.x,FOR.1,FOR.2)", "2: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)"]} {
