// test: round-trip
// run: matvec I=9 K=7
#ifndef I
#define I 4096
#define K 4096
#endif

void matvec(float w[restrict I], const float M[I][K], const float v[K]) {
#pragma mdh( w[i] : ++ , + )
  for (int i = 0; i < I; ++i)
    for (int k = 0; k < K; ++k)
      w[i] += M[i][k] * v[k];
}
