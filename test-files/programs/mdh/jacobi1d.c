// test: round-trip
// run: jacobi1d N=11
#ifndef N
#define N 1026
#endif

void jacobi1d(float *restrict y, const float x[N]) {
  for (int i = 0; i < N - 2; ++i)
    y[i] = (x[i] + x[i + 1] + x[i + 2]) / 3.0f;
}
