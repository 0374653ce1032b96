// test: round-trip
// run: jacobi3d N=5
// run: flat N=5
#ifndef N
#define N 258
#endif

void jacobi3d(float Y[restrict N - 2][N - 2][N - 2], const float X[N][N][N]) {
#pragma mdh( Y[i][j][k] : ++ , ++ , ++ )
  for (int i = 0; i < N - 2; ++i)
    for (int j = 0; j < N - 2; ++j)
      for (int k = 0; k < N - 2; ++k)
        Y[i][j][k] = 0.125f * (X[i + 1][j + 1][k + 1] + X[i][j + 1][k + 1] + X[i + 2][j + 1][k + 1] + X[i + 1][j][k + 1] +
                               X[i + 1][j + 2][k + 1] + X[i + 1][j + 1][k] + X[i + 1][j + 1][k + 2]);
}

// One dimension in memory, a border that stays, a factor from outside.
#define AT(A, i, j, k) A[((i) * N + (j)) * N + (k)]
void flat(float *restrict Y, const float *restrict X, float w) {
#pragma mdh( AT(Y, i, j, k) : ++ , ++ , ++ )
  for (int i = 1; i < N - 1; ++i)
    for (int j = 1; j < N - 1; ++j)
      for (int k = 1; k < N - 1; ++k)
        AT(Y, i, j, k) = w * (AT(X, i, j, k) + AT(X, i - 1, j, k) + AT(X, i + 1, j, k) + AT(X, i, j - 1, k) +
                              AT(X, i, j + 1, k) + AT(X, i, j, k - 1) + AT(X, i, j, k + 1));
}
