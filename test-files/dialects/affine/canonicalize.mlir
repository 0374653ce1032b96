// test: opt --pipeline="func.func(canonicalize)"
// rule: affine_for_zero_trips, affine_if_known, apply_normal_form, for_bounds_normal_form, store_normal_form
// rule: load_normal_form, max_of_one, min_of_one

func.func @compose(%i: index, %n: index) -> index {
  %c4 = arith.constant 4 : index
  %a = affine.apply affine_map<(d0)[s0] -> (d0 * 4 + s0)>(%i)[%c4]
  %b = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%a, %n)
  %c = affine.apply affine_map<(d0)[s0] -> (d0 - s0)>(%b)[%n]
  return %c : index
}
// check: func.func @compose
// next: %c = affine.apply #map()[%i]
// next: return %c

func.func @constants() -> (index, index, index) {
  %c7 = arith.constant 7 : index
  %a = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%c7)
  %b = affine.min affine_map<(d0) -> (d0 + 1, 20)>(%c7)
  %c = affine.max affine_map<(d0) -> (d0 + 1, 20)>(%c7)
  return %a, %b, %c : index, index, index
}
// check: func.func @constants
// check: arith.constant 3 : index
// check: arith.constant 8 : index
// check: arith.constant 20 : index
// not: affine

// Variables of loops have ranges.
func.func @ranges(%m: memref<?x?xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %a = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%i, %j)
      %b = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%a)
      affine.store %x, %m[%b, %a mod 4] : memref<?x?xf32>
      affine.if affine_set<(d0) : (d0 >= 0, 8 - d0 >= 0)>(%i) {
        affine.store %x, %m[%i, 0] : memref<?x?xf32>
      } else {
        affine.store %x, %m[%i, 1] : memref<?x?xf32>
      }
    }
  }
  return
}
// check: func.func @ranges
// check: affine.store %x, %m[%i, %j] : memref<?x?xf32>
// next: affine.store %x, %m[%i, 0] : memref<?x?xf32>
// not: affine.store
// not: affine.if

func.func @bounds(%m: memref<?xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  affine.for %i = %c0 to %c8 {
    affine.for %j = affine_map<(d0) -> (d0 * 8)>(%i) to min affine_map<(d0) -> (d0 * 8 + 8, 64)>(%i) {
      affine.store %x, %m[%j] : memref<?xf32>
    }
  }
  %r = affine.for %i = 8 to 0 iter_args(%a = %x) -> (f32) {
    %y = arith.addf %a, %a : f32
    affine.yield %y : f32
  }
  affine.for %i = 0 to 10 {
  }
  return %r : f32
}
// check: func.func @bounds
// next: affine.for %i = 0 to 8 {
// next: affine.for %j = #map1(%i) to #map2(%i) {
// check: return %x

func.func @indices(%i: index) -> (index, index, index, index) {
  %c100 = arith.constant 100 : index
  %c3 = arith.constant 3 : index
  %a, %b = affine.delinearize_index %c100 into (8, 16) : index, index
  %l = affine.linearize_index [%c3, %a, %b] by (10, 16) : index
  %k = affine.linearize_index [%i] by (7) : index
  return %a, %b, %l, %k : index, index, index, index
}
// check: func.func @indices
// check: arith.constant 6 : index
// check: arith.constant 4 : index
// check: arith.constant 580 : index
// not: affine
// check: %i : index, index, index, index

// The least and the most of one is it; subscripts are in normal form.
func.func @one(%m: memref<32xf32>, %i: index) -> (index, index, f32) {
  %c2 = arith.constant 2 : index
  %a = affine.min affine_map<(d0) -> (d0 + 1)>(%i)
  %b = affine.max affine_map<(d0) -> (d0 * 2)>(%i)
  %x = affine.load %m[symbol(%c2) + 3] : memref<32xf32>
  return %a, %b, %x : index, index, f32
}
// check: func.func @one
// check: affine.apply
// check: affine.apply
// check: affine.load %m[5]
