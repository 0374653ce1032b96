// test: round-trip
// Textbook functions of numbers and arrays, at odd sizes, compared with the system's C compiler.
// run: int_times_real
// run: int_plus_real
// run: float_plus_double
// run: masked_sum
// run: unsigned_wrap
// run: constant_wrap
// run: negative_division
// run: promotions
// run: shifts
// run: shift_counts
// run: popcounts
// run: gray_codes
// run: reversed_bits
// run: parity
// run: compound
// run: ternaries
// run: mixed_signs
// run: char_sums
// run: short_products
// run: casts
// run: bool_values
// run: literals
// run: folded
// run: unary
// run: long_ints
// run: typed_constants
// run: truth
// run: mixed_extremes
#include <stdint.h>
#include <stdbool.h>
#include <math.h>
#define N 37

// What is assigned to a variable is converted behind the operation.
void int_times_real(int y[restrict 1], const int x[restrict N]) {
  int s = 1;
  for (int i = 0; i < N; i++) s *= 1.5;
  int t = 100;
  for (int i = 0; i < 5; i++) t = t * 0.75;
  y[0] = s + t + x[0];
}

void int_plus_real(int y[restrict 3], const int x[restrict N]) {
  int s = 5;
  for (int i = 0; i < N; i++) s += 0.5 * (x[i] % 8);
  int t = 0;
  for (int i = 0; i < N; i++) t -= 0.25 * (x[i] % 16);
  y[0] = s;
  y[1] = t;
  y[2] = 0;
  for (int i = 0; i < N; i++) y[2] += (x[i] % 5) / 3.0;
}

void float_plus_double(float y[restrict 2], const double x[restrict N]) {
  float s = 0;
  for (int i = 0; i < N; i++) s += x[i];
  y[0] = s;
  y[1] = 0;
  for (int i = 0; i < N; i++) y[1] -= 0.1 * x[i];
}

void masked_sum(int y[restrict 3], const int x[restrict N]) {
  int s = 0;
  for (int i = 0; i < N; i++) s = (unsigned char)(s + x[i] % 100);
  int m = 0;
  for (int i = 0; i < N; i++) m = (short)(m * 3 + x[i] % 7);
  unsigned char c = 200;
  for (int i = 0; i < N; i++) c += 17;
  y[0] = s;
  y[1] = m;
  y[2] = c;
}

void unsigned_wrap(unsigned y[restrict N], const unsigned x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned h = 2166136261u;
    for (int k = 0; k < 4; k++) {
      h ^= (x[i] >> (8 * k)) & 0xffu;
      h *= 16777619u;
    }
    y[i] = h;
  }
}

void constant_wrap(unsigned long y[restrict 9], const unsigned x[restrict N]) {
  y[0] = 0xffffffffu + 1u;
  y[1] = (unsigned long)(4000000000u + 500000000u);
  y[2] = -1u;
  y[3] = (unsigned long)-1;
  y[4] = 3u - 5u;
  y[5] = (0u - 1u) / 2u;
  y[6] = 65536u * 65536u;
  y[7] = 65536ul * 65536ul;
  y[8] = (x[0] | 1u) * 0u + (unsigned char)300 + (signed char)200;
}

void negative_division(int y[restrict N][4], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    int a = i - N / 2;
    y[i][0] = a / 3;
    y[i][1] = a % 3;
    y[i][2] = a / -4;
    y[i][3] = (x[i] % 100 - 50) % -7;
  }
}

void promotions(int y[restrict N], const signed char a[restrict N], const unsigned char b[restrict N]) {
  for (int i = 0; i < N; i++) {
    signed char c = a[i];
    unsigned char d = b[i];
    y[i] = c * d + (c >> 1) + (d << 1) - ~d;
  }
}

void shifts(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = (x[i] >> 3) + ((x[i] & 0xff) << 5) - (int)((unsigned)x[i] >> 7);
}

void shift_counts(unsigned long y[restrict 33], const unsigned x[restrict N]) {
  for (int i = 0; i < 33; i++) y[i] = (1ul << i) | (x[i] >> (i % 32));
}

void popcounts(int y[restrict N], const unsigned x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned v = x[i];
    int n = 0;
    while (v) {
      v &= v - 1;
      n++;
    }
    y[i] = n;
  }
}

void gray_codes(unsigned y[restrict 61], unsigned back[restrict 61]) {
  for (unsigned i = 0; i < 61; i++) y[i] = i ^ (i >> 1);
  for (unsigned i = 0; i < 61; i++) {
    unsigned b = y[i];
    for (unsigned m = b >> 1; m; m >>= 1) b ^= m;
    back[i] = b;
  }
}

