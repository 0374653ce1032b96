// test: round-trip
// run: matmul_t I=4 J=5 K=6
#ifndef I
#define I 10
#define J 500
#define K 64
#endif

void matmul_t(float C[restrict J][I], const float A[K][I], const float B[J][K]) {
#pragma mdh( C[j][i] : ++ , ++ , + )
  for (int i = 0; i < I; ++i)
    for (int j = 0; j < J; ++j)
      for (int k = 0; k < K; ++k)
        C[j][i] += A[k][i] * B[j][k];
}
