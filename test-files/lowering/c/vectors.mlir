// test: opt --emit=openmp

// Vectors are GNU vectors; what the language has no operator for is a function with a loop over lanes.
func.func @row(%A: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %v = vector.broadcast %x : f32 to vector<8xf32>
  scf.for %i = %c0 to %n step %c8 {
    %rest = arith.subi %n, %i : index
    %m = vector.create_mask %rest : vector<8xi1>
    %a = vector.maskedload %A[%i], %m, %zero : memref<?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %b = arith.mulf %a, %v : vector<8xf32>
    %c = arith.maximumf %b, %zero : vector<8xf32>
    %d = vector.fma %c, %v, %b : vector<8xf32>
    vector.maskedstore %A[%i], %m, %d : memref<?xf32>, vector<8xi1>, vector<8xf32>
  }
  return
}
// check: typedef float f32x8 __attribute__((vector_size(32)));
// check: f32x8 terrace_max_f32x8(f32x8 a, f32x8 b) {
// next: #ifdef __AVX__
// next: f32x8 r = _mm256_max_ps(a, b);
// check: return _mm256_blendv_ps(r, a + b, _mm256_cmp_ps(a, b, _CMP_UNORD_Q));
// next: #else
// check: bits first = a > b, same = a == b, p = (bits)a, q = (bits)b;
// check: void row(float *A, int64_t A_size0, int64_t n, float x) {
// check: f32x8 v = terrace_splat_f32x8(x);
// next: for (int64_t i = 0; i < n; i += 8) {
// next: i1x8 m = terrace_mask_8(n - i);
// next: f32x8 b = terrace_maskedload_f32x8(&A[i], m, zero) * v;
// next: terrace_maskedstore_f32x8(&A[i], m, terrace_fma_f32x8(terrace_max_f32x8(b, zero), v, b));
// next: }
// next: }
