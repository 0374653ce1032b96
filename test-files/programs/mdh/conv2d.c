// test: round-trip
// run: conv2d P=6 Q=5
#ifndef P
#define P 220
#define Q 220
#endif

void conv2d(float O[restrict P][Q], const float X[P + 4][Q + 4], const float W[5][5]) {
#pragma mdh( O[p][q] : ++ , ++ , + , + )
  for (int p = 0; p < P; ++p)
    for (int q = 0; q < Q; ++q)
      for (int r = 0; r < 5; ++r)
        for (int s = 0; s < 5; ++s)
          O[p][q] += X[p + r][q + s] * W[r][s];
}
