// test: opt --pipeline="func.func(canonicalize)"

func.func @slices(%v: vector<6xi32>, %w: vector<2xi32>) -> (vector<2x2xi32>, vector<2x3xi32>) {
  %a = vector.shape_cast %v : vector<6xi32> to vector<2x3xi32>
  %b = vector.extract_strided_slice %a {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xi32> to vector<2x2xi32>
  %c = vector.insert_strided_slice %w, %a {offsets = [1, 0], strides = [1]} : vector<2xi32> into vector<2x3xi32>
  return %b, %c : vector<2x2xi32>, vector<2x3xi32>
}
// eval: @slices([1, 2, 3, 4, 5, 6], [8, 9]) == [2, 3, 5, 6], [1, 2, 3, 8, 9, 6]

func.func @elements(%v: vector<2xi32>) -> vector<4xi32> {
  %a, %b = vector.to_elements %v : vector<2xi32>
  %r = vector.from_elements %b, %a, %a, %b : vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @elements([1, 2]) == [2, 1, 1, 2]

func.func @turns(%a: vector<2xi32>, %b: vector<2xi32>) -> (vector<4xi32>, vector<2xi32>) {
  %r = vector.interleave %a, %b : vector<2xi32> -> vector<4xi32>
  %x, %y = vector.deinterleave %r : vector<4xi32> -> vector<2xi32>
  return %r, %y : vector<4xi32>, vector<2xi32>
}
// eval: @turns([1, 2], [3, 4]) == [1, 3, 2, 4], [3, 4]

func.func @bits(%v: vector<2xi16>) -> (vector<4xi8>, vector<1xi32>) {
  %a = vector.bitcast %v : vector<2xi16> to vector<4xi8>
  %b = vector.bitcast %v : vector<2xi16> to vector<1xi32>
  return %a, %b : vector<4xi8>, vector<1xi32>
}
// eval: @bits([258, 1]) == [2, 1, 1, 0], [65794]

func.func @gather(%n: index, %ix: vector<3xi32>) -> vector<3xi32> {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[10, 11, 12, 13]> : vector<4xi32>
  %none = arith.constant dense<-1> : vector<3xi32>
  %m = memref.alloc() : memref<4xi32>
  vector.store %all, %m[%c0] : memref<4xi32>, vector<4xi32>
  %mask = vector.create_mask %n : vector<3xi1>
  %r = vector.gather %m[%c0] [%ix], %mask, %none : memref<4xi32>, vector<3xi32>, vector<3xi1>, vector<3xi32> into vector<3xi32>
  return %r : vector<3xi32>
}
// eval: @gather(2, [3, 1, 0]) == [13, 11, -1]
// eval: @gather(1, [3, 9, 9]) == [13, -1, -1]
// eval: @gather(3, [3, 1, 4]) == trap E0308

func.func @scatter(%n: index, %ix: vector<3xi32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<0> : vector<4xi32>
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %m = memref.alloc() : memref<4xi32>
  vector.store %all, %m[%c0] : memref<4xi32>, vector<4xi32>
  %mask = vector.create_mask %n : vector<3xi1>
  vector.scatter %m[%c0] [%ix], %mask, %v : memref<4xi32>, vector<3xi32>, vector<3xi1>, vector<3xi32>
  %r = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>
  return %r : vector<4xi32>
}
// eval: @scatter(3, [3, 0, 3]) == [2, 0, 0, 3]
// eval: @scatter(1, [1, 0, 3]) == [0, 1, 0, 0]

func.func @pack(%v: vector<4xi32>, %bits: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %m = memref.alloc() : memref<4xi32>
  vector.store %zero, %m[%c0] : memref<4xi32>, vector<4xi32>
  %mask = arith.cmpi ne, %bits, %zero : vector<4xi32>
  vector.compressstore %m[%c0], %mask, %v : memref<4xi32>, vector<4xi1>, vector<4xi32>
  %r = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>
  %s = vector.expandload %m[%c0], %mask, %zero : memref<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  return %r, %s : vector<4xi32>, vector<4xi32>
}
// eval: @pack([5, 6, 7, 8], [0, 1, 0, 1]) == [6, 8, 0, 0], [0, 6, 0, 8]

func.func @product(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<2x2xi32> {
  %x = vector.shape_cast %a : vector<4xi32> to vector<2x2xi32>
  %y = vector.shape_cast %b : vector<4xi32> to vector<2x2xi32>
  %acc = arith.constant dense<[[1, 0], [0, 1]]> : vector<2x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<2x2xi32>, vector<2x2xi32> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @product([1, 2, 3, 4], [5, 6, 7, 8]) == [20, 22, 43, 51]

func.func @dot(%a: vector<3xi32>, %b: vector<3xi32>, %x: i32) -> i32 {
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxsi>} %a, %b, %x : vector<3xi32>, vector<3xi32> into i32
  return %r : i32
}
// eval: @dot([1, 2, 3], [3, 4, 1], 5) == 8

func.func @scan(%v: vector<6xi32>, %i: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>, vector<3x2xi32>, vector<2xi32>) {
  %a = vector.shape_cast %v : vector<6xi32> to vector<3x2xi32>
  %p, %q = vector.scan <add>, %a, %i {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  %r, %s = vector.scan <add>, %a, %i {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %p, %q, %r, %s : vector<3x2xi32>, vector<2xi32>, vector<3x2xi32>, vector<2xi32>
}
// eval: @scan([1, 2, 3, 4, 5, 6], [10, 20]) == [1, 2, 4, 6, 9, 12], [9, 12], [10, 20, 11, 22, 14, 26], [14, 26]

func.func @rows(%v: vector<6xi32>, %i: vector<2xi32>) -> vector<2x3xi32> {
  %a = vector.shape_cast %v : vector<6xi32> to vector<2x3xi32>
  %p, %q = vector.scan <mul>, %a, %i {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xi32>, vector<2xi32>
  return %p : vector<2x3xi32>
}
// eval: @rows([1, 2, 3, 4, 5, 6], [0, 0]) == [1, 2, 6, 4, 20, 120]
