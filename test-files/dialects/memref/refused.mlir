// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

func.func @f(%m: memref<8x8xf32>) {
  // expected-error@+1 {{'memref.subview' op expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed}}
  %s = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf32>) -> memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8x8xf32>) {
  // expected-error@+1 {{'memref.subview' op expected 2 offset values, got 1}}
  %s = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<8x8xf32>) -> memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{'memref.subview' op expected the number of 'offsets' to match the number of dynamic entries in 'static_offsets' (1 vs 0)}}
  %s = "memref.subview"(%m, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<8xf32>, index) -> memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.subview' op expected sizes to be non-negative, but got -4}}
  %s = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -4>, static_strides = array<i64: 1>}> : (memref<8xf32>) -> memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32, 1>) {
  // expected-error@+1 {{'memref.subview' op different memory spaces specified for base memref type 'memref<8xf32, 1>' and subview memref type 'memref<4xf32, 2>'}}
  %s = memref.subview %m[0] [4] [1] : memref<8xf32, 1> to memref<4xf32, 2>
  return
}

// -----

func.func @f(%m: memref<8x8xf32, affine_map<(d0, d1) -> (d0 + d1, d0 floordiv 2)>>) {
  // expected-error@+1 {{'memref.subview' op base type 'memref<8x8xf32, affine_map<(d0, d1) -> (d0 + d1, d0 floordiv 2)>>' is not strided}}
  %s = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x8xf32, affine_map<(d0, d1) -> (d0 + d1, d0 floordiv 2)>> to memref<4x4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.subview' op expected result element type to be 'f32', but got 'memref<4xf64>'}}
  %s = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf64>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.subview' op expected result rank to be smaller or equal to the source rank, but got 'memref<1x4xf32>'}}
  %s = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<1x4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.subview' op offset 0 is out-of-bounds: 9 >= 8}}
  %s = memref.subview %m[9] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 9>>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.reinterpret_cast' op different memory spaces specified for source type 'memref<8xf32>' and result memref type 'memref<4xf32, 2>'}}
  %s = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32, 2>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.reinterpret_cast' op different element types specified for source type 'memref<8xf32>' and result memref type 'memref<4xf64>'}}
  %s = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf64>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.reinterpret_cast' op expected result type with offset = 1 instead of 0}}
  %s = memref.reinterpret_cast %m to offset: [1], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.reinterpret_cast' op expected result type with stride = 2 instead of 1 in dim = 0}}
  %s = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>) {
  // expected-error@+1 {{'memref.reinterpret_cast' op expected 1 offset values, got 2}}
  %s = "memref.reinterpret_cast"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (memref<8xf32>) -> memref<4xf32>
  return
}

// -----

func.func @f(%m: memref<8xf32>, %x: f32) {
  // expected-error@+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %r = memref.atomic_rmw addf %x, %m[] : (f32, memref<8xf32>) -> f32
  return
}

// -----

func.func @f(%m: memref<8xi32>, %x: i32, %i: index) {
  // expected-error@+1 {{'memref.atomic_rmw' op with kind 'addf' expects a floating-point type}}
  %r = memref.atomic_rmw addf %x, %m[%i] : (i32, memref<8xi32>) -> i32
  return
}

// -----

// expected-error@+1 {{'memref.global' op attribute 'type' failed to satisfy constraint: memref type attribute}}
"memref.global"() <{sym_name = "g", type = i32}> : () -> ()

// -----

// expected-error@+1 {{'memref.global' op type should be static shaped memref, but got 'memref<?xi32>'}}
"memref.global"() <{sym_name = "g", type = memref<?xi32>}> : () -> ()

// -----

// expected-error@+1 {{'memref.global' op initial value should be a unit or elements attribute, but got something else}}
"memref.global"() <{sym_name = "g", type = memref<4xi32>, initial_value = 7 : i32}> : () -> ()

// -----

// expected-error@+1 {{'memref.global' op initial value element expected to be 'i32', but got 'i64'}}
"memref.global"() <{sym_name = "g", type = memref<4xi32>, initial_value = dense<1> : tensor<4xi64>}> : () -> ()

// -----

memref.global @g : memref<?xi32>
// expected-error@+1 {{type should be static shaped memref}}
func.func private @after()

// -----

memref.global @g : memref<4xi32>
func.func @f() {
  // expected-error@+1 {{'memref.get_global' op result type 'memref<5xi32>' does not match type 'memref<4xi32>' of the global memref @g}}
  %g = memref.get_global @g : memref<5xi32>
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<4xf64>) {
  // expected-error@+1 {{'memref.copy' op requires the same element type for all operands}}
  "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf64>) -> ()
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error@+1 {{'memref.copy' op requires the same shape for all operands}}
  "memref.copy"(%a, %b) : (memref<4xf32>, memref<5xf32>) -> ()
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
  %m = "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 0, 1>}> : (index) -> memref<4xf32>
  return
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{'memref.alloca' op dimension operand count does not equal memref dynamic dimension count}}
  %m = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<?xf32>
  return
}
