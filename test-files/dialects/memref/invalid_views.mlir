// Views whose type says something else than their op.
// test: opt --split-input-file --verify-diagnostics

func.func @offset(%m: memref<8x8xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<2x2xf32, strided<[8, 1], offset: 9>>' or a rank-reduced version (mismatch of result layout)}}
  %s = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1], offset: 8>>
  return
}

// -----

func.func @strides(%m: memref<8x8xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<2x2xf32, strided<[16, 1]>>'}}
  %s = memref.subview %m[0, 0] [2, 2] [2, 1] : memref<8x8xf32> to memref<2x2xf32, strided<[8, 1]>>
  return
}

// -----

func.func @size(%m: memref<8x8xf32>) {
  // expected-error @+1 {{'memref<2x2xf32, strided<[8, 1]>>' or a rank-reduced version (mismatch of result sizes)}}
  %s = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x3xf32, strided<[8, 1]>>
  return
}

// -----

func.func @elements(%m: memref<8x8xf32>) {
  // expected-error @+1 {{expected result element type to be 'f32'}}
  %s = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<8x8xf32> to memref<2x2xf64, strided<[8, 1]>>
  return
}

// -----

func.func @outside(%m: memref<8xf32>) {
  // expected-error @+1 {{slice along dimension 0 runs out-of-bounds: 8 >= 8}}
  %s = memref.subview %m[6] [3] [1] : memref<8xf32> to memref<3xf32, strided<[1], offset: 6>>
  return
}

// -----

func.func @transposed(%m: memref<4x6xf32>) {
  // expected-error @+1 {{result type 'memref<6x4xf32>' is not equivalent to the canonical transposed input type}}
  %t = memref.transpose %m (i, j) -> (j, i) : memref<4x6xf32> to memref<6x4xf32>
  return
}

// -----

func.func @collapsed(%m: memref<4x6xf32, strided<[12, 1]>>) {
  // expected-error @+1 {{invalid source layout map or collapsing non-contiguous dims}}
  %c = memref.collapse_shape %m [[0, 1]] : memref<4x6xf32, strided<[12, 1]>> into memref<24xf32>
  return
}

// -----

func.func @expanded(%m: memref<24xf32>) {
  // expected-error @+1 {{collapsed dim size (24) must equal reassociation group size (20)}}
  %e = memref.expand_shape %m [[0, 1]] output_shape [4, 5] : memref<24xf32> into memref<4x5xf32>
  return
}

// -----

func.func @cast_of_sizes(%m: memref<4xf32>) {
  // expected-error @+1 {{cast incompatible}}
  %c = memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @load_indices(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{expects as many indices as the rank of the memref, 2, but found 1}}
  %x = memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @index_type(%m: memref<4xf32>, %i: i64) {
  // expected-error @+1 {{`%i` has type i64, used here as index}}
  %x = memref.load %m[%i] : memref<4xf32>
  return
}

// -----

func.func @stored_type(%m: memref<4xf32>, %i: index, %x: f64) {
  // expected-error @+1 {{`%x` has type f64, used here as f32}}
  memref.store %x, %m[%i] : memref<4xf32>
  return
}

// -----

func.func @copied(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @+1 {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %a, %b : memref<4xf32> to memref<5xf32>
  return
}

// -----

func.func @sizes_of_alloc(%n: index) {
  // expected-error @+1 {{dimension operand count does not equal memref dynamic dimension count}}
  %m = memref.alloc(%n) : memref<4xf32>
  return
}

// -----

func.func @no_such_global() {
  // expected-error @+1 {{'nothing' does not reference a valid global memref}}
  %m = memref.get_global @nothing : memref<4xf32>
  return
}

// -----

func.func @kind(%m: memref<4xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{with kind 'addi' expects an integer type}}
  %r = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
