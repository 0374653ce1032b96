// test: round-trip
// Hashes, generators of random numbers, and conversions of bytes.
// run: adler
// run: crc
// run: fnv
// run: xorshift
// run: lcg
// run: rotate
// run: saturating_add
// run: average_without_overflow
// run: sign_extension
// run: zero_extension
// run: low_bytes
// run: division_of_unsigned
// run: remainder_of_bytes
// run: bool_from_numbers
#include <stdint.h>
#include <stdbool.h>
#define N 29

unsigned adler(const unsigned char x[restrict N]) {
  unsigned a = 1, b = 0;
  for (int i = 0; i < N; i++) {
    a = (a + x[i]) % 65521u;
    b = (b + a) % 65521u;
  }
  return b << 16 | a;
}

uint32_t crc(const uint8_t x[restrict N]) {
  uint32_t c = 0xffffffffu;
  for (int i = 0; i < N; i++) {
    c ^= x[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

uint64_t fnv(const uint8_t x[restrict N]) {
  uint64_t h = 14695981039346656037ull;
  for (int i = 0; i < N; i++) {
    h ^= x[i];
    h *= 1099511628211ull;
  }
  return h;
}

void xorshift(uint32_t y[restrict N]) {
  uint32_t s = 2463534242u;
  for (int i = 0; i < N; i++) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    y[i] = s;
  }
}

void lcg(int y[restrict N]) {
  unsigned s = 12345;
  for (int i = 0; i < N; i++) {
    s = s * 1103515245u + 12345u;
    y[i] = (int)(s / 65536u % 32768u);
  }
}

static uint32_t rotl(uint32_t v, int by) { return v << by | v >> (32 - by); }

void rotate(uint32_t y[restrict N], const uint32_t x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = rotl(x[i], 1 + i % 31);
}

void saturating_add(int8_t y[restrict N], const int8_t a[restrict N], const int8_t b[restrict N]) {
  for (int i = 0; i < N; i++) {
    int s = 12 * a[i] + 7 * b[i];
    y[i] = s > INT8_MAX ? INT8_MAX : s < INT8_MIN ? INT8_MIN : s;
  }
}

void average_without_overflow(unsigned y[restrict N], const unsigned a[restrict N], const unsigned b[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = (a[i] & b[i]) + ((a[i] ^ b[i]) >> 1);
}

void sign_extension(long y[restrict N][3], const signed char x[restrict N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = x[i];
    y[i][1] = (short)(x[i] << 4);
    y[i][2] = (long)x[i] << 33;
  }
}

void zero_extension(long y[restrict N][3], const unsigned char x[restrict N]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = x[i];
    y[i][1] = (unsigned short)(x[i] << 9);
    y[i][2] = (unsigned long)x[i] << 56;
  }
}

void low_bytes(unsigned char y[restrict N][4], const uint32_t x[restrict N]) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 4; k++) y[i][k] = x[i] * 16777619u >> 8 * k;
}

void division_of_unsigned(unsigned y[restrict N][2], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    unsigned u = x[i];
    y[i][0] = u / 3;
    y[i][1] = u % 10u;
  }
}

void remainder_of_bytes(int y[restrict N], const signed char x[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = x[i] % 3 * 100 + (unsigned char)x[i] % 3;
}

// Any value but 0 is true, also one whose low byte is 0.
void bool_from_numbers(int y[restrict 6]) {
  bool a = 256, b = 0.25, c = 0, d = -1;
  y[0] = a;
  y[1] = b;
  y[2] = c;
  y[3] = d + d;
  y[4] = (bool)512 + (bool)0.0;
  y[5] = !a;
}
