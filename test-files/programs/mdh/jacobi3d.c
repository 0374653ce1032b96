// test: round-trip
// run: jacobi3d N=5
#ifndef N
#define N 256
#endif
#define AT(A, i, j, k) A[((i) * N + (j)) * N + (k)]

void jacobi3d(float *restrict Y, const float *restrict X, float w) {
#pragma mdh( AT(Y, i, j, k) : ++ , ++ , ++ )
  for (int i = 1; i < N - 1; ++i)
    for (int j = 1; j < N - 1; ++j)
      for (int k = 1; k < N - 1; ++k)
        AT(Y, i, j, k) = w * (AT(X, i, j, k) + AT(X, i - 1, j, k) + AT(X, i + 1, j, k) + AT(X, i, j - 1, k) +
                              AT(X, i, j + 1, k) + AT(X, i, j, k - 1) + AT(X, i, j, k + 1));
}