void reversed_bits(uint32_t y[restrict N], const uint32_t x[restrict N]) {
  for (int i = 0; i < N; i++) {
    uint32_t v = x[i], r = 0;
    for (int k = 0; k < 32; k++) {
      r = (r << 1) | (v & 1);
      v >>= 1;
    }
    y[i] = r;
  }
}

void parity(int y[restrict N], const unsigned x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned v = x[i];
    v ^= v >> 16;
    v ^= v >> 8;
    v ^= v >> 4;
    y[i] = (0x6996 >> (v & 15)) & 1;
  }
}

void compound(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    int v = x[i];
    v += 3;
    v -= i;
    v *= 5;
    v /= 7;
    v %= 1001;
    v <<= 2;
    v >>= 1;
    v &= 0xfff;
    v |= 0x10;
    v ^= i;
    y[i] = v;
  }
}

void ternaries(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++)
    y[i] = x[i] > 0 ? x[i] % 2 ? 1 : 2 : x[i] == 0 ? 3 : x[i] < -1000 ? 4 : 5;
}

void mixed_signs(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned u = i;
    y[i] = (x[i] < u) + 2 * (x[i] % 50 > (int)u) + 4 * (-1 < u) + 8 * (-1 < (long)u);
  }
}

void char_sums(unsigned char y[restrict N], const unsigned char x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = x[i] + x[N - 1 - i];
}

void short_products(short y[restrict N], const short a[restrict N], const short b[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = (a[i] * b[i]) >> 4;
}

void casts(int y[restrict N][5], const double x[restrict N], const int n[restrict N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = (int)(x[i] * 10);
    y[i][1] = (unsigned char)n[i];
    y[i][2] = (signed char)n[i];
    y[i][3] = (short)n[i];
    y[i][4] = (int)(float)(n[i] % 1000) / 3;
  }
}

void bool_values(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    bool a = x[i] & 4;
    _Bool b = x[i] * 0.25;
    y[i] = a + b + !a + !!x[i] + (a && b) + (a || !b);
  }
}

void literals(long y[restrict 12]) {
  y[0] = 'A';
  y[1] = '\n';
  y[2] = '\0';
  y[3] = 0x1F;
  y[4] = 017;
  y[5] = 1000000007L;
  y[6] = 0xFFFFFFFF;
  y[7] = '\\';
  y[8] = '\x41';
  y[9] = sizeof(double) + sizeof(char);
  y[10] = 2147483648;
  y[11] = '\'';
}

enum { BIG = 1 << 20, NEG = -7, HALF = BIG / 3, LAST };
void folded(int y[restrict 8]) {
  y[0] = NEG / 2;
  y[1] = NEG % 2;
  y[2] = NEG >> 1;
  y[3] = HALF;
  y[4] = LAST;
  y[5] = (unsigned)NEG > 3 ? 1 : 2;
  y[6] = (char)300;
  y[7] = 7 / 2 * 2.0;
}

void unary(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = -x[i] + ~x[i] + !x[i] + +i - -i;
}

void long_ints(long y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    long a = x[i];
    y[i] = a * a * 3 + (long)x[i] * x[N - 1 - i] - a / 5 % 11;
  }
}

static const unsigned MASK = ~0u, TOP = 1u << 31;
static const unsigned char SMALL = 300;
void typed_constants(unsigned long y[restrict 4]) {
  y[0] = MASK;
  y[1] = TOP / 2 + MASK % 10;
  y[2] = SMALL;
  y[3] = MASK + 1;
}

void truth(int y[restrict 4], const int x[restrict N]) {
  int all = 1, any = 0, seen = 5;
  for (int i = 0; i < N; i++) all = all && x[i] & 6;
  for (int i = 0; i < N; i++) any = any || x[i] == 7;
  for (int i = 0; i < N; i++) seen = seen || x[i] == 7;
  _Bool b = 1;
  for (int i = 0; i < N; i++) b &= x[i] | 2;
  y[0] = all;
  y[1] = any;
  y[2] = seen;
  y[3] = b;
}

void mixed_extremes(int y[restrict 3], const unsigned x[restrict N], const int w[restrict N]) {
  int m = 0;
  for (int i = 0; i < N; i++)
    if (x[i] > m) m = x[i];
  signed char c = 0;
  for (int i = 0; i < N; i++)
    if (w[i] % 1000 > c) c = w[i] % 1000;
  unsigned u = 5;
  for (int i = 0; i < N; i++)
    if (w[i] < u) u = w[i];
  y[0] = m;
  y[1] = c;
  y[2] = u;
}
