// test: round-trip
// Textbook functions of arrays, at odd and prime sizes, compared with the system's C compiler.
// run: prefix_sums
// run: prefix_in_place
// run: horner
// run: horner_rows
// run: matrix_chain
// run: matrix_power
// run: stencil_5
// run: stencil_in_place
// run: blur_3x3
// run: triangular
// run: upper_solve
// run: cholesky_like
// run: point_norms
// run: particles
// run: centroid
// run: walk
// run: walk_back
// run: walk_two
// run: strided_walk
// run: row_pointer
// run: flat_matrix
// run: do_while
// run: nested_break
// run: nested_continue
// run: first_negative
// run: count_steps
// run: nested_calls
// run: recurrence
// run: fibonacci
// run: sieve
// run: bubble_sort
// run: insertion_sort
// run: selection_sort
// run: binary_search
// run: histogram
// run: reversed
// run: rotated
// run: transposed
// run: convolution
// run: polynomial_product
// run: pascal
// run: running_max
// run: second_largest
// run: dot_strided
// run: outer_product
// run: moving_average
// run: levenshtein
// run: knapsack
// run: longest_run
// run: gcds
// run: primes_count
// run: two_counters
// run: table_of_values
// run: luhn
// run: newton_roots
// run: trapezoid
// run: floyd_warshall
// run: game_of_life
// run: mandelbrot
// run: downwards
// run: swap_halves
#include <math.h>
#include <stdint.h>
#define N 23
#define M 17
#define P 13

void prefix_sums(long y[restrict N], const int x[restrict N]) {
  long s = 0;
  for (int i = 0; i < N; i++) {
    s += x[i];
    y[i] = s;
  }
}

void prefix_in_place(double a[restrict N]) {
  for (int i = 1; i < N; i++) a[i] += a[i - 1];
}

double horner(const double c[restrict M]) {
  double r = c[M - 1];
  for (int i = M - 2; i >= 0; i--) r = r * 0.75 + c[i];
  return r;
}

void horner_rows(double y[restrict N], const double c[restrict P], const double x[restrict N]) {
  for (int i = 0; i < N; i++) {
    double r = 0;
    for (int k = P - 1; k >= 0; --k) r = r * x[i] + c[k];
    y[i] = r;
  }
}

void matrix_chain(double E[restrict N][P], const double A[restrict N][M], const double B[restrict M][N],
                  const double C[restrict N][P]) {
  double T[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      T[i][j] = 0;
      for (int k = 0; k < M; k++) T[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < P; j++) {
      E[i][j] = 0;
      for (int k = 0; k < N; k++) E[i][j] += T[i][k] * C[k][j];
    }
}

void matrix_power(unsigned R[restrict 5][5], const unsigned A[restrict 5][5]) {
  unsigned T[5][5];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) R[i][j] = i == j;
  for (int n = 0; n < 7; n++) {
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++) {
        unsigned s = 0;
        for (int k = 0; k < 5; k++) s += R[i][k] * A[k][j];
        T[i][j] = s;
      }
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++) R[i][j] = T[i][j];
  }
}

void stencil_5(double y[restrict N][M], const double x[restrict N][M]) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < M - 1; j++)
      y[i][j] = 0.2 * (x[i][j] + x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);
}

void stencil_in_place(double x[restrict N]) {
  for (int t = 0; t < 3; t++)
    for (int i = 1; i < N - 1; i++) x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0;
}

void blur_3x3(int y[restrict N][M], const unsigned char x[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      int s = 0, n = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          if (i + di >= 0 && i + di < N && j + dj >= 0 && j + dj < M) {
            s += x[i + di][j + dj];
            n++;
          }
      y[i][j] = s / n;
    }
}

void triangular(int y[restrict N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) y[i][j] = i * j - j * j;
}

void upper_solve(double x[restrict P], const double U[restrict P][P], const double b[restrict P]) {
  for (int i = P - 1; i >= 0; i--) {
    double s = b[i];
    for (int j = i + 1; j < P; j++) s -= U[i][j] * x[j];
    x[i] = s / (U[i][i] + 4.0);
  }
}

