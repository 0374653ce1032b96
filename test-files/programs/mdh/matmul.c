// test: round-trip
// run: matmul I=4 J=5 K=6
#ifndef I
#define I 16
#define J 1000
#define K 2048
#endif

void matmul(float C[restrict I][J], const float A[I][K], const float B[K][J]) {
#pragma mdh( C[i][j] : ++ , ++ , + )
  for (int i = 0; i < I; ++i)
    for (int j = 0; j < J; ++j)
      for (int k = 0; k < K; ++k)
        C[i][j] += A[i][k] * B[k][j];
}
