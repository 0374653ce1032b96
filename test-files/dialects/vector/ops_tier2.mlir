// test: round-trip

#mapA = affine_map<(i, j, k) -> (i, k)>
#mapB = affine_map<(i, j, k) -> (k, j)>
#mapC = affine_map<(i, j, k) -> (i, j)>
func.func @f(%v: vector<4x8xf32>, %x: f32, %w: vector<8xf32>, %m: memref<?x?xf32>, %m1: memref<?xf32>, %n: index, %mask: vector<8xi1>, %ix: vector<8xi32>, %a: vector<2x3xf32>, %b: vector<3x5xf32>, %c: vector<2x5xf32>, %s: vector<[16]xf32>) -> f32 {
  %0 = vector.bitcast %w : vector<8xf32> to vector<16xi16>
  vector.compressstore %m1[%n], %mask, %w : memref<?xf32>, vector<8xi1>, vector<8xf32>
  %1 = vector.contract {indexing_maps = [#mapA, #mapB, #mapC], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<3x5xf32> into vector<2x5xf32>
  %b1 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  %c1 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  %2, %3 = vector.deinterleave %w : vector<8xf32> -> vector<4xf32>
  %4 = vector.interleave %w, %w : vector<8xf32> -> vector<16xf32>
  %5 = vector.expandload %m1[%n], %mask, %w : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %6 = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %7 = vector.insert_strided_slice %w, %v {offsets = [2, 0], strides = [1]} : vector<8xf32> into vector<4x8xf32>
  %8 = vector.from_elements %x, %x : vector<2xf32>
  %9:2 = vector.to_elements %8 : vector<2xf32>
  %10 = vector.gather %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.scatter %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  %11 = vector.mask %mask { vector.reduction <add>, %w : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %12 = vector.mask %mask { vector.gather %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.mask %mask { vector.transfer_write %w, %m1[%n] : vector<8xf32>, memref<?xf32> } : vector<8xi1>
  vector.mask %mask { } : vector<8xi1>
  vector.print %w : vector<8xf32>
  vector.print %x : f32 punctuation <no_punctuation>
  vector.print str "hello"
  vector.print punctuation <newline>
  vector.print punctuation <comma>
  %13 = vector.scalable.insert %w, %s[8] : vector<8xf32> into vector<[16]xf32>
  %14 = vector.scalable.extract %s[8] : vector<8xf32> from vector<[16]xf32>
  %15:2 = vector.scan <add>, %v, %w {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
  %mm = memref.alloc() : memref<4x3xf32>
  %16 = vector.type_cast %mm : memref<4x3xf32> to memref<vector<4x3xf32>>
  %17 = vector.vscale
  return %x : f32
}
