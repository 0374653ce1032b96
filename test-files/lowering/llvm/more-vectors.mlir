// test: opt --pipeline="convert-scf-to-cf"
// not: scf.

// Every lane counts with its own weight.
func.func private @weigh(%v: vector<8xi32>) -> i32 {
  %w = arith.constant dense<[1, 10, 100, 1000, 10000, 100000, 1000000, 10000000]> : vector<8xi32>
  %p = arith.muli %v, %w : vector<8xi32>
  %r = vector.reduction <add>, %p : vector<8xi32> into i32
  return %r : i32
}
func.func private @line(%n: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %a[%i] : memref<?xi32>
  }
  return %a : memref<?xi32>
}

// Parts and elements.
func.func @parts(%x: i32) -> (i32, i32, i32) {
  %v = arith.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 1, 2]]> : vector<3x4xi32>
  %s = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi32> to vector<2x2xi32>
  %f = vector.shape_cast %s : vector<2x2xi32> to vector<4xi32>
  %z = vector.broadcast %x : i32 to vector<4xi32>
  %d = vector.interleave %f, %z : vector<4xi32> -> vector<8xi32>
  %a = func.call @weigh(%d) : (vector<8xi32>) -> i32
  %even, %odd = vector.deinterleave %d : vector<8xi32> -> vector<4xi32>
  %w = vector.insert_strided_slice %even, %v {offsets = [2, 0], strides = [1]} : vector<4xi32> into vector<3x4xi32>
  %t = vector.extract_strided_slice %w {offsets = [1], sizes = [2], strides = [1]} : vector<3x4xi32> to vector<2x4xi32>
  %u = vector.shape_cast %t : vector<2x4xi32> to vector<8xi32>
  %b = func.call @weigh(%u) : (vector<8xi32>) -> i32
  %e:4 = vector.to_elements %odd : vector<4xi32>
  %g = vector.from_elements %x, %e#1, %x, %x, %x, %x, %x, %x : vector<8xi32>
  %c = func.call @weigh(%g) : (vector<8xi32>) -> i32
  return %a, %b, %c : i32, i32, i32
}
// eval: @parts(3) == (31393635, 19657654, 33333333)

// Bits of neighbours put together, the first lowest.
func.func @bits(%x: i16) -> (i32, i16) {
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>
  %w = vector.insert %x, %v [1] : i16 into vector<4xi16>
  %b = vector.bitcast %w : vector<4xi16> to vector<2xi32>
  %r = vector.extract %b[0] : i32 from vector<2xi32>
  %c = vector.bitcast %b : vector<2xi32> to vector<4xi16>
  %s = vector.extract %c[3] : i16 from vector<4xi16>
  return %r, %s : i32, i16
}
// eval: @bits(5) == (327681, 4)

// Elements anywhere; those under an unset mask are not touched.
func.func @anywhere(%n: index, %i: index) -> (i32, i32) {
  %a = func.call @line(%n) : (index) -> memref<?xi32>
  %at = arith.constant dense<[3, 0, 2, 1, 4, 1000000, 1, 0]> : vector<8xi32>
  %mask = arith.constant dense<[true, true, true, true, true, false, true, false]> : vector<8xi1>
  %other = arith.constant dense<9> : vector<8xi32>
  %v = vector.gather %a[%i] [%at], %mask, %other : memref<?xi32>, vector<8xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  %r = func.call @weigh(%v) : (vector<8xi32>) -> i32
  %to = arith.constant dense<[0, 1, 2, 3, 4, -77, 5, 6]> : vector<8xindex>
  vector.scatter %a[%i] [%to], %mask, %v : memref<?xi32>, vector<8xindex>, vector<8xi1>, vector<8xi32>
  %c0 = arith.constant 0 : index
  %w = vector.load %a[%c0] : memref<?xi32>, vector<8xi32>
  %s = func.call @weigh(%w) : (vector<8xi32>) -> i32
  return %r, %s : i32, i32
}
// eval: @anywhere(8, 0) == (91941203, 76141203)
// eval: @anywhere(9, 1) == (92952314, 72523140)

// Elements packed together.
func.func @packed(%n: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = func.call @line(%n) : (index) -> memref<?xi32>
  %mask = arith.constant dense<[false, true, true, false, true, false, false, true]> : vector<8xi1>
  %other = arith.constant dense<9> : vector<8xi32>
  %v = vector.expandload %a[%c2], %mask, %other : memref<?xi32>, vector<8xi1>, vector<8xi32> into vector<8xi32>
  %r = func.call @weigh(%v) : (vector<8xi32>) -> i32
  vector.compressstore %a[%c0], %mask, %v : memref<?xi32>, vector<8xi1>, vector<8xi32>
  %w = vector.load %a[%c0] : memref<?xi32>, vector<8xi32>
  %s = func.call @weigh(%w) : (vector<8xi32>) -> i32
  return %r, %s : i32, i32
}
// eval: @packed(8) == (59949329, 76545432)

