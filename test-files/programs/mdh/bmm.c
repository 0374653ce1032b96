// test: round-trip
// run: bmm B=2 I=3 J=4 K=5
#ifndef B
#define B 16
#define I 10
#define J 500
#define K 64
#endif

// Bare pointers: subscripts are sums over the loops.
void bmm(float *restrict C, const float *A, const float *D) {
#pragma mdh( C[(b * I + i) * J + j] : ++ , ++ , ++ , + )
  for (int b = 0; b < B; ++b)
    for (int i = 0; i < I; ++i)
      for (int j = 0; j < J; ++j)
        for (int k = 0; k < K; ++k)
          C[(b * I + i) * J + j] += A[(b * I + i) * K + k] * D[(b * K + k) * J + j];
}
