// test: round-trip
// run: mcc N=1 P=4 Q=5 K=3 C=2
// Multi-channel convolution with padding and a bias: what lies outside contributes nothing.
#ifndef P
#define N 1
#define P 56
#define Q 56
#define K 64
#define C 64
#endif

void mcc(float O[restrict N][P][Q][K], const float X[N][P][Q][C], const float F[K][3][3][C], const float bias[K]) {
#pragma mdh( O[n][p][q][k] : ++ , ++ , ++ , ++ , + , + , + )
  for (int n = 0; n < N; ++n)
    for (int p = 0; p < P; ++p)
      for (int q = 0; q < Q; ++q)
        for (int k = 0; k < K; ++k) {
          O[n][p][q][k] = bias[k];
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s)
              for (int c = 0; c < C; ++c) {
                const int y = p + r - 1, x = q + s - 1;
                if (0 <= y && y < P && 0 <= x && x < Q)
                  O[n][p][q][k] += X[n][y][x][c] * F[k][r][s][c];
              }
        }
}
