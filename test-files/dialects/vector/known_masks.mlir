// test: opt --pipeline="func.func(canonicalize)"
// rule: compressstore_known_mask, expandload_known_mask, gather_known_mask, scatter_known_mask
// rule: transfer_write_full_mask

// What a mask that is all set or all clear leaves of each access.
func.func @known(%m: memref<8xf32>, %v: vector<4xf32>, %at: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<true> : vector<4xi1>
  %none = arith.constant dense<false> : vector<4xi1>
  %a = vector.expandload %m[%c0], %all, %v : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %g = vector.gather %m[%c0] [%at], %none, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%c0], %all, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%c0] [%at], %none, %v : memref<8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.transfer_write %v, %m[%c0], %all {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
  return %a, %g : vector<4xf32>, vector<4xf32>
}
// check: func.func @known
// check: %a = vector.load %m
// next: vector.store %v, %m
// next: vector.transfer_write %v, %m[{{.*}}] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
// next: return %a, %v
