// test: opt --pipeline="func.func(canonicalize)"

// rule: mask_full_or_empty
// rule: transfer_read_in_bounds, transfer_write_in_bounds
func.func @full(%v: vector<4xi32>, %m: vector<4xi1>, %x: i32) -> (i32, i32) {
  %mask = vector.constant_mask [4] : vector<4xi1>
  %r = vector.mask %mask { vector.reduction <add>, %v : vector<4xi32> into i32 } : vector<4xi1> -> i32
  %s = vector.mask %m { vector.yield %x : i32 } : vector<4xi1> -> i32
  return %r, %s : i32, i32
}
// check: func.func @full
// next: %r = vector.reduction <add>, %v : vector<4xi32> into i32
// next: return %r, %x

func.func @sums(%v: vector<4xi32>, %n: index, %acc: i32) -> (i32, i32, i32) {
  %mask = vector.create_mask %n : vector<4xi1>
  %a = vector.mask %mask { vector.reduction <add>, %v : vector<4xi32> into i32 } : vector<4xi1> -> i32
  %b = vector.mask %mask { vector.reduction <minsi>, %v, %acc : vector<4xi32> into i32 } : vector<4xi1> -> i32
  %c = vector.mask %mask { vector.multi_reduction <mul>, %v, %acc [0] : vector<4xi32> to i32 } : vector<4xi1> -> i32
  return %a, %b, %c : i32, i32, i32
}
// eval: @sums([1, 2, 3, 4], 3, 2) == 6, 1, 12
// eval: @sums([1, 2, 3, 4], 0, 2) == 0, 2, 2

func.func @memory(%n: index, %i: index, %other: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant -1 : i32
  %all = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %m = memref.alloc() : memref<4xi32>
  vector.store %all, %m[%c0] : memref<4xi32>, vector<4xi32>
  %mask = vector.create_mask %n : vector<4xi1>
  %a = vector.mask %mask { vector.transfer_read %m[%i], %pad : memref<4xi32>, vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  %b = vector.mask %mask, %other { vector.transfer_read %m[%c0], %pad : memref<4xi32>, vector<4xi32> } : vector<4xi1> -> vector<4xi32>
  vector.mask %mask { vector.transfer_write %other, %m[%c0] : vector<4xi32>, memref<4xi32> } : vector<4xi1>
  %c = vector.load %m[%c0] : memref<4xi32>, vector<4xi32>
  return %a, %b, %c : vector<4xi32>, vector<4xi32>, vector<4xi32>
}
// eval: @memory(2, 1, [7, 7, 7, 7]) == [2, 3, -1, -1], [1, 2, 7, 7], [7, 7, 3, 4]
// eval: @memory(4, 3, [7, 7, 7, 7]) == [4, -1, -1, -1], [1, 2, 3, 4], [7, 7, 7, 7]

func.func @products(%a: vector<2xi32>, %b: vector<2xi32>, %n: index, %k: index) -> (vector<2x2xi32>, i32) {
  %acc = arith.constant dense<5> : vector<2x2xi32>
  %one = arith.constant 1 : i32
  %mask = vector.create_mask %n, %k : vector<2x2xi1>
  %line = vector.create_mask %n : vector<2xi1>
  %r = vector.mask %mask { vector.outerproduct %a, %b, %acc : vector<2xi32>, vector<2xi32> } : vector<2x2xi1> -> vector<2x2xi32>
  %s = vector.mask %line { vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %a, %b, %one : vector<2xi32>, vector<2xi32> into i32 } : vector<2xi1> -> i32
  return %r, %s : vector<2x2xi32>, i32
}
// eval: @products([1, 2], [3, 4], 1, 2) == [8, 9, 5, 5], 4
// eval: @products([1, 2], [3, 4], 2, 1) == [8, 5, 11, 5], 12
