// test: opt --split-input-file --verify-diagnostics

func.func @no_expansion(%m: memref<2x2xf32>) {
  // expected-error @+1 {{has source rank 2 and result rank 1. This is not an expansion (2 > 1).}}
  %r = memref.expand_shape %m [[0]] output_shape [4] : memref<2x2xf32> into memref<4xf32>
  return
}

// -----
func.func @no_collapse(%m: memref<4xf32>) {
  // expected-error @+1 {{This is not a collapse (1 < 2).}}
  %r = memref.collapse_shape %m [[0, 1]] : memref<4xf32> into memref<2x2xf32>
  return
}

// -----
func.func @output_rank(%m: memref<4xf32>) {
  // expected-error @+1 {{expected number of static shape dims to be equal to the output rank (2)}}
  %r = memref.expand_shape %m [[0, 1]] output_shape [4] : memref<4xf32> into memref<2x2xf32>
  return
}

// -----
func.func @output_dynamic(%m: memref<?xf32>) {
  // expected-error @+1 {{static_output_shape has 1 dynamic dims while output_shape has 0 values}}
  %r = "memref.expand_shape"(%m) <{reassociation = [[0, 1]], static_output_shape = array<i64: -9223372036854775808, 2>}> : (memref<?xf32>) -> memref<?x2xf32>
  return
}

// -----
func.func @collapsed(%m: memref<4x5xf32>) {
  // expected-error @+1 {{expected collapsed type to be 'memref<20xf32>' but found}}
  %r = memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<20xf32, strided<[2]>>
  return
}

// -----
func.func @no_dimensions(%m: memref<f32>) {
  // expected-error @+1 {{a type without dimensions stands for sizes of one only}}
  %r = memref.expand_shape %m [] output_shape [2] : memref<f32> into memref<2xf32>
  return
}

// -----
func.func @beyond(%m: memref<4x5xf32>) {
  // expected-error @+1 {{index 2 is out of bounds}}
  %r = memref.collapse_shape %m [[0, 1, 2]] : memref<4x5xf32> into memref<20xf32>
  return
}

// -----
func.func @empty_group(%m: memref<4x5xf32>) {
  // expected-error @+1 {{reassociation indices must not be empty}}
  %r = memref.collapse_shape %m [[0, 1], []] : memref<4x5xf32> into memref<20x1xf32>
  return
}

// -----
func.func @left_over(%m: memref<4x5xf32>) {
  // expected-error @+1 {{expected reassociation indices of all dimensions of the expanded type}}
  %r = memref.collapse_shape %m [[0]] : memref<4x5xf32> into memref<4xf32>
  return
}

// -----
func.func @no_permutation(%m: memref<4x5xf32>) {
  // expected-error @+1 {{expected a permutation map}}
  %r = memref.transpose %m (d0, d1) -> (d0, d0) : memref<4x5xf32> to memref<4x4xf32>
  return
}

// -----
func.func @permutation_rank(%m: memref<4x5xf32>) {
  // expected-error @+1 {{expected a permutation map of same rank as the input}}
  %r = memref.transpose %m (d0) -> (d0) : memref<4x5xf32> to memref<4xf32>
  return
}

// -----
func.func @transposed(%m: memref<4x5xf32>) {
  // expected-error @+1 {{is not equivalent to the canonical transposed input type}}
  %r = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x5xf32> to memref<5x4xf32>
  return
}

// -----
func.func @reshape_source(%m: memref<4xf32, strided<[2]>>, %s: memref<1xindex>) {
  // expected-error @+1 {{source memref type should have identity affine map}}
  %r = memref.reshape %m(%s) : (memref<4xf32, strided<[2]>>, memref<1xindex>) -> memref<4xf32>
  return
}

