// test: round-trip
// run: gemm NI=5 NJ=6 NK=7
// run: two_products NI=4 NJ=5 NK=6 NL=3
// run: three_products NI=4 NJ=5 NK=6 NL=3 NM=7
// run: atax M=5 N=7
// run: bicg M=5 N=7
// run: mvt N=7
// run: gesummv N=6
// run: gemver N=5
// run: syrk N=5 M=4
// run: syr2k N=5 M=4
// run: symmetric_rank N=5 M=4
// Kernels in the manner of PolyBench/C, written for this file: nests of loops as people write them.
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef M
#define M 48
#endif
#ifndef NI
#define NI 32
#endif
#ifndef NJ
#define NJ 36
#endif
#ifndef NK
#define NK 40
#endif
#ifndef NL
#define NL 44
#endif
#ifndef NM
#define NM 48
#endif

void gemm(double alpha, double beta, double C[restrict NI][NJ], const double A[NI][NK], const double B[NK][NJ]) {
  for (int i = 0; i < NI; i++) {
    for (int j = 0; j < NJ; j++)
      C[i][j] *= beta;
    for (int k = 0; k < NK; k++)
      for (int j = 0; j < NJ; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}

// D = alpha A B C + beta D
void two_products(double alpha, double beta, double tmp[restrict NI][NJ], const double A[NI][NK], const double B[NK][NJ],
                  const double C[NJ][NL], double D[restrict NI][NL]) {
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NJ; j++) {
      tmp[i][j] = 0.0;
      for (int k = 0; k < NK; ++k)
        tmp[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NL; j++) {
      D[i][j] *= beta;
      for (int k = 0; k < NJ; ++k)
        D[i][j] += tmp[i][k] * C[k][j];
    }
}

void three_products(double E[restrict NI][NJ], const double A[NI][NK], const double B[NK][NJ], double F[restrict NJ][NL],
                    const double C[NJ][NM], const double D[NM][NL], double G[restrict NI][NL]) {
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NJ; j++) {
      E[i][j] = 0.0;
      for (int k = 0; k < NK; ++k)
        E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < NJ; i++)
    for (int j = 0; j < NL; j++) {
      F[i][j] = 0.0;
      for (int k = 0; k < NM; ++k)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < NI; i++)
    for (int j = 0; j < NL; j++) {
      G[i][j] = 0.0;
      for (int k = 0; k < NJ; ++k)
        G[i][j] += E[i][k] * F[k][j];
    }
}

void atax(const double A[M][N], const double x[N], double y[restrict N], double tmp[restrict M]) {
  for (int i = 0; i < N; i++)
    y[i] = 0;
  for (int i = 0; i < M; i++) {
    tmp[i] = 0.0;
    for (int j = 0; j < N; j++)
      tmp[i] = tmp[i] + A[i][j] * x[j];
    for (int j = 0; j < N; j++)
      y[j] = y[j] + A[i][j] * tmp[i];
  }
}

void bicg(const double A[N][M], double s[restrict M], double q[restrict N], const double p[M], const double r[N]) {
  for (int i = 0; i < M; i++)
    s[i] = 0;
  for (int i = 0; i < N; i++) {
    q[i] = 0.0;
    for (int j = 0; j < M; j++) {
      s[j] = s[j] + r[i] * A[i][j];
      q[i] = q[i] + A[i][j] * p[j];
    }
  }
}

void mvt(double x1[restrict N], double x2[restrict N], const double y1[N], const double y2[N], const double A[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x1[i] = x1[i] + A[i][j] * y1[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x2[i] = x2[i] + A[j][i] * y2[j];
}

void gesummv(double alpha, double beta, const double A[N][N], const double B[N][N], double tmp[restrict N],
             const double x[N], double y[restrict N]) {
  for (int i = 0; i < N; i++) {
    tmp[i] = 0.0;
    y[i] = 0.0;
    for (int j = 0; j < N; j++) {
      tmp[i] = A[i][j] * x[j] + tmp[i];
      y[i] = B[i][j] * x[j] + y[i];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

void gemver(double alpha, double beta, double A[restrict N][N], const double u1[N], const double v1[N], const double u2[N],
            const double v2[N], double w[restrict N], double x[restrict N], const double y[N], const double z[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < N; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
}

// Triangles: the inner bound depends on the outer loop.
void syrk(double alpha, double beta, double C[restrict N][N], const double A[N][M]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < M; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}

void syr2k(double alpha, double beta, double C[restrict N][N], const double A[N][M], const double B[N][M]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < M; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
  }
}

// The same triangle by a condition on a box: a computation.
void symmetric_rank(double alpha, double C[restrict N][N], const double A[N][M]) {
#pragma mdh( C[i][j] : ++ , ++ , + ) inout(C)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < M; k++)
        if (j <= i)
          C[i][j] += alpha * A[i][k] * A[j][k];
}
