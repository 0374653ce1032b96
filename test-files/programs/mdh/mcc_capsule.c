// test: round-trip
// run: mcc_capsule P=3 Q=2 K=2 C=3 M=2
#ifndef P
#define P 7
#define Q 7
#define K 512
#define C 512
#define M 4
#endif

void mcc_capsule(float O[restrict 1][P][Q][K][M][M], const float X[1][P + 2][Q + 2][C][M][M],
                 const float F[K][3][3][C][M][M]) {
#pragma mdh( O[n][p][q][k][mi][mj] : ++ , ++ , ++ , ++ , + , + , + , ++ , ++ , + )
  for (int n = 0; n < 1; ++n)
   for (int p = 0; p < P; ++p)
    for (int q = 0; q < Q; ++q)
     for (int k = 0; k < K; ++k)
      for (int r = 0; r < 3; ++r)
       for (int s = 0; s < 3; ++s)
        for (int c = 0; c < C; ++c)
         for (int mi = 0; mi < M; ++mi)
          for (int mj = 0; mj < M; ++mj)
           for (int mk = 0; mk < M; ++mk)
             O[n][p][q][k][mi][mj] += X[n][p + r][q + s][c][mi][mk] * F[k][r][s][c][mk][mj];
}