#row = affine_map<(m, n, k) -> (m, k)>
#column = affine_map<(m, n, k) -> (k, n)>
#flipped = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// Products of matrices, with rows at once and element by element.
func.func @contract(%x: f32) -> (f32, f32, f32) {
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %b = arith.constant dense<[[1.0, 0.0, 2.0, 1.0], [0.0, 1.0, 1.0, 0.0], [3.0, 1.0, 0.0, 2.0]]> : vector<3x4xf32>
  %z = vector.broadcast %x : f32 to vector<2x4xf32>
  %c = vector.contract {indexing_maps = [#row, #column, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %z : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  %p = vector.extract %c[1, 3] : f32 from vector<2x4xf32>
  %t = vector.transpose %b, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
  %d = vector.contract {indexing_maps = [#row, #flipped, #out], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %a, %t, %z : vector<2x3xf32>, vector<4x3xf32> into vector<2x4xf32>
  %q = vector.extract %d[0, 2] : f32 from vector<2x4xf32>
  %u = vector.extract %a[0] : vector<3xf32> from vector<2x3xf32>
  %v = vector.extract %a[1] : vector<3xf32> from vector<2x3xf32>
  %e = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %u, %v, %x : vector<3xf32>, vector<3xf32> into f32
  return %p, %q, %e : f32, f32, f32
}
// eval: @contract(0.5) == (1.650000e+01, 2.000000e+00, 3.250000e+01)

// Running sums along both dimensions.
func.func @scans() -> (i32, i32, i32) {
  %v = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 1]]> : vector<2x4xi32>
  %c = arith.constant dense<[1, 1, 2, 0]> : vector<4xi32>
  %r = arith.constant dense<[2, 1]> : vector<2xi32>
  %a, %x = vector.scan <add>, %v, %c {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xi32>, vector<4xi32>
  %b, %y = vector.scan <mul>, %v, %r {inclusive = false, reduction_dim = 1 : i64} : vector<2x4xi32>, vector<2xi32>
  %p = vector.extract %a[1, 2] : i32 from vector<2x4xi32>
  %q = vector.extract %b[0, 3] : i32 from vector<2x4xi32>
  %s = vector.extract %y[1] : i32 from vector<2xi32>
  return %p, %q, %s : i32, i32, i32
}
// eval: @scans() == (10, 12, 210)

// Ops under masks: what is off takes no part.
func.func @under(%n: index, %x: i32) -> (i32, i32, i32, i32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant dense<[3, 1, 4, 1, 5, 9, 2, 6]> : vector<8xi32>
  %m = vector.create_mask %n : vector<8xi1>
  %a = vector.mask %m { vector.reduction <add>, %v, %x : vector<8xi32> into i32 } : vector<8xi1> -> i32
  %b = vector.mask %m { vector.reduction <minsi>, %v, %x : vector<8xi32> into i32 } : vector<8xi1> -> i32
  %w = vector.shape_cast %v : vector<8xi32> to vector<2x4xi32>
  %k = vector.create_mask %c2, %n : vector<2x4xi1>
  %z = vector.broadcast %x : i32 to vector<2xi32>
  %s = vector.mask %k { vector.multi_reduction <mul>, %w, %z [1] : vector<2x4xi32> to vector<2xi32> } : vector<2x4xi1> -> vector<2xi32>
  %c = vector.extract %s[1] : i32 from vector<2xi32>
  %y = vector.broadcast %x : i32 to vector<4xi32>
  %t = vector.mask %k { vector.multi_reduction <add>, %w, %y [0] : vector<2x4xi32> to vector<4xi32> } : vector<2x4xi1> -> vector<4xi32>
  %d = vector.extract %t[2] : i32 from vector<4xi32>
  return %a, %b, %c, %d : i32, i32, i32, i32
}
// eval: @under(0, 7) == (7, 7, 7, 7)
// eval: @under(2, 7) == (11, 1, 315, 7)
// eval: @under(8, 2) == (33, 1, 1080, 8)

// Transfers and products under masks.
func.func @moved(%n: index, %i: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %pad = arith.constant 0 : i32
  %a = func.call @line(%c8) : (index) -> memref<?xi32>
  %m = vector.create_mask %n : vector<8xi1>
  %other = arith.constant dense<9> : vector<8xi32>
  %v = vector.mask %m, %other { vector.transfer_read %a[%i], %pad : memref<?xi32>, vector<8xi32> } : vector<8xi1> -> vector<8xi32>
  %r = func.call @weigh(%v) : (vector<8xi32>) -> i32
  vector.mask %m { vector.transfer_write %other, %a[%i] : vector<8xi32>, memref<?xi32> } : vector<8xi1>
  %w = vector.load %a[%c0] : memref<?xi32>, vector<8xi32>
  %s = func.call @weigh(%w) : (vector<8xi32>) -> i32
  %k = vector.create_mask %n, %n : vector<2x4xi1>
  %p = arith.constant dense<[2, 3]> : vector<2xi32>
  %q = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %acc = arith.constant dense<1> : vector<2x4xi32>
  %o = vector.mask %k { vector.outerproduct %p, %q, %acc : vector<2xi32>, vector<4xi32> } : vector<2x4xi1> -> vector<2x4xi32>
  %f = vector.shape_cast %o : vector<2x4xi32> to vector<8xi32>
  %t = func.call @weigh(%f) : (vector<8xi32>) -> i32
  return %r, %s, %t : i32, i32, i32
}
// eval: @moved(3, 0) == (99999210, 76543999, 20741753)
// eval: @moved(1, 6) == (99999996, 79543210, 11111113)
