// test: round-trip

func.func @buffers(%n: index, %x: f32) -> (f32, index) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<4x?xf32>
  %b = memref.alloca() {alignment = 64 : i64} : memref<4x4xf32, 1>
  memref.store %x, %a[%c1, %c1] : memref<4x?xf32>
  %y = memref.load %a[%c1, %c1] : memref<4x?xf32>
  %d = memref.dim %a, %c1 : memref<4x?xf32>
  %e = memref.cast %a : memref<4x?xf32> to memref<*xf32>
  %f = memref.cast %e : memref<*xf32> to memref<?x?xf32>
  memref.copy %a, %f : memref<4x?xf32> to memref<?x?xf32>
  memref.dealloc %a : memref<4x?xf32>
  return %y, %d : f32, index
}
