// Views of arrays are pointers with strides of their own; whole arrays are read as such.
// test: opt --emit=hls

// A function from elsewhere is one of C.
func.func private @elsewhere(%x: f32) -> f32
// check: extern "C" float elsewhere(float);

func.func @external(%x: f32) -> f32 {
  %y = func.call @elsewhere(%x) : (f32) -> f32
  return %y : f32
}

func.func @views(%A: memref<8x8xf32>, %C: memref<8x8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1, 1>} : memref<8x8xf32>
  %v = memref.subview %t[1, 1] [4, 4] [1, 2] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 2], offset: 9>>
  %w = memref.transpose %t (d0, d1) -> (d1, d0) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %a = memref.load %A[%i, %j] : memref<8x8xf32>
      memref.store %a, %v[%i, %j] : memref<4x4xf32, strided<[8, 2], offset: 9>>
      %b = memref.load %w[%i, %j] : memref<8x8xf32, strided<[1, 8]>>
      %c = memref.load %t[%i, %j] : memref<8x8xf32>
      %d = arith.addf %b, %c : f32
      memref.store %d, %C[%i, %j] : memref<8x8xf32>
    }
  }
  return
}
// check: float t[8][8];
// next: float *t_flat = &t[0][0];
// next: float *v = t_flat + 9;
// next: float *t_flat_1 = &t[0][0];
// check: v[i * 8 + j * 2] = A[i * 8 + j];
// next: C[i * 8 + j] = t_flat_1[i + j * 8] + t[i][j];

// A function that takes a pointer gets one.
func.func private @filled(%m: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  memref.store %z, %m[%c0, %c0] : memref<4x4xf32>
  return
}

func.func @calls(%C: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1, 1>} : memref<4x4xf32>
  func.call @filled(%t) : (memref<4x4xf32>) -> ()
  %a = memref.load %t[%c0, %c0] : memref<4x4xf32>
  memref.store %a, %C[%c0, %c0] : memref<4x4xf32>
  return
}
// check: float t[4][4];
// next: float *t_flat = &t[0][0];
// next: filled(t_flat);
