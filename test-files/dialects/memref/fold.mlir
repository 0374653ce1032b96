// test: opt --pipeline="func.func(canonicalize,cse)"

func.func @dim(%m: memref<4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.dim %m, %c0 : memref<4x?xf32>
  %b = memref.dim %m, %c1 : memref<4x?xf32>
  return %a, %b : index, index
}
// check: func.func @dim
// check: arith.constant 4 : index
// check: memref.dim %m
// not: memref.dim
// check: return

// A read is shared only as long as nobody may have written.
func.func @reads(%m: memref<4xf32>, %i: index, %x: f32) -> (f32, f32, f32) {
  %a = memref.load %m[%i] : memref<4xf32>
  %b = memref.load %m[%i] : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %c = memref.load %m[%i] : memref<4xf32>
  return %a, %b, %c : f32, f32, f32
}
// check: func.func @reads
// next: %a = memref.load
// next: memref.store
// next: %c = memref.load
// next: return %a, %a, %c
