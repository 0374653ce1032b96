// test: round-trip
// run: map N=19
// run: largest N=19
// run: sum_max N=19
// run: argmax N=19
#include <math.h>
#ifndef N
#define N 1024
#endif

void map(double y[restrict N], const double x[N]) {
  for (int i = 0; i < N; ++i)
    y[i] = exp(x[i]) / (1.0 + exp(x[i]));
}

float largest(const float x[N]) {
  float m = -INFINITY;
#pragma mdh( m : max )
  for (int i = 0; i < N; ++i)
    m = fmaxf(m, x[i]);
  return m;
}

// Two results in one pass.
void sum_max(float s[restrict 1], float m[restrict 1], const float x[N]) {
#pragma mdh( s[0], m[0] : (+, max) )
  for (int i = 0; i < N; ++i) {
    s[0] += x[i];
    m[0] = fmaxf(m[0], x[i]);
  }
}

struct best { float value; int at; };

#pragma mdh operator(associative, exact)
static struct best first(struct best a, struct best b) { return b.value > a.value ? b : a; }

void argmax(struct best out[restrict 1], const float x[N]) {
  out[0] = (struct best){-INFINITY, -1};
#pragma mdh( out[0] : first ) inout(out)
  for (int i = 0; i < N; ++i)
    out[0] = first(out[0], (struct best){x[i], i});
}