void cholesky_like(double L[restrict P][P], const double A[restrict P][P]) {
  for (int i = 0; i < P; i++)
    for (int j = 0; j <= i; j++) {
      double s = A[i][j] + (i == j ? 20.0 : 0.0);
      for (int k = 0; k < j; k++) s -= L[i][k] * L[j][k];
      L[i][j] = i == j ? sqrt(s) : s / L[j][j];
    }
}

struct point {
  double x, y, z;
};
void point_norms(double n[restrict N], const struct point p[restrict N]) {
  for (int i = 0; i < N; i++) n[i] = sqrt(p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z);
}

struct particle {
  float x, v;
  int id;
};
void particles(struct particle p[restrict N]) {
  for (int i = 0; i < N; i++) {
    p[i].v += 0.125f;
    p[i].x += p[i].v * 0.5f;
    if (p[i].x > 0.5f) p[i].id = i;
  }
}

void centroid(double c[restrict 3], const struct point p[restrict N]) {
  c[0] = c[1] = c[2] = 0;
  for (int i = 0; i < N; i++) {
    c[0] += p[i].x;
    c[1] += p[i].y;
    c[2] += p[i].z;
  }
  for (int k = 0; k < 3; k++) c[k] /= N;
}

int walk(const int a[restrict N]) {
  int s = 0;
  for (const int *p = a; p < a + N; p++) s += *p % 10;
  return s;
}

void walk_back(int y[restrict N], const int x[restrict N]) {
  const int *p = x + N;
  int *q = y;
  while (p > x) {
    p--;
    *q = *p;
    q++;
  }
}

void walk_two(double y[restrict N], const double a[restrict N], const double b[restrict N]) {
  const double *p = a, *q = b;
  double *r = y;
  for (int i = 0; i < N; i++) {
    *r = *p * *q;
    p++;
    q++;
    r++;
  }
}

int strided_walk(const int a[restrict N]) {
  int s = 0;
  for (const int *p = a + 1; p < a + N; p += 3) s = s * 3 + p[0] - p[-1];
  return s;
}

void row_pointer(double y[restrict N], const double A[restrict N * M]) {
  for (int i = 0; i < N; i++) {
    const double *row = A + i * M;
    double s = 0;
    for (int j = 0; j < M; j++) s += row[j];
    y[i] = s;
  }
}

void flat_matrix(int C[restrict P * N], const int A[restrict P * M], const int B[restrict M * N]) {
  for (int i = 0; i < P; i++)
    for (int j = 0; j < N; j++) {
      int s = 0;
      for (int k = 0; k < M; k++) s += A[i * M + k] % 100 * (B[k * N + j] % 100);
      C[i * N + j] = s;
    }
}

int do_while(const unsigned x[restrict N]) {
  int digits = 0;
  for (int i = 0; i < N; i++) {
    unsigned v = x[i];
    do {
      digits++;
      v /= 10;
    } while (v != 0);
  }
  return digits;
}

int nested_break(const int x[restrict N][M]) {
  int found = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      if (x[i][j] % 5 == 0) break;
      found += j;
    }
  return found;
}

int nested_continue(const int x[restrict N]) {
  int s = 0;
  for (int i = 0; i < N; i++) {
    if (x[i] < 0) continue;
    for (int j = 0; j < 3; j++) {
      if (j == x[i] % 3) continue;
      s += x[i] % 7 + j;
    }
  }
  return s;
}

int first_negative(const int x[restrict N]) {
  for (int i = 0; i < N; i++)
    if (x[i] < 0) return i;
  return -1;
}

void count_steps(int y[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned long n = i + 1;
    int k = 0;
    while (n != 1) {
      n = n % 2 ? 3 * n + 1 : n / 2;
      k++;
    }
    y[i] = k;
  }
}

static int square(int x) { return x * x; }
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static int mix(int a, int b) { return square(clamp(a, -9, 9)) - clamp(square(b % 11), 3, 50); }
void nested_calls(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = mix(mix(x[i], i), clamp(x[i] / 3, mix(i, i), 100));
}

void recurrence(double y[restrict N]) {
  y[0] = 1;
  y[1] = 0.5;
  for (int i = 2; i < N; i++) y[i] = 1.5 * y[i - 1] - 0.75 * y[i - 2];
}

