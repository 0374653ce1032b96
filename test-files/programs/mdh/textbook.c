// test: round-trip
// run: gemv n:37 A:37x37 x:37 y:37
// run: gemv n:1 A:1x1 x:1 y:1
// run: gemm_flat n:23 A:529 B:529 C:529
// run: lu n:19 A:19x19
// run: rowsum
// run: wide
// run: softmax
// run: blur
// run: global_sum
// run: heat
// run: wave steps:5
// run: wave steps:0
// run: histogram n:101 x:101 h:256
// run: binned n:67 x:67 h:16
// run: normalize n:31 A:961 x:31
// run: walked n:29 x:29 y:29
// run: chosen t:3 x:11 y:11
// run: find n:41 x:41 v:7
// run: counted n:41 x:41
// run: newton n:13 x:13
// run: mandelbrot
// run: step
// run: prefix n:43 x:43 y:43
// run: listed
// run: doubled n:64 x:64
// run: pairs n:40 x:40
// What people write: accumulators in variables, sizes as parameters, tables and variables of the file, pointers, loops that nobody
// counts.
#include <math.h>
#include <stdint.h>
#define N 33
#define T 7

// Sizes that are known only when the function runs.
void gemv(int n, double A[n][n], double x[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int j = 0; j < n; j++) s += A[i][j] * x[j];
    y[i] = s;
  }
}

void gemm_flat(int n, const double *A, const double *B, double *C) {
  int i, j, k;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      double sum = 0.0;
      for (k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = 1.5 * sum + 0.5 * C[i * n + j];
    }
}

void lu(int n, double A[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i][k] /= A[k][k] + 4.0;
      for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
    }
}

// Accumulators: of the type of what they are stored to, and wider.
void rowsum(const float A[N][N], float y[N]) {
  for (int i = 0; i < N; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += A[i][j];
    y[i] = s;
  }
}

void wide(const float A[N][N], const float B[N][N], float C[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++) s += (double)A[i][k] * B[k][j];
      C[i][j] = (float)s;
    }
}

void softmax(const float x[19][N], float y[19][N]) {
  for (int i = 0; i < 19; i++) {
    float m = x[i][0];
    for (int j = 1; j < N; j++)
      if (x[i][j] > m) m = x[i][j];
    float s = 0.0f;
    for (int j = 0; j < N; j++) {
      y[i][j] = expf(x[i][j] - m);
      s += y[i][j];
    }
    for (int j = 0; j < N; j++) y[i][j] /= s;
  }
}

// Tables and variables of the file.
static const double K[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
static const double scale = 1.0 / 16.0, half = scale * 8;
void blur(const double in[N][N], double out[N][N]) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) {
      double acc = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++) acc += K[di + 1][dj + 1] * in[i + di][j + dj];
      out[i][j] = acc * scale + half;
    }
}

static double G[N][N], H[N];
double total;
static void fill(void) {
  for (int i = 0; i < N; i++) {
    H[i] = i * 0.5;
    for (int j = 0; j < N; j++) G[i][j] = i - j;
  }
}
double global_sum(double y[N]) {
  fill();
  total = 0;
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++) y[i] += G[i][j] * H[j];
    total += y[i];
  }
  return total;
}

// Pointers that a loop exchanges, two and three of them.
void heat(double *restrict u, double *restrict v) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
    double *tmp = u;
    u = v;
    v = tmp;
  }
}

void wave(double *restrict u0, double *restrict u1, double *restrict u2, double *restrict last, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < N - 1; i++) u2[i] = 2 * u1[i] - u0[i] + 0.25 * (u1[i - 1] - 2 * u1[i] + u1[i + 1]);
    double *tmp = u0;
    u0 = u1;
    u1 = u2;
    u2 = tmp;
  }
  for (int i = 1; i < N - 1; i++) last[i] = u1[i];
}

void histogram(int n, const uint8_t *x, int *h) {
  for (int i = 0; i < 256; i++) h[i] = 0;
  for (int i = 0; i < n; i++) h[x[i]]++;
}

void binned(int n, const float *x, int *h) {
  int i;
  for (i = 0; i < 16; ++i) h[i] = 0;
  for (i = 0; i < n; ++i) {
    int b = (int)(x[i] * 16);
    if (b < 0) b = 0;
    if (b >= 16) b = 15;
    h[b] += 1;
  }
}

// Rows by pointers, pointers that walk, and one of two.
void normalize(double *A, double *x, int n) {
  for (int i = 0; i < n; i++) {
    double *row = A + i * n;
    double s = 1;
    for (int j = 0; j < n; j++) s += row[j] * row[j];
    for (int j = 0; j < n; j++) row[j] /= s;
    x[i] = s;
  }
}

void walked(int n, const float *x, float *y) {
  const float *end = x + n;
  float *q = y;
  for (const float *p = x; p < end; p++) {
    *q = 2 * *p;
    q++;
  }
}

void chosen(int t, float *x, float *y) {
  float *src = t % 2 ? x : y, *dst = t % 2 ? y : x;
  for (int i = 0; i < 11; i++) dst[i] = src[i] + 1;
}

// Loops that nobody counts, and ways out of loops.
int find(int n, const int *x, int v) {
  for (int i = 0; i < n; i++)
    if (x[i] % 10 == v) return i;
  return -1;
}

int counted(int n, const int *x) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) continue;
    if (x[i] % 100 == 99) break;
    c++;
  }
  return c;
}

int newton(int n, double *x) {
  double err = 1.0;
  int it = 0;
  for (int i = 0; i < n; i++) x[i] = fabs(x[i]) + 1;
  while (err > 1e-9 && it < 50) {
    err = 0.0;
    for (int i = 0; i < n; i++) {
      double old = x[i];
      x[i] = 0.5 * (x[i] + 2.0 / x[i]);
      if (fabs(x[i] - old) > err) err = fabs(x[i] - old);
    }
    it++;
  }
  return it;
}

void mandelbrot(int out[17][23]) {
  for (int y = 0; y < 17; y++)
    for (int x = 0; x < 23; x++) {
      double cr = 3.0 * x / 23 - 2.0, ci = 2.0 * y / 17 - 1.0, zr = 0, zi = 0;
      int k;
      for (k = 0; k < 50; k++) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        if (zr * zr + zi * zi > 4.0) break;
      }
      out[y][x] = k;
    }
}

// Functions over arrays, called.
static void axpy(int n, double a, const double *x, double *y) {
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}
static double dot(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
double step(double x[N], double y[N]) {
  axpy(N - 1, 2.0, x, y + 1);
  double d = dot(N, x, y);
  return d / (1 + dot(N, y, y));
}

void prefix(int n, const float *x, float *y) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
}

int listed(const int x[8]) {
  int w[8] = {1, 2, 3}, s = 0, t;
  double two[2][2] = {{1, 2}, {3, 4}};
  s = t = 1;
  for (int i = 0; i < 8; i++) s += w[i] * x[i];
  return s + t + (int)two[1][0];
}

void doubled(int n, float *x) {
  for (int i = 1; i < n; i *= 2) x[i] += 1;
}

void pairs(int n, float *x) {
  int i, j;
  for (i = 0, j = n - 1; i < j; i++, j--) {
    float t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}
