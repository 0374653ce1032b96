// test: round-trip
// Direct and iterative solvers of linear systems.
// run: forward_substitution
// run: back_substitution
// run: thomas
// run: jacobi_iteration
// run: gauss_seidel
// run: conjugate_gradient
// run: power_iteration
#include <math.h>
#define N 7
#define M 5

// A diagonal that dominates keeps the numbers small.
static double entry(const double A[N][N], int i, int j) { return A[i][j] + (i == j ? N : 0); }

void forward_substitution(double x[restrict N], const double L[N][N], const double b[restrict N]) {
  for (int i = 0; i < N; i++) {
    double s = b[i];
    for (int j = 0; j < i; j++) s -= L[i][j] * x[j];
    x[i] = s / entry(L, i, i);
  }
}

void back_substitution(double x[restrict N], const double U[N][N], const double b[restrict N]) {
  for (int i = N - 1; i >= 0; i--) {
    x[i] = b[i];
    for (int j = i + 1; j < N; j++) x[i] -= U[i][j] * x[j];
    x[i] /= entry(U, i, i);
  }
}

// A tridiagonal system.
void thomas(double x[restrict N], const double a[N], const double c[N], const double d[N]) {
  double cp[N], dp[N];
  cp[0] = c[0] / 4;
  dp[0] = d[0] / 4;
  for (int i = 1; i < N; i++) {
    double m = 4 - a[i] * cp[i - 1];
    cp[i] = c[i] / m;
    dp[i] = (d[i] - a[i] * dp[i - 1]) / m;
  }
  x[N - 1] = dp[N - 1];
  for (int i = N - 2; i >= 0; --i) x[i] = dp[i] - cp[i] * x[i + 1];
}

int jacobi_iteration(double x[restrict N], const double A[N][N], const double b[N]) {
  double next[N];
  int rounds = 0;
  double change = 1;
  for (int i = 0; i < N; i++) x[i] = 0;
  while (change > 1e-6 && rounds < 50) {
    change = 0;
    for (int i = 0; i < N; i++) {
      double s = b[i];
      for (int j = 0; j < N; j++)
        if (j != i) s -= A[i][j] * x[j];
      next[i] = s / (A[i][i] + 2 * N);
    }
    for (int i = 0; i < N; i++) {
      change = fmax(change, fabs(next[i] - x[i]));
      x[i] = next[i];
    }
    rounds++;
  }
  return rounds;
}

void gauss_seidel(double x[restrict N], const double A[N][N], const double b[N]) {
  for (int i = 0; i < N; i++) x[i] = 0;
  for (int t = 0; t < 6; t++)
    for (int i = 0; i < N; i++) {
      double s = b[i];
      for (int j = 0; j < i; j++) s -= A[i][j] * x[j];
      for (int j = i + 1; j < N; j++) s -= A[i][j] * x[j];
      x[i] = s / entry(A, i, i);
    }
}

double conjugate_gradient(double x[restrict M], const double B[M][M], const double b[M]) {
  double A[M][M], r[M], p[M], q[M], rr = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      A[i][j] = i == j ? 6 : 0;
      for (int k = 0; k < M; k++) A[i][j] += B[i][k] * B[j][k];
    }
  for (int i = 0; i < M; i++) {
    x[i] = 0;
    r[i] = b[i];
    p[i] = b[i];
    rr += b[i] * b[i];
  }
  for (int t = 0; t < 3; t++) {
    double pq = 0, next = 0;
    for (int i = 0; i < M; i++) {
      q[i] = 0;
      for (int j = 0; j < M; j++) q[i] += A[i][j] * p[j];
      pq += p[i] * q[i];
    }
    double alpha = rr / pq;
    for (int i = 0; i < M; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    for (int i = 0; i < M; i++) p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
  return rr;
}

double power_iteration(double v[restrict M], const double A[M][M]) {
  double lambda = 0, w[M];
  for (int i = 0; i < M; i++) v[i] = 1;
  for (int t = 0; t < 5; t++) {
    double norm = 0;
    for (int i = 0; i < M; i++) {
      w[i] = (2 + i) * v[i];
      for (int j = 0; j < M; j++) w[i] += 0.1 * A[i][j] * v[j];
      norm += w[i] * w[i];
    }
    lambda = sqrt(norm);
    for (int i = 0; i < M; i++) v[i] = w[i] / lambda;
  }
  return lambda;
}