void fibonacci(unsigned long f[restrict 47]) {
  unsigned long a = 0, b = 1;
  for (int i = 0; i < 47; i++) {
    f[i] = a;
    unsigned long c = a + b;
    a = b;
    b = c;
  }
}

void sieve(unsigned char prime[restrict 101]) {
  for (int i = 0; i < 101; i++) prime[i] = i >= 2;
  for (int i = 2; i * i < 101; i++)
    if (prime[i])
      for (int j = i * i; j < 101; j += i) prime[j] = 0;
}

void bubble_sort(int a[restrict N]) {
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < N - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}

void insertion_sort(int a[restrict N]) {
  for (int i = 1; i < N; i++) {
    int v = a[i], j = i - 1;
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = v;
  }
}

void selection_sort(float a[restrict N]) {
  for (int i = 0; i < N; i++) {
    int best = i;
    for (int j = i + 1; j < N; j++)
      if (a[j] < a[best]) best = j;
    float t = a[i];
    a[i] = a[best];
    a[best] = t;
  }
}

void binary_search(int y[restrict 60]) {
  int a[29];
  for (int i = 0; i < 29; i++) a[i] = 2 * i + 1;
  for (int v = 0; v < 60; v++) {
    int low = 0, high = 29;
    while (low < high) {
      int mid = low + (high - low) / 2;
      if (a[mid] < v)
        low = mid + 1;
      else
        high = mid;
    }
    y[v] = low;
  }
}

void histogram(int h[restrict 16], const unsigned char x[restrict N]) {
  for (int i = 0; i < 16; i++) h[i] = 0;
  for (int i = 0; i < N; i++) h[x[i] >> 4]++;
}

void reversed(int a[restrict N]) {
  for (int i = 0, j = N - 1; i < j; i++, j--) {
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}

void rotated(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) y[(i + 5) % N] = x[i];
}

void transposed(short y[restrict M][N], const short x[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) y[j][i] = x[i][j];
}

void convolution(double y[restrict N + 4], const double x[restrict N], const double w[restrict 5]) {
  for (int i = 0; i < N + 4; i++) {
    double s = 0;
    for (int k = 0; k < 5; k++)
      if (i - k >= 0 && i - k < N) s += w[k] * x[i - k];
    y[i] = s;
  }
}

void polynomial_product(long c[restrict N + M - 1], const int a[restrict N], const int b[restrict M]) {
  for (int i = 0; i < N + M - 1; i++) c[i] = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i + j] += (long)a[i] * b[j];
}

void pascal(int c[restrict P][P]) {
  for (int i = 0; i < P; i++)
    for (int j = 0; j < P; j++) c[i][j] = j > i ? 0 : j == 0 || j == i ? 1 : c[i - 1][j - 1] + c[i - 1][j];
}

void running_max(float y[restrict N], const float x[restrict N]) {
  float m = x[0];
  for (int i = 0; i < N; i++) {
    if (x[i] > m) m = x[i];
    y[i] = m;
  }
}

int second_largest(const int x[restrict N]) {
  int a = x[0], b = -2147483647 - 1;
  for (int i = 1; i < N; i++) {
    if (x[i] > a) {
      b = a;
      a = x[i];
    } else if (x[i] > b) {
      b = x[i];
    }
  }
  return b;
}

double dot_strided(const double a[restrict 3 * N], const double b[restrict 2 * N]) {
  double s = 0;
  for (int i = 0; i < N; i++) s += a[3 * i + 1] * b[2 * (N - 1 - i)];
  return s;
}

void outer_product(double C[restrict N][M], const double a[restrict N], const double b[restrict M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) C[i][j] += a[i] * b[j];
}

void moving_average(double y[restrict N - 4], const double x[restrict N]) {
  double s = 0;
  for (int i = 0; i < 5; i++) s += x[i];
  y[0] = s / 5;
  for (int i = 5; i < N; i++) {
    s += x[i] - x[i - 5];
    y[i - 4] = s / 5;
  }
}

