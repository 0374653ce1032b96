// test: opt
// Programs in the forms that people give them: what becomes a computation, and what threads take.
#include <math.h>
#define N 32
// check: memref.global "private" constant @table : memref<3xf32> = dense<[2.500000e-01, 5.000000e-01, 2.500000e-01]>

// An accumulator in a variable is the element that it is stored to.
void rowsum(const float A[restrict N][N], float y[restrict N]) {
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += A[i][j];
    y[i] = s;
  }
}
// check: @rowsum
// check-not: scf.for
// check: mdh.compute "rowsum" (i in 32, j in 32 pw add source) ins(%a = %A.t[i, j]) outs([i])

// A wider one is an array.
void wide(const float A[restrict N][N], float y[restrict N]) {
  double s;
  int i, j;
  for (i = 0; i < N; i++) {
    s = 0;
    for (j = 0; j < N; j++) s += A[i][j];
    y[i] = (float)s;
  }
}
// check: @wide
// check-not: scf.for
// check: memref.alloc() : memref<32xf64>
// check: mdh.compute "wide" (i in 32, j in 32 pw add source)
// check: mdh.compute "wide" (i in 32)
// check: arith.truncf

// What a later turn looks at stays in order.
void carried(float y[restrict N], const float x[restrict N]) {
  for (int i = 1; i < N; i++) {
    float s = y[i - 1];
    for (int j = 0; j < N; j++) s += x[j];
    y[i] = s;
  }
}
// check: @carried
// check: scf.for %i =
// check-not: scf.parallel

// Sizes that are parameters: threads take rows, if there is enough work.
void gemv(int n, double A[restrict n][n], double x[restrict n], double y[restrict n]) {
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int j = 0; j < n; j++) s += A[i][j] * x[j];
    y[i] = s;
  }
}
// check: @gemv(%n: i32, %A: memref<?x?xf64>
// check: arith.cmpi sge
// check: scf.if
// check: scf.parallel (%i)

// Rows of a matrix that is numbered from one end to the other.
void flat(int n, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i * n + j] = x[j * n + i];
}
// check: @flat
// check: scf.parallel (%i)

// Here rows overlap.
void overlapping(int n, int m, float *restrict y, const float *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i * m + j] = x[j * n + i];
}
// check: @overlapping
// check-not: scf.parallel

// Nobody knows which bins are written; where their number is known, the first nest is a computation.
void histogram(int n, const unsigned char *restrict x, int *restrict h) {
  for (int i = 0; i < 256; i++) h[i] = 0;
  for (int i = 0; i < n; i++) h[x[i]]++;
}
// check: @histogram
// check: mdh.compute "histogram" (i in 256)
// check: scf.for
// check-not: scf.parallel

// Each way that the pointers may stand has a computation.
void heat(double *restrict u, double *restrict v) {
  for (int t = 0; t < 100; t++) {
    for (int i = 1; i < N - 1; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    double *tmp = u;
    u = v;
    v = tmp;
  }
}
// check: @heat
// check: mdh.compute "heat" (i in 30) {{.*}} into %v
// check: mdh.compute "heat" (i in 30) {{.*}} into %u

static const float table[3] = {0.25f, 0.5f, 0.25f};
void smooth(float y[restrict N], const float x[restrict N]) {
  for (int i = 1; i < N - 1; i++) {
    float s = 0;
    for (int k = 0; k < 3; k++) s += table[k] * x[i + k - 1];
    y[i] = s;
  }
}
// check: @smooth
// check: memref.get_global @table : memref<3xf32>
// check: mdh.compute "smooth"
