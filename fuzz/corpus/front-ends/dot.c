// test: round-trip
// run: dot N=37
#ifndef N
#define N 16777216
#endif

float dot(const float *restrict x, const float *restrict y) {
  float s = 0;
#pragma mdh( s : + )
  for (int k = 0; k < N; ++k)
    s += x[k] * y[k];
  return s;
}
