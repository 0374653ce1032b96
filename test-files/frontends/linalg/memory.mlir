// test: opt --pipeline="func.func(linalg-to-mdh)"
// In memory: results are written where the outputs are; what an op is started from by a fill is not stored.

func.func @f(%A: memref<4x6xf32>, %B: memref<6x5xf32>, %C: memref<4x5xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%C : memref<4x5xf32>)
  linalg.matmul ins(%A, %B : memref<4x6xf32>, memref<6x5xf32>) outs(%C : memref<4x5xf32>)
  return
}
// check: @f
// check-not: linalg
// check: %0 = mdh.compute "matmul" (d0 in 4, d1 in 5, d2 in 6 pw add) {{.*}} outs([d0, d1]) {
// check: bufferization.materialize_in_destination %0 in restrict writable %C
// check-not: materialize_in_destination
// check: return

func.func @g(%A: memref<4x6xf32>, %T: memref<6x4xf32>, %s: memref<4xf32>, %b: memref<2x4xf32>, %m: memref<4x6xf32>) {
  linalg.transpose ins(%A : memref<4x6xf32>) outs(%T : memref<6x4xf32>) permutation = [1, 0]
  linalg.reduce { arith.addf } ins(%A : memref<4x6xf32>) outs(%s : memref<4xf32>) dimensions = [1]
  linalg.broadcast ins(%s : memref<4xf32>) outs(%b : memref<2x4xf32>) dimensions = [0]
  linalg.map { arith.addf } ins(%A, %A : memref<4x6xf32>, memref<4x6xf32>) outs(%m : memref<4x6xf32>)
  linalg.exp ins(%m : memref<4x6xf32>) outs(%m : memref<4x6xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%A : memref<4x6xf32>) outs(%m : memref<4x6xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}
// check: @g
// check: "transpose" (d0 in 6, d1 in 4)
// check: materialize_in_destination {{.*}} %T
// check: "reduce" (d0 in 4, d1 in 6 pw add) {{.*}} outs([d0] into %s.t)
// check: "exp" (d0 in 4, d1 in 6) ins(%{{.*}} = %m.t{{.*}}[d0, d1])
// check: materialize_in_destination {{.*}} %m

// Parts of buffers, in a loop; a value from outside of the loop.
func.func @steps(%A: memref<3x8x8xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %c0 to %c3 step %c1 {
    %p = memref.subview %A[%t, 0, 0] [1, 8, 8] [1, 1, 1] : memref<3x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
    linalg.map ins(%p : memref<8x8xf32, strided<[8, 1], offset: ?>>) outs(%p : memref<8x8xf32, strided<[8, 1], offset: ?>>)
      (%in: f32, %init: f32) {
        %0 = arith.mulf %in, %f : f32
        linalg.yield %0 : f32
      }
  }
  return
}
// check: @steps
// check: scf.for
// check: mdh.compute "map" (d0 in 8, d1 in 8) ins(%{{.*}} = %p.t[d0, d1], %{{.*}} = %f)
