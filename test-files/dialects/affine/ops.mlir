// test: round-trip

#set = affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 >= 0)>
func.func @f(%m: memref<?x?xf32>, %n: index, %x: f32, %k: index) -> f32 {
  affine.for %i = 0 to %n {
    affine.for %j = max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%n] to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%i)[%n] step 2 {
      %a = affine.load %m[%i + 3, %j + symbol(%n)] : memref<?x?xf32>
      affine.store %a, %m[%i, %j mod 4] : memref<?x?xf32>
      affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<?x?xf32>
      %v = affine.vector_load %m[%i, %j] : memref<?x?xf32>, vector<8xf32>
      affine.vector_store %v, %m[%i, %j] : memref<?x?xf32>, vector<8xf32>
      affine.if #set(%i)[%n] {
        affine.store %a, %m[%i, 3] : memref<?x?xf32>
      } else {
        affine.store %a, %m[%i, 4] : memref<?x?xf32>
      }
    }
  }
  %s = affine.for %i = 1 to 10 iter_args(%acc = %x) -> (f32) {
    %y = affine.if #set(%i)[%n] -> f32 { affine.yield %acc : f32 } else {affine.yield %x : f32 }
    affine.yield %y : f32
  }
  affine.parallel (%i, %j) = (0, max(%n, %k, 4)) to (%n, min(%n + 1, 100)) step (2, 3) {
    affine.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  %r = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> (f32) {
    affine.yield %x : f32
  }
  affine.parallel (%i, %j) = (0, 0) to (98, 98) { }
  %ix:3 = affine.delinearize_index %n into (%k, 224, 224) : index, index, index
  %iy:3 = affine.delinearize_index %n into (224, %k) : index, index, index
  %l = affine.linearize_index [%n, %k] by (%k, 3) : index
  %l2 = affine.linearize_index disjoint [%n, %k] by (3) : index
  %p = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%k]
  %q = affine.min affine_map<(d0)[s0] -> (d0 + s0, 3)>(%n)[%k]
  %z = affine.apply affine_map<() -> (4)>()
  %z2 = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%n]
  return %s : f32
}
