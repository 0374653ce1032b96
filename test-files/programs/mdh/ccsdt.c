// test: round-trip
// run: gdab_efgc N=2 M=3
// run: gdac_efgb N=2 M=3
// run: gdbc_efga N=2 M=3
// run: geab_dfgc N=2 M=3
// run: geac_dfgb N=2 M=3
// run: gebc_dfga N=2 M=3
// run: gfab_degc N=2 M=3
// run: gfac_degb N=2 M=3
// run: gfbc_dega N=2 M=3
// The nine contractions of CCSD(T): abcdef-LEFT-RIGHT. From the list in tools/run/tests/studies.rs, which compares.
#ifndef N
#define N 16
#define M 24
#endif

void gdab_efgc(float O[restrict M][N][N][N][M][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
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

void gdac_efgb(float O[restrict M][N][N][N][M][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < N; ++d)
      for (int e = 0; e < M; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][d][a][c] * Y[e][f][g][b];
}

void gdbc_efga(float O[restrict M][N][N][N][M][N], const float X[M][N][N][N], const float Y[M][N][M][M]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < N; ++d)
      for (int e = 0; e < M; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][d][b][c] * Y[e][f][g][a];
}

void geab_dfgc(float O[restrict M][N][N][M][N][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < M; ++d)
      for (int e = 0; e < N; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][e][a][b] * Y[d][f][g][c];
}

void geac_dfgb(float O[restrict M][N][N][M][N][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < M; ++d)
      for (int e = 0; e < N; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][e][a][c] * Y[d][f][g][b];
}

void gebc_dfga(float O[restrict M][N][N][M][N][N], const float X[M][N][N][N], const float Y[M][N][M][M]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < M; ++d)
      for (int e = 0; e < N; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][e][b][c] * Y[d][f][g][a];
}

void gfab_degc(float O[restrict M][N][N][M][N][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < M; ++d)
      for (int e = 0; e < N; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][f][a][b] * Y[d][e][g][c];
}

void gfac_degb(float O[restrict M][N][N][M][N][N], const float X[M][N][M][N], const float Y[M][N][M][N]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < M; ++d)
      for (int e = 0; e < N; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][f][a][c] * Y[d][e][g][b];
}

void gfbc_dega(float O[restrict M][N][N][M][N][N], const float X[M][N][N][N], const float Y[M][N][M][M]) {
#pragma mdh( O[a][b][c][d][e][f] : ++ , ++ , ++ , ++ , ++ , ++ , + )
  for (int a = 0; a < M; ++a)
   for (int b = 0; b < N; ++b)
    for (int c = 0; c < N; ++c)
     for (int d = 0; d < M; ++d)
      for (int e = 0; e < N; ++e)
       for (int f = 0; f < N; ++f)
        for (int g = 0; g < M; ++g)
         O[a][b][c][d][e][f] += X[g][f][b][c] * Y[d][e][g][a];
}
