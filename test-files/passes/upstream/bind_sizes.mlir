// test: opt --pipeline="func.func(bind-sizes{sizes=A=4x6,B=?x5,n=4})"
// Sizes of arguments, and what follows from them.

func.func @mm(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf32>
  %n = tensor.dim %B, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
// check: func.func @mm(%A: tensor<4x6xf32>, %B: tensor<6x5xf32>) -> tensor<4x5xf32>
// check-not: tensor.dim
// check: %e = tensor.empty() : tensor<4x5xf32>
// check: linalg.matmul ins(%A, %B : tensor<4x6xf32>, tensor<6x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>

func.func @mem(%A: memref<?x6xf32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<?xf32>)
  linalg.matvec ins(%A, %x : memref<?x6xf32>, memref<?xf32>) outs(%t : memref<?xf32>)
  linalg.exp ins(%t : memref<?xf32>) outs(%y : memref<?xf32>)
  memref.dealloc %t : memref<?xf32>
  return
}
// check: func.func @mem(%A: memref<4x6xf32>, %x: memref<6xf32>, %y: memref<4xf32>, %n: index)
// check: %t = memref.alloc() : memref<4xf32>
// check: linalg.exp ins(%t : memref<4xf32>) outs(%y : memref<4xf32>)

// What is not known here keeps its type; sizes that are half known stay open.
func.func @half(%A: memref<?x?xf32>, %m: index) -> memref<?x?xf32> {
  %p = memref.subview %A[0, 0] [2, 2] [1, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1]>>
  %c1 = arith.constant 1 : index
  %k = memref.dim %A, %c1 : memref<?x?xf32>
  %b = memref.alloc(%m, %k) : memref<?x?xf32>
  memref.copy %p, %p : memref<2x2xf32, strided<[?, 1]>> to memref<2x2xf32, strided<[?, 1]>>
  return %b : memref<?x?xf32>
}
// check: func.func @half(%A: memref<4x6xf32>, %m: index) -> memref<?x6xf32>
// check: %cast = memref.cast %A : memref<4x6xf32> to memref<?x?xf32>
// check: memref.subview %cast
// check: memref.alloc(%m) : memref<?x6xf32>
