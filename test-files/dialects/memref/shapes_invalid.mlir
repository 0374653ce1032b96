// test: opt --split-input-file --verify-diagnostics

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error @+1 {{too few indices}}
  memref.prefetch %m[%i], read, locality<1>, data : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{alignment must be power of 2}}
  %a = memref.assume_alignment %m, 12 : memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{are cast incompatible}}
  %a = memref.memory_space_cast %m : memref<8x16xf32> to memref<8x8xf32, 3>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{collapsed dim size (127) must equal reassociation group size (128)}}
  %a = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32> into memref<127xf32>
  return
}

// -----

func.func @f(%m: memref<?x16xf32>) {
  // expected-error @+1 {{collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %a = memref.collapse_shape %m [[0, 1]] : memref<?x16xf32> into memref<127xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32, strided<[32, 1]>>) {
  // expected-error @+1 {{invalid source layout map or collapsing non-contiguous dims}}
  %a = memref.collapse_shape %m [[0, 1]] : memref<8x16xf32, strided<[32, 1]>> into memref<128xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32, strided<[32, 1]>>) {
  // expected-error @+1 {{expected expanded type to be 'memref<2x4x16xf32, strided<[128, 32, 1]>>' but found 'memref<2x4x16xf32>'}}
  %a = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32, strided<[32, 1]>> into memref<2x4x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{is not equivalent to the canonical transposed input type}}
  %a = memref.transpose %m (i, j) -> (j, i) : memref<8x16xf32> to memref<16x8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %s: memref<3xi32>) {
  // expected-error @+1 {{length of shape operand differs from the result's memref rank}}
  %a = memref.reshape %m(%s) : (memref<8x16xf32>, memref<3xi32>) -> memref<?x?xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %s: memref<2xi32>) {
  // expected-error @+1 {{element types of source and destination memref types should be the same}}
  %a = memref.reshape %m(%s) : (memref<8x16xf32>, memref<2xi32>) -> memref<?x?xi32>
  return
}

// -----

func.func @f(%m: memref<2048xi8>, %i: index) {
  // expected-error @+1 {{incorrect number of dynamic sizes, has 0, expected 1}}
  %a = memref.view %m[%i][] : memref<2048xi8> to memref<?x4xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>) {
  // expected-error @+1 {{missing dimension operand for result type 'memref<?xf32>'}}
  %a = memref.realloc %m : memref<64xf32> to memref<?xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %n: index) {
  // expected-error @+1 {{unnecessary dimension operand for result type 'memref<8xf32>'}}
  %a = memref.realloc %m(%n) : memref<64xf32> to memref<8xf32>
  return
}

// -----

func.func @f(%m: memref<64xf32>, %t: memref<1xi32>, %n: index) {
  // expected-error @+1 {{expected two stride related operands}}
  memref.dma_start %m[%n], %m[%n], %n, %t[%n], %n : memref<64xf32>, memref<64xf32>, memref<1xi32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>) {
  // expected-error @+1 {{collapsed dim size (8) must equal reassociation group size (10)}}
  %a = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 5, 16] : memref<8x16xf32> into memref<2x5x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error @+1 {{collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %a = memref.expand_shape %m [[0, 1], [2]] output_shape [%n, 5, 16] : memref<8x16xf32> into memref<?x5x16xf32>
  return
}

// -----

func.func @f(%m: memref<?x16xf32>, %n: index) {
  // expected-error @+1 {{collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %a = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 5, 16] : memref<?x16xf32> into memref<3x5x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error @+1 {{invalid number of reassociation groups: found 1, expected 2}}
  %a = memref.expand_shape %m [[0, 1]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error @+1 {{collapsed dim size (8) must equal reassociation group size (2)}}
  %a = memref.expand_shape %m [[0], [1]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error @+1 {{reassociation indices must be contiguous}}
  %a = memref.expand_shape %m [[0,2], [1]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %n: index) {
  // expected-error @+1 {{invalid output shape provided at pos 1}}
  %a = memref.expand_shape %m [[0,1], [2]] output_shape [2, %n, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  return
}
