// Numbers in place of sizes: loops over them, and sizes that types give.
// test: opt --pipeline="func.func(bind-sizes{sizes=m=3x5},canonicalize)"

func.func @rows_and_columns(%m: memref<?x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.dim %m, %c0 : memref<?x?xf32>
  %b = memref.dim %m, %c1 : memref<?x?xf32>
  return %a, %b : index, index
}
// check: func.func @rows_and_columns(%m: memref<3x5xf32>)
// not: memref.dim
// check: %a = arith.constant 3 : index
// next: %b = arith.constant 5 : index
// next: return %a, %b
