// test: round-trip
// run: jacobi2d N=7
// run: border N=7
#ifndef N
#define N 4098
#endif

void jacobi2d(float Y[restrict N - 2][N - 2], const float X[N][N]) {
  for (int i = 0; i < N - 2; ++i)
    for (int j = 0; j < N - 2; ++j)
      Y[i][j] = 0.2f * (X[i + 1][j + 1] + X[i][j + 1] + X[i + 2][j + 1] + X[i + 1][j] + X[i + 1][j + 2]);
}

// Only the inner part is written: the border stays as it is.
void border(float Y[restrict N][N], const float X[N][N]) {
  for (int i = 1; i < N - 1; ++i)
    for (int j = 1; j < N - 1; ++j)
      Y[i][j] = 0.2f * (X[i][j] + X[i - 1][j] + X[i + 1][j] + X[i][j - 1] + X[i][j + 1]);
}
