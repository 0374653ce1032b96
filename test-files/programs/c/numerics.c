// test: round-trip
// Numerical methods on floats.
// run: horner_against_powers
// run: newton_sqrt
// run: simpson
// run: bisection
// run: polar
// run: quaternion_product
// run: complex_by_hand
// run: mandelbrot_count
#include <math.h>
#define N 15

void horner_against_powers(double y[restrict 2], const double c[N]) {
  double h = 0, p = 0, x = 0.75;
  for (int i = N - 1; i >= 0; i--) h = h * x + c[i];
  for (int i = 0; i < N; i++) p += c[i] * pow(x, i);
  y[0] = h;
  y[1] = p;
}

void newton_sqrt(double y[restrict N], const double x[N]) {
  for (int i = 0; i < N; i++) {
    double v = fabs(x[i]) + 0.01, r = v;
    for (int k = 0; k < 20 && fabs(r * r - v) > 1e-12; k++) r = 0.5 * (r + v / r);
    y[i] = r;
  }
}

static double curve(double x) { return x * exp(-x) + sin(3 * x); }

double simpson(void) {
  double h = 2.0 / 20, s = curve(0) + curve(2);
  for (int i = 1; i < 20; i++) s += (i % 2 ? 4 : 2) * curve(i * h);
  return s * h / 3;
}

double bisection(void) {
  double low = 1, high = 2;
  while (high - low > 1e-9) {
    double mid = (low + high) / 2;
    if (curve(low) * curve(mid) <= 0)
      high = mid;
    else
      low = mid;
  }
  return low;
}

void polar(double r[restrict N], double phi[restrict N], const double x[N], const double y[N]) {
  for (int i = 0; i < N; i++) {
    r[i] = sqrt(x[i] * x[i] + y[i] * y[i]);
    phi[i] = atan2(y[i], x[i]) * 180 / M_PI;
  }
}

void quaternion_product(float c[restrict 4], const float a[4], const float b[4]) {
  c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// Two floats side by side are a complex number.
void complex_by_hand(float z[restrict N][2], const float a[N][2], const float b[N][2]) {
  for (int i = 0; i < N; i++) {
    float re = a[i][0] * b[i][0] - a[i][1] * b[i][1];
    float im = a[i][0] * b[i][1] + a[i][1] * b[i][0];
    z[i][0] = re;
    z[i][1] = im;
  }
}

void mandelbrot_count(int y[restrict 5][7]) {
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 7; j++) {
      double cr = -2 + j * 0.4, ci = -1 + i * 0.45, zr = 0, zi = 0;
      int n = 0;
      while (zr * zr + zi * zi < 4 && n < 30) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
      }
      y[i][j] = n;
    }
}
