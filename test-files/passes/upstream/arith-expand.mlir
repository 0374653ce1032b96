// test: opt --pipeline="func.func(arith-expand)"

func.func @up(%a: i32, %b: i32) -> (i32, i32, i32) {
  %u = arith.ceildivui %a, %b : i32
  %s = arith.ceildivsi %a, %b : i32
  %f = arith.floordivsi %a, %b : i32
  return %u, %s, %f : i32, i32, i32
}
// check: func.func @up
// not: ceildiv
// not: floordiv
// check: return
// eval: @up(7, 2) == (4, 4, 3)
// eval: @up(0, 3) == (0, 0, 0)
// eval: @up(-7, 2) == (2147483645, -3, -4)
// eval: @up(-7, -2) == (1, 4, 3)
// eval: @up(6, -3) == (1, -2, -2)

func.func @extremes(%a: i8, %b: i8) -> (i8, i8, i8, i8) {
  %p = arith.maxsi %a, %b : i8
  %q = arith.maxui %a, %b : i8
  %r = arith.minsi %a, %b : i8
  %s = arith.minui %a, %b : i8
  return %p, %q, %r, %s : i8, i8, i8, i8
}
// eval: @extremes(-1, 1) == (1, -1, -1, 1)

// The sign of zero counts; with `nsz` it does not.
func.func @zeros(%a: f32, %b: f32) -> (f32, f32) {
  %p = arith.maximumf %a, %b : f32
  %q = arith.minimumf %a, %b : f32
  return %p, %q : f32, f32
}
// check: func.func @zeros
// check: arith.bitcast
// eval: @zeros(0.0, -0.0) == (0.0, -0.0)
// eval: @zeros(-0.0, 0.0) == (0.0, -0.0)
// eval: @zeros(1.0, 2.0) == (2.0, 1.0)

func.func @no_sign(%a: f32, %b: f32) -> f32 {
  %p = arith.maxnumf %a, %b fastmath<nsz> : f32
  return %p : f32
}
// check: func.func @no_sign
// not: arith.bitcast
// check: return
// eval: @no_sign(1.0, 2.0) == 2.0

// Divisions of tensors whose shape is not known stay, and nothing of them is written; what needs no constant goes.
func.func @unknown_shape(%a: tensor<?xi32>, %b: tensor<?xi32>, %c: tensor<*xf32>, %d: tensor<*xf32>)
    -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<*xf32>) {
  %u = arith.ceildivui %a, %b : tensor<?xi32>
  %s = arith.ceildivsi %a, %b : tensor<?xi32>
  %f = arith.floordivsi %a, %b : tensor<?xi32>
  %p = arith.maxsi %a, %b : tensor<?xi32>
  %q = arith.maximumf %c, %d : tensor<*xf32>
  return %u, %s, %f, %p, %q : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<*xf32>
}
// check: func.func @unknown_shape
// next: %u = arith.ceildivui
// next: %s = arith.ceildivsi
// next: %f = arith.floordivsi
// next: arith.cmpi sgt
// next: %p = arith.select {{.*}} : tensor<?xi1>, tensor<?xi32>
// next: arith.cmpf ugt
// next: arith.select {{.*}} : tensor<*xi1>, tensor<*xf32>
// check: arith.bitcast %c : tensor<*xf32> to tensor<*xi32>
