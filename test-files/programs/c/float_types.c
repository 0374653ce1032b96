// test: round-trip
// Floats of two widths: where a value is rounded, converted or compared.
// run: rounded_at_each_store
// run: double_constant_widens
// run: float_constant_stays
// run: int_to_float_rounds
// run: double_to_int_truncates
// run: negative_to_unsigned_by_int
// run: integer_division_first
// run: mixed_ternary
// run: compare_with_zero
// run: signed_zero
// run: kahan
// run: naive_against_pairwise
#include <math.h>
#define N 15

void rounded_at_each_store(float y[restrict N], const float x[N]) {
  float s = 16777216.0f;
  for (int i = 0; i < N; i++) {
    s += 1.0f + 0 * x[i];
    y[i] = s;
  }
}

// 0.1 is a double: the product is one, and is rounded once.
void double_constant_widens(float y[restrict N], const float x[N]) {
  for (int i = 0; i < N; i++) y[i] = x[i] * 0.1 + 0.7;
}

void float_constant_stays(float y[restrict N], const float x[N]) {
  for (int i = 0; i < N; i++) y[i] = x[i] * 0.1f + 0.7f;
}

// 2^24 + 1 is no float.
void int_to_float_rounds(float y[restrict 3], const int x[N]) {
  int big = 16777217 + 0 * x[0];
  y[0] = big;
  y[1] = big + 1.0f;
  y[2] = (double)big - 16777216;
}

void double_to_int_truncates(int y[restrict N], const double x[N]) {
  for (int i = 0; i < N; i++) y[i] = (int)(x[i] * 10) + (int)-2.9;
}

void negative_to_unsigned_by_int(unsigned y[restrict N], const float x[N]) {
  for (int i = 0; i < N; i++) y[i] = (int)(x[i] * 100);
}

void integer_division_first(double y[restrict N], const int x[N]) {
  for (int i = 0; i < N; i++) y[i] = x[i] / 2 + x[i] / 2.0 + 1 / 3 * 100.0;
}

// Both arms are converted to double.
void mixed_ternary(double y[restrict N], const float x[N], const int k[N]) {
  for (int i = 0; i < N; i++) y[i] = (k[i] > 0 ? k[i] : x[i]) + (x[i] > 0 ? 1 : 2.5);
}

void compare_with_zero(int y[restrict N], const float x[N]) {
  for (int i = 0; i < N; i++) {
    float d = x[i] - x[i];
    y[i] = (x[i] ? 1 : 0) + (d ? 10 : 20) + (!x[i] ? 100 : 200) + (x[i] && d ? 1000 : 2000);
  }
}

void signed_zero(double y[restrict 4], const double x[N]) {
  double zero = x[0] - x[0];
  y[0] = 1 / -zero;
  y[1] = -zero == zero;
  y[2] = copysign(1, -zero);
  y[3] = zero - zero;
}

double kahan(const float x[N]) {
  float s = 10000, c = 0;
  for (int i = 0; i < N; i++) {
    float y = x[i] * 1e-3f - c;
    float t = s + y;
    c = (t - s) - y;
    s = t;
  }
  return (double)s - (double)c;
}

void naive_against_pairwise(float y[restrict 2], const float x[N]) {
  float naive = 0, part[16];
  for (int i = 0; i < N; i++) {
    naive += x[i];
    part[i] = x[i];
  }
  part[N] = 0;
  for (int half = 8; half > 0; half /= 2)
    for (int i = 0; i < half; i++) part[i] += part[i + half];
  y[0] = naive;
  y[1] = part[0];
}
