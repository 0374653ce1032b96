// Products of matrices that a subgroup holds.
// test: round-trip

!a = !gpu.mma_matrix<4x2xf32, "AOp">
!b = !gpu.mma_matrix<2x4xf32, "BOp">
!c = !gpu.mma_matrix<4x4xf32, "COp">

// D = A B + 1 from A[i, k] = 10 i + k, B[k, j] = k - j; both with rows of 8 elements; D is written transposed.
func.func @product(%i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %A = memref.alloc() : memref<8x8xf32>
  %B = memref.alloc() : memref<8x8xf32>
  %D = memref.alloc() : memref<8x8xf32>
  scf.for %r = %c0 to %c8 step %c1 {
    scf.for %s = %c0 to %c8 step %c1 {
      %t = arith.muli %r, %c10 : index
      %u = arith.addi %t, %s : index
      %v = arith.index_cast %u : index to i32
      %w = arith.sitofp %v : i32 to f32
      memref.store %w, %A[%r, %s] : memref<8x8xf32>
      %x = arith.subi %r, %s : index
      %y = arith.index_cast %x : index to i32
      %z = arith.sitofp %y : i32 to f32
      memref.store %z, %B[%r, %s] : memref<8x8xf32>
    }
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %a = gpu.subgroup_mma_load_matrix %A[%c0, %c0] {leadDimension = 8 : index} : memref<8x8xf32> -> !a
    %b = gpu.subgroup_mma_load_matrix %B[%c0, %c0] {leadDimension = 8 : index} : memref<8x8xf32> -> !b
    %c = gpu.subgroup_mma_constant_matrix %one : !c
    %d = gpu.subgroup_mma_compute %a, %b, %c : !a, !b -> !c
    %e = gpu.subgroup_mma_elementwise addf %d, %c : (!c, !c) -> !c
    gpu.subgroup_mma_store_matrix %e, %D[%c4, %c4] {leadDimension = 8 : index, transpose} : !c, memref<8x8xf32>
    gpu.terminator
  }
  %k = arith.addi %i, %c4 : index
  %l = arith.addi %j, %c4 : index
  %r = memref.load %D[%k, %l] : memref<8x8xf32>
  return %r : f32
}
// Row 3, column 2 of the product: 30 * -2 + 31 * -1, and 2.
// eval: @product(2, 3) == -89.0
// eval: @product(0, 0) == 3.0
// eval: @product(0, 4) == trap E0308

// All threads ask for the same matrix.
func.func @different() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %A = memref.alloc() : memref<8x8xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %a = gpu.subgroup_mma_load_matrix %A[%tx, %tx] {leadDimension = 8 : index} : memref<8x8xf32> -> !a
    gpu.terminator
  }
  return
}
// eval: @different() == trap E0316 "ask for different matrices"

// Elements of a thread: all together they are the matrix, whoever holds which.
func.func @elements() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %out = memref.alloc() : memref<i32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %m = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<4x2xi32, "COp">
    %x = arith.index_cast %tx : index to i32
    %n = gpu.subgroup_mma_insert_thread_local %x, %m[%c0] : i32, !gpu.mma_matrix<4x2xi32, "COp"> -> !gpu.mma_matrix<4x2xi32, "COp">
    %y = gpu.subgroup_mma_extract_thread_local %n[%c0] : !gpu.mma_matrix<4x2xi32, "COp"> -> i32
    %s = gpu.subgroup_reduce add %y : (i32) -> i32
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %s, %out[] : memref<i32>
    }
    gpu.terminator
  }
  %r = memref.load %out[] : memref<i32>
  return %r : i32
}
// eval: @elements() == 28
