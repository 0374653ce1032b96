// test: opt --split-input-file --verify-diagnostics

func.func @sizes() {
  // expected-error @+1 {{dimension operand count does not equal memref dynamic dimension count}}
  %a = memref.alloc() : memref<?xf32>
  return
}

// -----

func.func @indices(%m: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{expects as many indices as the rank of the memref, 2, but found 1}}
  %x = memref.load %m[%i] : memref<4x4xf32>
  return
}

// -----

func.func @element(%m: memref<4xf32>, %i: index, %x: f64) {
  // expected-error @+1 {{[E0103]: 'memref.store' op requires the element type of the first for the second of `memref` and `value`}}
  "memref.store"(%x, %m, %i) : (f64, memref<4xf32>, index) -> ()
  return
}

// -----

func.func @cast(%m: memref<4xf32>) {
  // expected-error @+1 {{are cast incompatible}}
  %n = memref.cast %m : memref<4xf32> to memref<8xf32>
  return
}

// -----

func.func @layout(%m: memref<8x8xf32>) {
  // expected-error @+1 {{expected result type to be 'memref<4x4xf32, strided<[8, 1]>>' or a rank-reduced version (mismatch of result layout)}}
  %v = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32>
  return
}

// -----

func.func @outside(%m: memref<8x8xf32>) {
  // expected-error @+1 {{slice along dimension 1 runs out-of-bounds: 8 >= 8}}
  %v = memref.subview %m[0, 5] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 5>>
  return
}

// -----

func.func @reading(%m: memref<8x8xf32>) {
  // expected-error @+1 {{expected result type with size = 4 instead of 8 in dim = 0}}
  %v = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8x8xf32> to memref<8xf32>
  return
}

// -----

// expected-error @+1 {{initial value shape expected to be 4 but was 2}}
"memref.global"() <{sym_name = "g", type = memref<4xf32>, initial_value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> ()

// -----

func.func @no_global() {
  // expected-error @+1 {{'g' does not reference a valid global memref}}
  %g = memref.get_global @g : memref<4xf32>
  return
}

// -----

func.func @kind(%m: memref<4xf32>, %i: index, %x: f32) {
  // expected-error @+1 {{with kind 'addi' expects an integer type}}
  %g = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}

// -----

func.func @body(%m: memref<4xf32>, %i: index, %x: f32) {
  %g = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%old: f32):
    // expected-error @+1 {{has effects}}
    memref.store %x, %m[%i] : memref<4xf32>
    memref.atomic_yield %x : f32
  }
  return
}