// -----
func.func @reshape_result(%m: memref<4xf32>, %s: memref<1xindex>) {
  // expected-error @+1 {{result memref type should have identity affine map}}
  %r = memref.reshape %m(%s) : (memref<4xf32>, memref<1xindex>) -> memref<4xf32, strided<[2]>>
  return
}

// -----
func.func @reshape_dynamic(%m: memref<4xf32>, %s: memref<?xindex>) {
  // expected-error @+1 {{cannot use shape operand with dynamic length to reshape to statically-ranked memref type}}
  %r = memref.reshape %m(%s) : (memref<4xf32>, memref<?xindex>) -> memref<4xf32>
  return
}

// -----
func.func @view_layout(%m: memref<64xi8>, %n: index) {
  // expected-error @+1 {{unsupported map for result memref type}}
  %r = memref.view %m[%n][] : memref<64xi8> to memref<4xf32, strided<[2]>>
  return
}

// -----
func.func @view_base(%m: memref<64xi8, strided<[2]>>, %n: index) {
  // expected-error @+1 {{unsupported map for base memref type}}
  %r = memref.view %m[%n][] : memref<64xi8, strided<[2]>> to memref<4xf32>
  return
}

// -----
func.func @view_space(%m: memref<64xi8>, %n: index) {
  // expected-error @+1 {{different memory spaces specified for base memref type}}
  %r = memref.view %m[%n][] : memref<64xi8> to memref<4xf32, 3>
  return
}

// -----
func.func @realloc_layout(%m: memref<4xf32, strided<[2]>>) {
  // expected-error @+1 {{unsupported layout for source memref type}}
  %r = memref.realloc %m : memref<4xf32, strided<[2]>> to memref<8xf32>
  return
}

// -----
func.func @realloc_space(%m: memref<4xf32>) {
  // expected-error @+1 {{different memory spaces specified for source memref type}}
  %r = memref.realloc %m : memref<4xf32> to memref<8xf32, 3>
  return
}

// -----
func.func @realloc_elements(%m: memref<4xf32>) {
  // expected-error @+1 {{different element types specified for source memref type}}
  %r = memref.realloc %m : memref<4xf32> to memref<8xi32>
  return
}

// -----
func.func @distinct() {
  // expected-error @+1 {{expected at least one operand}}
  "memref.distinct_objects"() : () -> ()
  return
}

// -----
func.func @distinct_types(%m: memref<4xf32>) {
  // expected-error @+1 {{operand types and result types must match}}
  %r = "memref.distinct_objects"(%m) : (memref<4xf32>) -> memref<?xf32>
  return
}

// -----
func.func @rmw_argument(%m: memref<4xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{expected single number of entry block arguments}}
  %r = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%a: f32, %b: f32):
    memref.atomic_yield %a : f32
  }
  return
}

// -----
func.func @rmw_type(%m: memref<4xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{expected block argument of the same type result type}}
  %r = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%a: i32):
    memref.atomic_yield %x : f32
  }
  return
}

// -----
func.func @rmw_effects(%m: memref<4xf32>, %i: index) {
  %r = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{has effects, which the body of 'memref.generic_atomic_rmw' must not have}}
    memref.store %a, %m[%i] : memref<4xf32>
    memref.atomic_yield %a : f32
  }
  return
}

// -----
func.func @rmw_yield(%m: memref<4xf32>, %i: index, %x: i32) {
  %r = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{types mismatch between yield op: 'i32' and its parent: 'f32'}}
    memref.atomic_yield %x : i32
  }
  return
}

// -----
func.func @dma(%m: memref<4xf32>) {
  // expected-error @+1 {{expected at least 4 operands}}
  "memref.dma_start"(%m) : (memref<4xf32>) -> ()
  return
}

// -----
func.func @dma_wait(%m: memref<4xi32>, %n: index) {
  // expected-error @+1 {{expected tagIndices to have the same number of elements as the tagMemRef rank, expected 1, but got 2}}
  memref.dma_wait %m[%n, %n], %n : memref<4xi32>
  return
}
