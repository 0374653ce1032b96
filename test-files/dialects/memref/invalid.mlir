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
