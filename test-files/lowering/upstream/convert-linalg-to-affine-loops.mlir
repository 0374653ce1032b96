// test: opt --pipeline="func.func(convert-linalg-to-affine-loops)"

// A product of odd sizes, and rows of a generic op that asks for its place.
func.func @product() -> (f32, f32, index) {
  %a = memref.alloc() : memref<3x5xf32>
  %b = memref.alloc() : memref<5x2xf32>
  %c = memref.alloc() : memref<3x2xf32>
  %t = memref.alloc() : memref<2x3xindex>
  %two = arith.constant 2.0 : f32
  %half = arith.constant 0.5 : f32
  linalg.fill ins(%two : f32) outs(%a : memref<3x5xf32>)
  linalg.fill ins(%half : f32) outs(%b : memref<5x2xf32>)
  linalg.fill ins(%half : f32) outs(%c : memref<3x2xf32>)
  linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x2xf32>) outs(%c : memref<3x2xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%c : memref<3x2xf32>) outs(%t : memref<2x3xindex>) {
  ^bb0(%x: f32, %y: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ten = arith.constant 10 : index
    %k = arith.muli %i, %ten : index
    %l = arith.addi %k, %j : index
    linalg.yield %l : index
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = memref.load %c[%c0, %c0] : memref<3x2xf32>
  %q = memref.load %c[%c2, %c1] : memref<3x2xf32>
  %r = memref.load %t[%c1, %c2] : memref<2x3xindex>
  return %p, %q, %r : f32, f32, index
}
// check: func.func @product
// not: linalg.
// check: return
// eval: @product() == (5.5, 5.5, 21)

// What is on tensors stays.
func.func @tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// check: func.func @tensors
// next: linalg.add

// No dimension at all: no loop.
func.func @scalar(%a: memref<f32>, %b: memref<f32>) {
  linalg.exp ins(%a : memref<f32>) outs(%b : memref<f32>)
  return
}
// check: func.func @scalar
// next: affine.load %a[]
// next: math.exp
// next: affine.store

// The size of a buffer that is chosen inside of a loop is no symbol: that op stays.
func.func @no_symbol(%m: memref<?x?xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.subview %m[%i, 0] [%i, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
    linalg.fill ins(%x : f32) outs(%v : memref<?x4xf32, strided<[?, 1], offset: ?>>)
  }
  linalg.fill ins(%x : f32) outs(%m : memref<?x?xf32>)
  return
}
// check: func.func @no_symbol
// check: scf.for
// check: linalg.fill
// check: affine.for
// next: affine.for
// next: affine.store
