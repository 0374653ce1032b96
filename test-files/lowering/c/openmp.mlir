// test: opt --emit=openmp
// snapshot:

// Names of the author, loops as people write them, a pragma around the outermost parallel loop.
func.func @matmul(%A: memref<16x32xf32>, %B: memref<32x?xf32>, %C: memref<16x?xf32, strided<[?, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %B, %c1 : memref<32x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %n) step (%c1, %c1) {
    %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%acc = %zero) -> (f32) {
      %a = memref.load %A[%i, %k] : memref<16x32xf32>
      %b = memref.load %B[%k, %j] : memref<32x?xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %C[%i, %j] : memref<16x?xf32, strided<[?, 1], offset: ?>>
    scf.reduce
  }
  return
}
// check: // Compile with -std=gnu11 -fopenmp -ffp-contract=off
// check: struct buffer_f32_2d {
// check: void matmul(
// next: const float *A, const float *B, int64_t B_size1, float *C, int64_t C_size1,
// next: int64_t C_stride0) {
// next: #pragma omp parallel for collapse(2)
// next: for (int64_t i = 0; i < 16; i++)
// next: for (int64_t j = 0; j < B_size1; j++) {
// next: float acc = 0.0f;
// next: for (int64_t k = 0; k < 32; k++) {
// next: acc = acc + A[i * 32 + k] * B[k * B_size1 + j];
// next: }
// next: C[i * C_stride0 + j] = acc;
// next: }
// next: }

// What is reduced is combined in the order of the iterations.
func.func @dot(%x: memref<?xf64>, %y: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
    %a = memref.load %x[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf64>
    %p = arith.mulf %a, %b : f64
    scf.reduce(%p : f64) {
    ^bb0(%u: f64, %v: f64):
      %s = arith.addf %u, %v : f64
      scf.reduce.return %s : f64
    }
  }
  return %r : f64
}
// check: double dot(const double *x, int64_t x_size0, const double *y, int64_t y_size0) {
// next: double r = 0.0;
// next: double *r_parts = terrace_allocate(x_size0 * sizeof(double), 64);
// next: #pragma omp parallel for
// next: for (int64_t i = 0; i < x_size0; i++) {
// next: r_parts[i] = x[i] * y[i];
// next: }
// next: for (int64_t i = 0; i < x_size0; i++) {
// next: r = r + r_parts[i];
// next: }
// next: free(r_parts);
// next: return r;
// next: }

// Of integers any order gives the same.
func.func @most(%x: memref<?x4xi32>, %start: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?x4xi32>
  %sum, %top = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c4) step (%c1, %c1) init (%start, %start) -> (i32, i32) {
    %a = memref.load %x[%i, %j] : memref<?x4xi32>
    scf.reduce(%a, %a : i32, i32) {
    ^bb0(%u: i32, %v: i32):
      %s = arith.addi %u, %v : i32
      scf.reduce.return %s : i32
    }, {
    ^bb0(%u: i32, %v: i32):
      %s = arith.maxsi %u, %v : i32
      scf.reduce.return %s : i32
    }
  }
  return %sum, %top : i32, i32
}
// check: void most(
// next: int32_t sum = start;
// next: int32_t top = start;
// next: #pragma omp parallel for collapse(2) reduction(+:sum) reduction(max:top)
// next: for (int64_t i = 0; i < x_size0; i++)
// next: for (int64_t j = 0; j < 4; j++) {
// next: int32_t a = x[i * 4 + j];
// next: sum = (int32_t)((uint32_t)sum + a);
// next: top = terrace_max_i32(top, a);
// next: }

// Overflow wraps; where it cannot happen nothing is cast.
func.func private @ints(%x: i32, %int: i32) -> (i32, i32) {
  %c3 = arith.constant 3 : i32
  %low = arith.andi %int, %c3 : i32
  %small = arith.muli %low, %c3 : i32
  %sum = arith.addi %x, %int : i32
  return %small, %sum : i32, i32
}
func.func @double(%x: i32) -> i32 {
  %r:2 = call @ints(%x, %x) : (i32, i32) -> (i32, i32)
  %s = arith.xori %r#0, %r#1 : i32
  return %s : i32
}
// check: static void ints(int32_t x, int32_t int_1, int32_t *result0, int32_t *result1) {
// next: *result0 = (int_1 & 3) * 3;
// next: *result1 = (int32_t)((uint32_t)x + int_1);
// next: }
// check: int32_t double_1(int32_t x) {
// next: int32_t r0;
// next: int32_t r1;
// next: ints(x, x, &r0, &r1);
// next: return r0 ^ r1;
// next: }

// Promises of the author are kept: names, and that nobody else points there.
func.func @twice(%arg0: memref<8xf32> {llvm.noalias, terrace.name = "x"}, %arg1: memref<8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %arg0[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %arg1[%i] : memref<8xf32>
  }
  return
}
// check: void twice(const float *restrict x, float *restrict arg1) {
// next: for (int64_t i = 0; i < 8; i++) {
// next: float a = x[i];
// next: arg1[i] = a + a;
// check: void _mlir_ciface_matmul(struct buffer_f32_2d *A, struct buffer_f32_2d *B, struct buffer_f32_2d *C) {
// next: matmul(A->aligned + A->offset, B->aligned + B->offset, B->sizes[1], C->aligned + C->offset, C->sizes[1], C->strides[0]);
// next: }
// check: int32_t _mlir_ciface_double(int32_t x) {
// next: return double_1(x);
// next: }
