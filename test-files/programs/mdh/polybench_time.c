// test: round-trip
// run: jacobi_1d N=12 T=3
// run: jacobi_2d N=7 T=2
// run: heat_3d N=6 T=2
// run: doitgen NR=3 NQ=4 NP=5
// run: covariance N=6 M=5
// run: correlation N=6 M=5
// run: fdtd_2d NX=5 NY=6 T=2
// run: trisolv N=6
// run: floyd_warshall N=5
// run: deriche_row N=9
// Stencils over time, statistics and recurrences in the manner of PolyBench/C, written for this file.
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef M
#define M 48
#endif
#ifndef T
#define T 4
#endif
#ifndef NR
#define NR 10
#define NQ 12
#define NP 14
#endif
#ifndef NX
#define NX 24
#define NY 28
#endif

void jacobi_1d(double A[restrict N], double B[restrict N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
    for (int i = 1; i < N - 1; i++)
      A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
  }
}

void jacobi_2d(double A[restrict N][N], double B[restrict N][N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
  }
}

void heat_3d(double A[restrict N][N][N], double B[restrict N][N][N]) {
  for (int t = 1; t <= T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          B[i][j][k] = 0.125 * (A[i + 1][j][k] - 2.0 * A[i][j][k] + A[i - 1][j][k]) +
                       0.125 * (A[i][j + 1][k] - 2.0 * A[i][j][k] + A[i][j - 1][k]) +
                       0.125 * (A[i][j][k + 1] - 2.0 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        for (int k = 1; k < N - 1; k++)
          A[i][j][k] = B[i][j][k];
  }
}

void doitgen(double A[restrict NR][NQ][NP], const double C4[NP][NP], double sum[restrict NP]) {
  for (int r = 0; r < NR; r++)
    for (int q = 0; q < NQ; q++) {
      for (int p = 0; p < NP; p++) {
        sum[p] = 0.0;
        for (int s = 0; s < NP; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < NP; p++)
        A[r][q][p] = sum[p];
    }
}

void covariance(double data[restrict N][M], double cov[restrict M][M], double mean[restrict M]) {
  for (int j = 0; j < M; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < N; i++)
      mean[j] += data[i][j];
    mean[j] /= N;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      data[i][j] -= mean[j];
  for (int i = 0; i < M; i++)
    for (int j = i; j < M; j++) {
      cov[i][j] = 0.0;
      for (int k = 0; k < N; k++)
        cov[i][j] += data[k][i] * data[k][j];
      cov[i][j] /= (N - 1.0);
      cov[j][i] = cov[i][j];
    }
}

void correlation(double data[restrict N][M], double corr[restrict M][M], double mean[restrict M], double dev[restrict M]) {
  for (int j = 0; j < M; j++) {
    mean[j] = 0.0;
    for (int i = 0; i < N; i++)
      mean[j] += data[i][j];
    mean[j] /= N;
  }
  for (int j = 0; j < M; j++) {
    dev[j] = 0.0;
    for (int i = 0; i < N; i++)
      dev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    dev[j] = sqrt(dev[j] / N);
    dev[j] = dev[j] <= 0.1 ? 1.0 : dev[j];
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      data[i][j] = (data[i][j] - mean[j]) / (sqrt((double)N) * dev[j]);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      corr[i][j] = 0.0;
      for (int k = 0; k < N; k++)
        corr[i][j] += data[k][i] * data[k][j];
    }
}

void fdtd_2d(double ex[restrict NX][NY], double ey[restrict NX][NY], double hz[restrict NX][NY], const double f[T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < NY; j++)
      ey[0][j] = f[t];
    for (int i = 1; i < NX; i++)
      for (int j = 0; j < NY; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < NX; i++)
      for (int j = 1; j < NY; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < NX - 1; i++)
      for (int j = 0; j < NY - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

// Each turn needs the ones before.
void trisolv(const double L[N][N], double x[restrict N], const double b[N]) {
  for (int i = 0; i < N; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / (2.0 + L[i][i]);
  }
}

void floyd_warshall(int path[restrict N][N]) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        path[i][j] = path[i][j] < path[i][k] / 4 + path[k][j] / 4 ? path[i][j] : path[i][k] / 4 + path[k][j] / 4;
}

void deriche_row(const float x[N], float y[restrict N]) {
  float ym1 = 0.0f, ym2 = 0.0f, xm1 = 0.0f;
  for (int j = 0; j < N; j++) {
    y[j] = 0.3f * x[j] + 0.2f * xm1 + 0.5f * ym1 - 0.1f * ym2;
    xm1 = x[j];
    ym2 = ym1;
    ym1 = y[j];
  }
}
