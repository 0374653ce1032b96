// test: round-trip
// Infinities and NaN, and functions of math.h.
// run: infinities
// run: nan_spreads
// run: nan_in_tests
// run: fmin_fmax_with_nan
// run: rounding_functions
// run: remainder_function
// run: powers
// run: trigonometry
// run: hyperbolic
// run: exponentials
// run: roots
// run: special_functions
// run: copied_signs
// run: fused
#include <math.h>
#define N 15

void infinities(double y[restrict 5], const double x[N]) {
  double big = 1e300 + 0 * x[0], inf = big * big;
  y[0] = inf;
  y[1] = -inf + 1;
  y[2] = 1 / inf;
  y[3] = inf > 1e308;
  y[4] = fmin(inf, 3);
}

void nan_spreads(double y[restrict 4], const double x[N]) {
  double n = sqrt(-1 - x[0] * x[0]);
  y[0] = n + 1;
  y[1] = n * 0;
  y[2] = n != n;
  y[3] = fabs(n);
}

// Every comparison with it is false, and so the other arm is chosen.
void nan_in_tests(int y[restrict 6], const double x[N]) {
  double n = log(-1 - x[0] * x[0]);
  y[0] = n < 1;
  y[1] = n >= 1;
  y[2] = !(n < 1);
  y[3] = n ? 1 : 2;
  y[4] = n > 0 ? 1 : n < 0 ? 2 : 3;
  y[5] = n == 0 || n != 0;
}

void fmin_fmax_with_nan(double y[restrict 4], const double x[N]) {
  double n = sqrt(-1 - x[0] * x[0]);
  y[0] = fmin(n, 2);
  y[1] = fmax(-1, n);
  y[2] = n < 2 ? n : 2;
  y[3] = n > 2 ? n : 2;
}

void rounding_functions(double y[restrict N][6], const double x[N]) {
  for (int i = 0; i < N; i++) {
    double v = x[i] * 8 + (i % 2) * 0.5;
    y[i][0] = floor(v);
    y[i][1] = ceil(v);
    y[i][2] = trunc(v);
    y[i][3] = round(v);
    y[i][4] = rint(i - 7.5);
    y[i][5] = round(i - 7.5);
  }
}

void remainder_function(double y[restrict N], const double x[N]) {
  for (int i = 0; i < N; i++) y[i] = fmod(x[i] * 10, 3) + fmod(-7.5, 2 + i);
}

void powers(double y[restrict N][4], const double x[N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = pow(fabs(x[i]), 2.5);
    y[i][1] = pow(x[i], 3);
    y[i][2] = pow(2, i - 7);
    y[i][3] = pow(x[i], 0);
  }
}

void trigonometry(float y[restrict N][6], const float x[N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = sinf(x[i] * 3);
    y[i][1] = cosf(x[i] * 3);
    y[i][2] = tanf(x[i]);
    y[i][3] = asinf(x[i]);
    y[i][4] = acosf(x[i]);
    y[i][5] = atan2f(x[i], -0.5f);
  }
}

void hyperbolic(double y[restrict N][6], const double x[N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = sinh(x[i]);
    y[i][1] = cosh(x[i]);
    y[i][2] = tanh(x[i]);
    y[i][3] = asinh(x[i]);
    y[i][4] = acosh(1 + fabs(x[i]));
    y[i][5] = atanh(x[i] * 0.9);
  }
}

void exponentials(double y[restrict N][6], const double x[N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = exp(x[i]);
    y[i][1] = exp2(x[i]);
    y[i][2] = expm1(x[i] * 1e-6);
    y[i][3] = log(2 + x[i]);
    y[i][4] = log2(2 + x[i]) + log10(2 + x[i]);
    y[i][5] = log1p(x[i] * 1e-6);
  }
}

void roots(float y[restrict N][2], const float x[N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = sqrtf(x[i] + 1);
    y[i][1] = cbrtf(x[i] * 8);
  }
}

void special_functions(double y[restrict N][2], const double x[N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = erf(x[i]);
    y[i][1] = erfc(x[i]);
  }
}

void copied_signs(float y[restrict N], const float a[N], const float b[N]) {
  for (int i = 0; i < N; i++) y[i] = copysignf(a[i], b[i]) + fabsf(b[i]);
}

// One rounding instead of two.
void fused(double y[restrict 2], const double x[N]) {
  double a = 1 + 1e-8 + 0 * x[0];
  y[0] = fma(a, a, -1) * 1e8;
  y[1] = (fma(a, a, -a * a)) * 1e16;
}
