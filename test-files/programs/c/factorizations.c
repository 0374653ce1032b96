// test: round-trip
// Factorizations and eliminations as textbooks write them, on small matrices.
// run: lu_doolittle
// run: lu_crout
// run: cholesky
// run: ldl
// run: gauss_pivoted
// run: gauss_jordan_inverse
// run: determinant
// run: householder
// run: givens
// run: triangular_inverse
// run: calls_in_crout
#include <math.h>
#define N 7
#define M 5

// A diagonal that dominates keeps the numbers small.
#define ENTRY(A, i, j) (A[i][j] + ((i) == (j) ? N : 0))

void lu_doolittle(double L[restrict N][N], double U[restrict N][N], const double A[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int k = i; k < N; k++) {
      double s = 0;
      for (int j = 0; j < i; j++) s += L[i][j] * U[j][k];
      U[i][k] = ENTRY(A, i, k) - s;
    }
    for (int k = i; k < N; k++) {
      if (k == i) {
        L[i][i] = 1;
      } else {
        double s = 0;
        for (int j = 0; j < i; j++) s += L[k][j] * U[j][i];
        L[k][i] = (ENTRY(A, k, i) - s) / U[i][i];
      }
    }
  }
}

void lu_crout(double LU[restrict N][N], const double A[N][N]) {
  for (int j = 0; j < N; j++) {
    for (int i = j; i < N; i++) {
      double s = ENTRY(A, i, j);
      for (int k = 0; k < j; k++) s -= LU[i][k] * LU[k][j];
      LU[i][j] = s;
    }
    for (int i = j + 1; i < N; i++) {
      double s = A[j][i];
      for (int k = 0; k < j; k++) s -= LU[j][k] * LU[k][i];
      LU[j][i] = s / LU[j][j];
    }
  }
}

void cholesky(double L[restrict N][N], const double A[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k < j; k++) s += L[i][k] * L[j][k];
      double a = A[i][j] + A[j][i] + (i == j ? 4 * N : 0);
      L[i][j] = i == j ? sqrt(a - s) : (a - s) / L[j][j];
    }
}

void ldl(double L[restrict N][N], double D[restrict N], const double A[N][N]) {
  for (int j = 0; j < N; j++) {
    double d = A[j][j] + 4 * N;
    for (int k = 0; k < j; k++) d -= L[j][k] * L[j][k] * D[k];
    D[j] = d;
    L[j][j] = 1;
    for (int i = j + 1; i < N; i++) {
      double s = A[i][j] + A[j][i];
      for (int k = 0; k < j; k++) s -= L[i][k] * L[j][k] * D[k];
      L[i][j] = s / d;
    }
  }
}

// Rows change places; the largest pivot of a column is used.
int gauss_pivoted(double x[restrict N], const double A0[N][N], const double b0[N]) {
  double A[N][N], b[N];
  int swaps = 0;
  for (int i = 0; i < N; i++) {
    b[i] = b0[i];
    for (int j = 0; j < N; j++) A[i][j] = A0[i][j];
  }
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
    if (p != k) {
      swaps++;
      for (int j = 0; j < N; j++) {
        double t = A[k][j];
        A[k][j] = A[p][j];
        A[p][j] = t;
      }
      double t = b[k];
      b[k] = b[p];
      b[p] = t;
    }
    for (int i = k + 1; i < N; i++) {
      double f = A[i][k] / A[k][k];
      for (int j = k; j < N; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    double s = b[i];
    for (int j = i + 1; j < N; j++) s -= A[i][j] * x[j];
    x[i] = s / A[i][i];
  }
  return swaps;
}

void gauss_jordan_inverse(double B[restrict M][M], const double A0[M][M]) {
  double W[M][2 * M];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < 2 * M; j++) W[i][j] = j < M ? A0[i][j] + (i == j ? M : 0) : j - M == i;
  for (int k = 0; k < M; k++) {
    double p = W[k][k];
    for (int j = 0; j < 2 * M; j++) W[k][j] /= p;
    for (int i = 0; i < M; i++) {
      if (i == k) continue;
      double f = W[i][k];
      for (int j = 0; j < 2 * M; j++) W[i][j] -= f * W[k][j];
    }
  }
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) B[i][j] = W[i][j + M];
}

double determinant(const double A0[M][M]) {
  double A[M][M], det = 1;
  for (int i = 0; i < M * M; i++) A[i / M][i % M] = A0[i / M][i % M] + (i / M == i % M) * 3;
  for (int k = 0; k < M; k++) {
    det *= A[k][k];
    for (int i = k + 1; i < M; i++)
      for (int j = M - 1; j >= k; j--) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  return det;
}

// One reflection: it zeroes the first column below the diagonal.
void householder(double A[restrict M][M]) {
  double v[M], alpha = 0, beta = 0;
  for (int i = 0; i < M; i++) alpha += A[i][0] * A[i][0];
  alpha = A[0][0] > 0 ? -sqrt(alpha) : sqrt(alpha);
  for (int i = 0; i < M; i++) {
    v[i] = i == 0 ? A[0][0] - alpha : A[i][0];
    beta += v[i] * v[i];
  }
  for (int j = 0; j < M; j++) {
    double s = 0;
    for (int i = 0; i < M; i++) s += v[i] * A[i][j];
    for (int i = 0; i < M; i++) A[i][j] -= 2 * s / beta * v[i];
  }
}

// A rotation of two rows.
void givens(double A[restrict 2][N]) {
  double r = sqrt(A[0][0] * A[0][0] + A[1][0] * A[1][0]);
  double c = A[0][0] / r, s = A[1][0] / r;
  for (int j = 0; j < N; j++) {
    double top = A[0][j], bottom = A[1][j];
    A[0][j] = c * top + s * bottom;
    A[1][j] = c * bottom - s * top;
  }
}

void triangular_inverse(double X[restrict M][M], const double L[M][M]) {
  for (int j = 0; j < M; j++)
    for (int i = 0; i < M; i++) {
      double s = i == j;
      for (int k = j; k < i; k++) s -= L[i][k] * X[k][j];
      X[i][j] = i < j ? 0 : s / (L[i][i] + 2);
    }
}

// Names of a call that was replaced and those of arrays for its numbers stay apart.
static double crout_entry(const double A[7][7], int i, int j) { return A[i][j] + (i == j ? 7 : 0); }
void calls_in_crout(double LU[restrict N][7], const double A[7][7]) {
  for (int j = 0; j < N; j++) {
    for (int i = j; i < N; i++) {
      double s = crout_entry(A, i, j);
      for (int k = 0; k < j; k++) s -= LU[i][k] * LU[k][j];
      LU[i][j] = s;
    }
    for (int i = j + 1; i < N; i++) {
      double s = A[j][i];
      for (int k = 0; k < j; k++) s -= LU[j][k] * LU[k][i];
      LU[j][i] = s / LU[j][j];
    }
  }
}
