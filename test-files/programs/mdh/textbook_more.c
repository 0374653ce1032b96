// test: round-trip
// run: argmax
// run: arglast
// run: argone
// run: gcds n:23 a:23 b:23 out:23
// run: sieve n:50 prime:50
// run: insertion n:19 a:19
// run: reverse n:17 a:17
// run: gramschmidt m:11 n:7 A:11x7 R:7x7 Q:11x7
// run: durbin n:17 r:17 y:17
// run: symm
// run: life steps:3
// run: lcs
// run: layernorm rows:5 cols:13 x:65 g:13 b:13 y:65
// run: power n:9 it:3 A:81 x:9 tmp:9
// run: counter
// More of what people write: sorting, sieves, sparse and triangular loops, extremes with their places.
#include <math.h>
#include <stdint.h>
#define NI 20
#define NJ 24
#define H 21
#define W 33
#define MAX(a, b) ((a) > (b) ? (a) : (b))
typedef double DATA_TYPE;
typedef unsigned char u8;

// The first of the greatest ones, by rows.
void argmax(const float A[37][101], int idx[37], float val[37]) {
  for (int i = 0; i < 37; i++) {
    float m = -INFINITY;
    int b = -1;
    for (int j = 0; j < 101; j++)
      if (A[i][j] > m) { m = A[i][j]; b = j; }
    idx[i] = b;
    val[i] = m;
  }
}

// The last of the least ones.
void arglast(const int A[37][101], int idx[37], int val[37]) {
  int i, j, m, b;
  for (i = 0; i < 37; i++) {
    m = A[i][0];
    b = 0;
    for (j = 1; j < 101; j++)
      if (m >= A[i][j]) { b = j; m = A[i][j]; }
    idx[i] = b;
    val[i] = m;
  }
}

int argone(const float x[101]) {
  float m = x[0];
  int at = 0;
  for (int i = 1; i < 101; i++)
    if (x[i] < m) { m = x[i]; at = i; }
  return at;
}

static int gcd(int a, int b) {
  while (b) {
    int t = a % b;
    a = b;
    b = t;
  }
  return a;
}

void gcds(int n, const int *a, const int *b, int *out) {
  for (int i = 0; i < n; i++) out[i] = gcd(a[i], b[i]);
}

void sieve(int n, int *prime) {
  for (int i = 0; i < n; i++) prime[i] = 1;
  if (n > 0) prime[0] = 0;
  if (n > 1) prime[1] = 0;
  for (int i = 2; i * i < n; i++)
    if (prime[i])
      for (int j = i * i; j < n; j += i) prime[j] = 0;
}

void insertion(int n, float *a) {
  for (int i = 1; i < n; i++) {
    float key = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > key) { a[j + 1] = a[j]; j--; }
    a[j + 1] = key;
  }
}

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

void reverse(int n, int *a) {
  for (int i = 0; i < n / 2; i++) swap(&a[i], &a[n - 1 - i]);
}

void gramschmidt(int m, int n, DATA_TYPE A[m][n], DATA_TYPE R[n][n], DATA_TYPE Q[m][n]) {
  int i, j, k;
  DATA_TYPE nrm;
  for (k = 0; k < n; k++) {
    nrm = 0.0;
    for (i = 0; i < m; i++) nrm += A[i][k] * A[i][k];
    R[k][k] = sqrt(nrm);
    for (i = 0; i < m; i++) Q[i][k] = A[i][k] / R[k][k];
    for (j = k + 1; j < n; j++) {
      R[k][j] = 0.0;
      for (i = 0; i < m; i++) R[k][j] += Q[i][k] * A[i][j];
      for (i = 0; i < m; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j];
    }
  }
}

void durbin(int n, DATA_TYPE r[n], DATA_TYPE y[n]) {
  DATA_TYPE z[100];
  DATA_TYPE alpha, beta, sum;
  int i, k;
  y[0] = -r[0];
  beta = 1.0;
  alpha = -r[0];
  for (k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    sum = 0.0;
    for (i = 0; i < k; i++) sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (i = 0; i < k; i++) z[i] = y[i] + alpha * y[k - i - 1];
    for (i = 0; i < k; i++) y[i] = z[i];
    y[k] = alpha;
  }
}

void symm(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE C[NI][NJ], DATA_TYPE A[NI][NI], DATA_TYPE B[NI][NJ]) {
  int i, j, k;
  DATA_TYPE temp2;
  for (i = 0; i < NI; i++)
    for (j = 0; j < NJ; j++) {
      temp2 = 0;
      for (k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        temp2 += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
    }
}

void life(int steps, u8 g[H][W]) {
  u8 next[H][W];
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        int c = 0;
        for (int di = -1; di <= 1; di++)
          for (int dj = -1; dj <= 1; dj++) {
            if (di == 0 && dj == 0) continue;
            int y = (i + di + H) % H, x = (j + dj + W) % W;
            c += g[y][x];
          }
        next[i][j] = (c == 3 || (c == 2 && g[i][j])) ? 1 : 0;
      }
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) g[i][j] = next[i][j];
  }
}

int lcs(const int a[H], const int b[W]) {
  int dp[H + 1][W + 1];
  for (int i = 0; i <= H; i++) dp[i][0] = 0;
  for (int j = 0; j <= W; j++) dp[0][j] = 0;
  for (int i = 1; i <= H; i++)
    for (int j = 1; j <= W; j++)
      if (a[i - 1] == b[j - 1]) dp[i][j] = dp[i - 1][j - 1] + 1;
      else dp[i][j] = MAX(dp[i - 1][j], dp[i][j - 1]);
  return dp[H][W];
}

void layernorm(int rows, int cols, const float *x, const float *g, const float *b, float *y) {
  for (int r = 0; r < rows; r++) {
    const float *xr = x + r * cols;
    float *yr = y + r * cols;
    float mean = 0, var = 0;
    for (int c = 0; c < cols; c++) mean += xr[c];
    mean /= cols;
    for (int c = 0; c < cols; c++) { float d = xr[c] - mean; var += d * d; }
    var /= cols;
    float inv = 1.0f / sqrtf(var + 1e-5f);
    for (int c = 0; c < cols; c++) yr[c] = (xr[c] - mean) * inv * g[c] + b[c];
  }
}

void power(int n, int it, const double *A, double *x, double *tmp) {
  for (int t = 0; t < it; ++t) {
    double norm = 0;
    for (int i = 0; i < n; ++i) {
      tmp[i] = 0;
      for (int j = 0; j < n; ++j) tmp[i] += A[i*n+j] * x[j];
      norm += tmp[i] * tmp[i];
    }
    norm = sqrt(norm);
    for (int i = 0; i < n; ++i) x[i] = tmp[i] / norm;
  }
}

// What is static stays from call to call.
static int next(void) {
  static int at = 3;
  static const int by[2] = {1, 5};
  at += by[at % 2];
  return at;
}
int counter(void) {
  int s = 0;
  for (int i = 0; i < 5; i++) {
    int v = next();
    s = s * 3 + v;
  }
  return s;
}
