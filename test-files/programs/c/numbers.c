// test: round-trip
// Numbers of combinatorics and number theory.
// run: catalan
// run: partitions
// run: stirling
// run: binomials_mod
// run: extended_gcd
// run: power_mod
// run: totients
// run: perfect_numbers
// run: roman_values
#include <math.h>
#define N 9
#define INF 1000000

void catalan(long c[restrict 20]) {
  for (int n = 0; n < 20; n++) {
    c[n] = n == 0;
    for (int k = 0; k < n; k++) c[n] += c[k] * c[n - 1 - k];
  }
}

void partitions(int p[restrict 30]) {
  for (int n = 0; n < 30; n++) p[n] = n == 0;
  for (int part = 1; part < 30; part++)
    for (int n = part; n < 30; n++) p[n] += p[n - part];
}

void stirling(int s[restrict N][N]) {
  for (int n = 0; n < N; n++)
    for (int k = 0; k < N; k++) {
      if (n == 0 && k == 0)
        s[n][k] = 1;
      else if (n == 0 || k == 0 || k > n)
        s[n][k] = 0;
      else
        s[n][k] = k * s[n - 1][k] + s[n - 1][k - 1];
    }
}

void binomials_mod(int row[restrict 20]) {
  for (int k = 0; k < 20; k++) row[k] = k == 0;
  for (int n = 1; n < 40; n++)
    for (int k = 19; k > 0; k--) row[k] = (row[k] + row[k - 1]) % 97;
}

void extended_gcd(int y[restrict 3]) {
  int a = 240, b = 46, x0 = 1, x1 = 0, y0 = 0, y1 = 1;
  while (b != 0) {
    int q = a / b, t = a % b;
    a = b;
    b = t;
    t = x0 - q * x1;
    x0 = x1;
    x1 = t;
    t = y0 - q * y1;
    y0 = y1;
    y1 = t;
  }
  y[0] = a;
  y[1] = x0;
  y[2] = y0;
}

static long power(long base, unsigned exponent, long modulus) {
  long r = 1;
  while (exponent) {
    if (exponent & 1) r = r * base % modulus;
    base = base * base % modulus;
    exponent >>= 1;
  }
  return r;
}

void power_mod(long y[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = power(i + 2, 1000000006u, 1000000007) + power(3, i, 1000);
}

void totients(int phi[restrict 40]) {
  for (int n = 0; n < 40; n++) phi[n] = n;
  for (int p = 2; p < 40; p++)
    if (phi[p] == p)
      for (int n = p; n < 40; n += p) phi[n] -= phi[n] / p;
}

int perfect_numbers(void) {
  int total = 0;
  for (int n = 2; n < 500; n++) {
    int s = 1;
    for (int d = 2; d * d <= n; d++)
      if (n % d == 0) s += d + (d * d == n ? 0 : n / d);
    if (s == n) total += n;
  }
  return total;
}

// Symbols by number; a smaller one in front is subtracted.
int roman_values(void) {
  int value[7] = {1, 5, 10, 50, 100, 500, 1000}, text[7] = {6, 4, 6, 2, 4, 0, 1}, total = 0;
  for (int i = 0; i < 7; i++)
    if (i < 6 && value[text[i]] < value[text[i + 1]])
      total -= value[text[i]];
    else
      total += value[text[i]];
  return total;
}