static int least(int a, int b) { return a < b ? a : b; }
int levenshtein(const unsigned char a[restrict P], const unsigned char b[restrict M]) {
  int d[P + 1][M + 1];
  for (int i = 0; i <= P; i++) d[i][0] = i;
  for (int j = 0; j <= M; j++) d[0][j] = j;
  for (int i = 1; i <= P; i++)
    for (int j = 1; j <= M; j++) {
      int cost = a[i - 1] % 3 == b[j - 1] % 3 ? 0 : 1;
      d[i][j] = least(least(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
    }
  return d[P][M];
}

int knapsack(void) {
  int best[51] = {0};
  int weight[7] = {3, 5, 7, 11, 13, 17, 19}, value[7] = {4, 6, 9, 13, 15, 21, 22};
  for (int i = 0; i < 7; i++)
    for (int w = 50; w >= weight[i]; w--)
      if (best[w - weight[i]] + value[i] > best[w]) best[w] = best[w - weight[i]] + value[i];
  return best[50];
}

int longest_run(const int x[restrict N]) {
  int best = 0, now = 0;
  for (int i = 0; i < N; i++) {
    now = x[i] > 0 ? now + 1 : 0;
    if (now > best) best = now;
  }
  return best;
}

void gcds(unsigned y[restrict N][N]) {
  for (unsigned i = 0; i < N; i++)
    for (unsigned j = 0; j < N; j++) {
      unsigned a = i, b = j;
      while (b) {
        unsigned t = a % b;
        a = b;
        b = t;
      }
      y[i][j] = a;
    }
}

int primes_count(void) {
  int n = 0;
  for (int i = 2; i < 200; i++) {
    int prime = 1;
    for (int d = 2; d * d <= i; d++)
      if (i % d == 0) {
        prime = 0;
        break;
      }
    n += prime;
  }
  return n;
}

void two_counters(int y[restrict N]) {
  int i, j;
  for (i = 0, j = 100; i < N; i++, j -= 3) y[i] = i * j;
  y[0] = i + j;
}

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
void table_of_values(int y[restrict 12]) {
  int s = 0;
  for (int i = 0; i < 12; i++) {
    y[i] = s;
    s += days[i];
  }
}

int luhn(const unsigned char d[restrict M]) {
  int s = 0;
  for (int i = 0; i < M; i++) {
    int v = d[i] % 10;
    if (i % 2 == 0) {
      v *= 2;
      if (v > 9) v -= 9;
    }
    s += v;
  }
  return s % 10;
}

void newton_roots(double y[restrict N]) {
  for (int i = 0; i < N; i++) {
    double a = i + 1.0, x = a;
    for (int k = 0; k < 30; k++) x = 0.5 * (x + a / x);
    y[i] = x;
  }
}

double trapezoid(void) {
  const int n = 101;
  double h = 1.0 / n, s = 0.5 * (0.0 + 1.0);
  for (int i = 1; i < n; i++) {
    double x = i * h;
    s += x * x;
  }
  return s * h;
}

void floyd_warshall(int d[restrict P][P]) {
  for (int i = 0; i < P; i++)
    for (int j = 0; j < P; j++) d[i][j] = d[i][j] % 50 + 60;
  for (int k = 0; k < P; k++)
    for (int i = 0; i < P; i++)
      for (int j = 0; j < P; j++)
        if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
}

void game_of_life(unsigned char y[restrict N][M], const unsigned char x[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      int n = 0;
      for (int di = -1; di <= 1; di++)
        for (int dj = -1; dj <= 1; dj++)
          if (di != 0 || dj != 0) n += x[(i + di + N) % N][(j + dj + M) % M] & 1;
      y[i][j] = n == 3 || ((x[i][j] & 1) && n == 2);
    }
}

void mandelbrot(int y[restrict P][M]) {
  for (int i = 0; i < P; i++)
    for (int j = 0; j < M; j++) {
      double cr = -2.0 + 3.0 * j / M, ci = -1.0 + 2.0 * i / P, zr = 0, zi = 0;
      int n = 0;
      while (n < 50 && zr * zr + zi * zi < 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
      }
      y[i][j] = n;
    }
}

void downwards(int y[restrict N], const int x[restrict N]) {
  for (unsigned i = N; i > 0; i--) y[i - 1] = x[i - 1] / 2;
}

void swap_halves(int a[restrict 2 * P]) {
  int *p = a, *q = a + P;
  for (int i = 0; i < P; i++) {
    int t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}
