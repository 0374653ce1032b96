// test: round-trip
// run: scan N=13
// run: mbbs I=6 J=5 N=13
#include <math.h>
#ifndef N
#define N 1048576
#endif
#ifndef I
#define I 4096
#define J 4096
#endif

void scan(float y[restrict N], const float x[N]) {
  float s = 0;
#pragma mdh( y[i] : ps(+) )
  for (int i = 0; i < N; ++i) {
    s += x[i];
    y[i] = s;
  }
}

// Maximum bottom box sum: prefixes over rows of the sums of rows; then the largest.
float mbbs(const int x[I][J], int sums[restrict I]) {
  int s = 0;
#pragma mdh( sums[i] : ++prefix-sum(+) , + )
  for (int i = 0; i < I; ++i)
    for (int j = 0; j < J; ++j) {
      s += x[i][j];
      sums[i] = s;
    }
  int best = sums[0];
#pragma mdh( best : max )
  for (int i = 0; i < I; ++i)
    if (sums[i] > best) best = sums[i];
  return best;
}
