// test: round-trip
// Integers that wrap, narrow and change sign where C says that they do.
// run: char_counter
// run: signed_char_negation
// run: short_accumulator
// run: unsigned_short_difference
// run: unsigned_char_product
// run: unsigned_down_loop
// run: unsigned_distance
// run: long_from_int_product
// run: long_from_long_product
// run: unsigned_compare
// run: signed_sum
// run: narrow_shift
// run: chars_are_signed
#include <stdint.h>
#include <stdbool.h>
#define N 29

// 256 is 0 again.
void char_counter(int y[restrict 1]) {
  unsigned char c = 0;
  for (int i = 0; i < 1000; i++) c++;
  y[0] = c;
}

// -(-128) does not fit.
void signed_char_negation(signed char y[restrict 5]) {
  signed char lowest = -128;
  y[0] = -lowest;
  y[1] = lowest - 1;
  y[2] = lowest / -1;
  y[3] = ~lowest;
  lowest--;
  y[4] = lowest;
}

void short_accumulator(short y[restrict N], const short x[restrict N]) {
  short s = 32000;
  for (int i = 0; i < N; i++) {
    s += x[i] * 100;
    y[i] = s;
  }
}

// Operands are promoted: the difference is negative until it is stored.
void unsigned_short_difference(int y[restrict N], const unsigned short a[restrict N],
                               const unsigned short b[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned short d = a[i] - b[i];
    y[i] = d + (a[i] - b[i]);
  }
}

void unsigned_char_product(int y[restrict N], const unsigned char x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned char p = x[i] * x[i];
    y[i] = p - x[i] * x[i];
  }
}

// A loop that counts down stops by a test before the subtraction.
unsigned unsigned_down_loop(const unsigned x[restrict N]) {
  unsigned s = 0;
  for (unsigned i = N; i > 0; i--) s = s * 31u + x[i - 1];
  return s;
}

void unsigned_distance(unsigned y[restrict N], const unsigned x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned other = x[(i * 7) % N];
    y[i] = x[i] > other ? x[i] - other : other - x[i];
  }
}

// The product is an int, and wraps before it becomes long.
void long_from_int_product(long y[restrict N], const unsigned x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = x[i] * 2654435761u;
}

void long_from_long_product(long y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = (long)x[i] * 2000000011;
}

// A negative int is a large number next to an unsigned one.
void unsigned_compare(int y[restrict N][3], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = x[i] < 3u;
    y[i][1] = x[i] < 3;
    y[i][2] = (unsigned char)x[i] < 3u;
  }
}

void chars_are_signed(int y[restrict 3]) {
  char high = (char)200;
  y[0] = high;
  y[1] = high < 0;
  y[2] = '\n' + 'A' - 'a';
}

// What the compiler does with `-fwrapv`.
void signed_sum(int y[restrict 4]) {
  int top = 2147483647, bottom = -2147483647 - 1;
  y[0] = top + 1;
  y[1] = bottom - 1;
  y[2] = top * 2;
  y[3] = -bottom;
}

void narrow_shift(int y[restrict N], const unsigned char x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned char s = x[i] << 3;
    s >>= 2;
    y[i] = s - (x[i] << 3 >> 2);
  }
}
