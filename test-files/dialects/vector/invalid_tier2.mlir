// test: opt --split-input-file --verify-diagnostics

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = vector.bitcast %w : vector<8xf32> to vector<15xi16>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{dimension size mismatch at: 0}}
  %0 = vector.bitcast %v : vector<4x8xf32> to vector<2x16xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{failed to verify that all of {source, result} have same rank}}
  %0 = vector.bitcast %v : vector<4x8xf32> to vector<32xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected offsets, sizes and strides attributes of same size}}
  %6 = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected offsets attribute of rank no greater than vector rank}}
  %6 = vector.extract_strided_slice %v {offsets = [0, 2, 1], sizes = [2, 1, 1], strides = [1, 1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected offsets dimension 0 to be confined to [0, 4)}}
  %6 = vector.extract_strided_slice %v {offsets = [4, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected sizes dimension 0 to be confined to [1, 5)}}
  %6 = vector.extract_strided_slice %v {offsets = [3, 2], sizes = [0, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected strides to be confined to [1, 2)}}
  %6 = vector.extract_strided_slice %v {offsets = [3, 2], sizes = [2, 4], strides = [1, 2]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %6 = vector.extract_strided_slice %v {offsets = [3, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected result type to be 'vector<2x4xf32>'}}
  %6 = vector.extract_strided_slice %v {offsets = [2, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x5xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected offsets of same size as destination vector rank}}
  %7 = vector.insert_strided_slice %w, %v {offsets = [2], strides = [1]} : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected strides of same size as source vector rank}}
  %7 = vector.insert_strided_slice %w, %v {offsets = [2, 0], strides = [1, 1]} : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected source rank to be no greater than destination rank}}
  %7 = vector.insert_strided_slice %v, %w {offsets = [2], strides = [1, 1]} : vector<4x8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected offsets dimension 0 to be confined to [0, 4)}}
  %7 = vector.insert_strided_slice %w, %v {offsets = [4, 0], strides = [1]} : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected strides to be confined to [1, 2)}}
  %7 = vector.insert_strided_slice %w, %v {offsets = [2, 0], strides = [2]} : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 9)}}
  %7 = vector.insert_strided_slice %w, %v {offsets = [2, 3], strides = [1]} : vector<8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%x: f32, %w: vector<8xf32>) {
  // expected-error @+1 {{custom op 'vector.from_elements' number of operands and types do not match: got 1 operands and 2 types}}
  %8 = vector.from_elements %x : vector<2xf32>
  return
}

// -----

func.func @f(%x: f32, %w: vector<8xf32>) {
  // expected-error @+1 {{failed to verify that shaped type 'source' matches 'elements' element count and types}}
  %8 = "vector.to_elements"(%w) : (vector<8xf32>) -> f32
  return
}

// -----

func.func @f(%x: f32, %w: vector<8xf32>) {
  // expected-error @+1 {{failed to verify that type of 'result' is double the width of the inputs}}
  %4 = vector.interleave %w, %w : vector<8xf32> -> vector<8xf32>
  return
}

// -----

func.func @f(%x: f32, %w: vector<8xf32>) {
  // expected-error @+1 {{failed to verify that the trailing dimension of the results is half the width of source trailing dimension}}
  %4, %5 = vector.deinterleave %w : vector<8xf32> -> vector<3xf32>
  return
}

// -----

func.func @f(%x: f32, %w: vector<7xf32>) {
  // expected-error @+1 {{failed to verify that the trailing dimension of the source vector has an even number of elements}}
  %4, %5 = vector.deinterleave %w : vector<7xf32> -> vector<3xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{reduction dimension 2 has to be less than 2}}
  %15:2 = vector.scan <add>, %v, %w {inclusive = true, reduction_dim = 2 : i64} : vector<4x8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{incompatible input/initial value shapes}}
  %15:2 = vector.scan <add>, %v, %w {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{initial value rank 2 has to be equal to 1}}
  %15:2 = vector.scan <add>, %v, %v {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4x8xf32>
  return
}

// -----

func.func @f(%v: vector<4x8xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{unsupported reduction type 'f32' for kind 'and'}}
  %15:2 = vector.scan <and>, %v, %w {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<4x3xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expects concatenated result and operand shapes to be equal: 'memref<vector<4x4xf32>>'}}
  %16 = vector.type_cast %m : memref<4x3xf32> to memref<vector<4x4xf32>>
  return
}

// -----

func.func @f(%m: memref<4x3xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expects result in same memory space}}
  %16 = vector.type_cast %m : memref<4x3xf32> to memref<vector<4x3xf32>, 1>
  return
}

// -----

func.func @f(%m: memref<4x3xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{expects result and operand with same underlying scalar type: 'memref<vector<4x3xi32>>'}}
  %16 = vector.type_cast %m : memref<4x3xf32> to memref<vector<4x3xi32>>
  return
}

// -----

func.func @f(%m: memref<4x3xf32, strided<[4, 1]>>, %w: vector<8xf32>) {
  // expected-error @+1 {{expects operand to be a memref with identity layout}}
  %16 = vector.type_cast %m : memref<4x3xf32, strided<[4, 1]>> to memref<vector<4x3xf32>>
  return
}

// -----

func.func @f(%s: vector<[16]xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{failed to verify that position is a multiple of the source length.}}
  %13 = vector.scalable.insert %w, %s[3] : vector<8xf32> into vector<[16]xf32>
  return
}

// -----

