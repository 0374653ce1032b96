// test: opt
// What follows from loops alone.
#include <math.h>
#define N 16
#define SQUARE(x) ((x) * (x))
enum { PAD = 1, HALF = N / 2 };

// Without the directive a reduction keeps its order (the paper: it is not parallelised).
void rows(float s[restrict N], const float x[N][N]) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      s[i] += SQUARE(x[i][k]);
}
// check: @rows
// check: mdh.compute "rows" (i in 16, k in 16 pw add source) {{.*}} outs([i] into %s.t)

// Steps and offsets go into the index functions; `if` around an update is a condition on points.
void taps(float *restrict y, const float *restrict x) {
#pragma mdh( y[i] : ++ , + ) order(free) name(fir)
  for (int i = 0; i < N; i++)
    for (int r = 1; r <= 5; r += 2)
      if (i - r >= 0)
        y[i] += x[i - r];
}
// check: @taps(%y: memref<16xf32> {llvm.noalias}, %x: memref<15xf32> {llvm.noalias})
// check: mdh.compute "fir" (i in 16, r in 3 pw add free) where -1 < i - 2 * r - 1 ins(%x.e = %x.t[i - 2 * r - 1]) outs([i])

// Elements outside are never looked at.
void pad(float y[restrict N], const float x[N]) {
  for (int i = 0; i < N; i++)
    y[i] = i >= PAD ? x[i - PAD] : 0.0f;
}
// check: @pad
// check: [i - 1] else 0.0
// check: arith.select

// Two outputs and a function of the file.
static float hat(float x) {
  float a = fabsf(x);
  if (a > 1.0f) return 0.0f;
  return 1.0f - a;
}
void both(double *total, float *peak, const float *restrict x) {
#pragma mdh( *total, *peak : (+, max) ) disjoint(total, peak) inout(peak)
  for (int i = 0; i < N; i++) {
    *total += hat(x[i]);
    if (hat(x[i]) > *peak) *peak = hat(x[i]);
  }
}
// check: @both(%total: memref<1xf64>, %peak: memref<1xf32>
// check: (i in 16 pw (add, max))
// not: func.func private @hat

// Triangles: bounds that follow from the loops around are conditions on a box.
void lower(float s[restrict N], const float x[N][N]) {
#pragma mdh( s[i] : ++ , + )
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      s[i] += x[i][j];
}
// check: @lower
// check: mdh.compute "lower" (i in 16, j in 16 pw add) where j < i + 1 ins(%x.e = %x.t[i, j]) outs([i])

// What lies outside keeps its old contents.
void upper(float C[restrict N][N], const float x[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      C[i][j] = x[j][i];
}
// check: @upper
// check: mdh.compute "upper" (i in 16, j in 15) where i < j + 1 ins(%x.e = %x.t[j + 1, i]) outs([i, j + 1] into %C.t)
