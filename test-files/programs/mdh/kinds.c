// test: round-trip
// run: widen N=17
// run: strided N=9
// run: guarded N=17
// run: shifted N=17
// run: saxpy N=17
// run: parity N=17
// run: collatz N=17
// run: rows N=6
// run: maxplus N=4
// run: reversed N=8
// run: largest N=40
// run: least N=30
#include <stdint.h>
#include <stdbool.h>
#ifndef N
#define N 1024
#endif

// Sums of bytes in 32 bits.
int widen(const int8_t *restrict x, const uint8_t *restrict w) {
  int s = 0;
  for (int i = 0; i < N; ++i)
    s += x[i] * w[i];
  return s;
}

void strided(float y[restrict 2 * N], const float x[3 * N]) {
#pragma mdh( y[2 * i], y[2 * i + 1] : ++ )
  for (int i = 0; i < N; i++) {
    y[2 * i] = x[3 * i];
    y[2 * i + 1] = x[3 * i + 2] - y[2 * i];
  }
}

float guarded(const float *restrict x) {
  float s = 0;
  for (int i = 0; i < N; ++i)
    if (x[i] > 0) s += x[i];
    else s -= 0.5f * x[i];
  return s;
}

void shifted(float y[restrict N], const float x[N]) {
  for (int i = 0; i < N; ++i)
    y[i] = (i > 0 ? x[i - 1] : 0.0f) + (i < N - 1 ? x[i + 1] : 0.0f);
}

// In place: every turn reads what it writes, nothing else.
void saxpy(double y[restrict N], const double x[N], double a) {
  for (int i = 0; i < N; ++i)
    y[i] += a * x[i];
}

bool parity(const unsigned *restrict x) {
  unsigned all = 0;
  for (int i = 0; i < N; ++i)
    all ^= x[i];
  all ^= all >> 16;
  return (all & 1u) != 0;
}

static int step(int n) {
  if (n % 2 == 0) return n / 2;
  return 3 * n + 1;
}

void collatz(int *restrict y, const int *restrict x) {
  for (int i = 0; i < N; ++i) {
    int n = x[i] < 1 ? 1 : x[i];
    y[i] = step(step(step(n)));
  }
}

enum { PAD = 2 };

void rows(long s[restrict N], const int x[N][N + PAD]) {
  for (int i = 0; i < N; ++i) {
    s[i] = 10;
    for (int j = 0; j < N; ++j)
      s[i] += (long)x[i][j + PAD] * i;
  }
}

void maxplus(int C[restrict N][N], const int A[N][N], const int B[N][N]) {
#pragma mdh( C[i][j] : ++ , ++ , max ) inout(C)
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < N; ++k)
        C[i][j] = C[i][j] > A[i][k] + B[k][j] ? C[i][j] : A[i][k] + B[k][j];
}

void reversed(float y[restrict N], const float *x) {
  for (int i = N - 1; i >= 0; i--)
    y[i] = x[N - 1 - i];
}

unsigned largest(const unsigned *restrict x) {
  unsigned m = 0;
  for (int i = 0; i < N; ++i)
    if (x[i] > m) m = x[i];
  return m;
}

void least(uint8_t m[restrict N], const uint8_t x[N][N]) {
#pragma mdh( m[i] : ++ , min ) inout(m) order(free)
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k)
      m[i] = x[i][k] < m[i] ? x[i][k] : m[i];
}