func.func @f(%s: vector<[16]xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{failed to verify that position is a multiple of the result length.}}
  %14 = vector.scalable.extract %s[3] : vector<8xf32> from vector<[16]xf32>
  return
}

// -----

func.func @f(%s: vector<[16]xf32>, %w: vector<8xf32>) {
  // expected-error @+1 {{operand #0 must be scalable vector of any type values of ranks 1, but got 'vector<8xf32>'}}
  %14 = vector.scalable.extract %w[8] : vector<8xf32> from vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf64>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{base and result element type should match}}
  %10 = vector.gather %m1[%n] [%ix], %mask, %w : memref<?xf64>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{requires 1 indices}}
  %10 = vector.gather %m1[%n, %n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<7xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected result dim to match indices dim}}
  %10 = vector.gather %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<7xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<7xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected result dim to match mask dim}}
  %10 = vector.gather %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<7xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<7xf32>) {
  // expected-error @+1 {{expected pass_thru of same type as result type}}
  %10 = vector.gather %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<8xi1>, vector<7xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf64>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{base and valueToStore element type should match}}
  vector.scatter %m1[%n] [%ix], %mask, %w : memref<?xf64>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<7xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected valueToStore dim to match indices dim}}
  vector.scatter %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<7xi32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<7xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected valueToStore dim to match mask dim}}
  vector.scatter %m1[%n] [%ix], %mask, %w : memref<?xf32>, vector<8xi32>, vector<7xi1>, vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<7xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected valueToStore dim to match mask dim}}
  vector.compressstore %m1[%n], %mask, %w : memref<?xf32>, vector<7xi1>, vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf64>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{base and valueToStore element type should match}}
  vector.compressstore %m1[%n], %mask, %w : memref<?xf64>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{requires 1 indices}}
  vector.compressstore %m1[%n, %n], %mask, %w : memref<?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf64>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{base and result element type should match}}
  %5 = vector.expandload %m1[%n], %mask, %w : memref<?xf64>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<7xi1>, %w: vector<8xf32>) {
  // expected-error @+1 {{expected result dim to match mask dim}}
  %5 = vector.expandload %m1[%n], %mask, %w : memref<?xf32>, vector<7xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%m1: memref<?xf32>, %n: index, %ix: vector<8xi32>, %mask: vector<8xi1>, %w: vector<7xf32>) {
  // expected-error @+1 {{expected pass_thru of same type as result type}}
  %5 = vector.expandload %m1[%n], %mask, %w : memref<?xf32>, vector<8xi1>, vector<7xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32) {
  // expected-error @+1 {{expected an indexing map for each vector operand}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"]} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32) {
  // expected-error @+1 {{expected indexing map 0 to have no symbols}}
  %r = vector.contract {indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32) {
  // expected-error @+1 {{expected indexing map 0 to have 1 number of inputs}}
  %r = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32) {
  // expected-error @+1 {{expected indexing map 0 to have 1 number of outputs}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32) {
  // expected-error @+1 {{expected indexing map 0 to be a projected permutation of its inputs}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %u: vector<7xf32>) {
  // expected-error @+1 {{invalid contracting dimension map}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %w, %u, %x : vector<8xf32>, vector<7xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %u: vector<7xf32>) {
  // expected-error @+1 {{expected at least one contracting dimension pair}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} %w, %w, %w : vector<8xf32>, vector<8xf32> into vector<8xf32>
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %u: vector<4x8xf32>, %y: vector<5xf32>) {
  // expected-error @+1 {{invalid accumulator/result vector shape, expected: 'vector<4xf32>'}}
  %r = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} %u, %w, %y : vector<4x8xf32>, vector<8xf32> into vector<5xf32>
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32) {
  // expected-error @+1 {{unsupported contraction type}}
  %r = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<and>} %w, %w, %x : vector<8xf32>, vector<8xf32> into f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %mask: vector<8xi1>) {
  // expected-error @+1 {{expects a MaskableOpInterface within the mask region}}
  %11 = vector.mask %mask { arith.addf %w, %w : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %mask: vector<7xi1>) {
  // expected-error @+1 {{expects a 'vector<8xi1>' mask for the maskable operation}}
  %11 = vector.mask %mask { vector.reduction <add>, %w : vector<8xf32> into f32 } : vector<7xi1> -> f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %mask: vector<8xi1>) {
  // expected-error @+1 {{expects result type to match maskable operation result type}}
  %11 = vector.mask %mask { vector.reduction <add>, %w : vector<8xf32> into f32 } : vector<8xi1> -> f64
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %mask: vector<8xi1>) {
  // expected-error @+1 {{doesn't expect a passthru argument for this maskable operation}}
  %11 = vector.mask %mask, %x { vector.reduction <add>, %w : vector<8xf32> into f32 } : vector<8xi1> -> f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %mask: vector<8xi1>) {
  // expected-error @+1 {{expects only one operation to mask}}
  %11 = vector.mask %mask { 
    %a = vector.reduction <add>, %w : vector<8xf32> into f32
    %b = vector.reduction <add>, %w : vector<8xf32> into f32
    vector.yield %b : f32
  } : vector<8xi1> -> f32
  return
}

// -----

func.func @f(%w: vector<8xf32>, %x: f32, %mask: vector<8xi1>) {
  // expected-error @+1 {{expects number of results to match mask region yielded values}}
  vector.mask %mask { 
    %b = vector.reduction <add>, %w : vector<8xf32> into f32
    vector.yield %b : f32
  } : vector<8xi1>
  return
}
