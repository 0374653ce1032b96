// test: round-trip
// run: ccsdt N=2 M=3
// abcdef-gdab-efgc, one of the nine contractions of CCSD(T).
#ifndef N
#define N 16
#define M 24
#endif

void ccsdt(float O[restrict M][N][N][N][M][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < N; ++d)
      for (int e = 0; e < M; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
          O[a][b][c][d][e][f] += X[g][d][a][b] * Y[e][f][g][c];
}
