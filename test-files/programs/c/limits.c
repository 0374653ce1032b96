// test: round-trip
// Constants of the standard headers, and their types.
// run: limits_of_int
// run: limits_of_long
// run: limits_of_floats
// run: limits_have_types
// run: not_a_number
// run: own_constants
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#define M_LN2 2

void limits_of_int(int y[restrict 14]) {
  y[0] = CHAR_BIT;
  y[1] = SCHAR_MAX;
  y[2] = SCHAR_MIN;
  y[3] = UCHAR_MAX;
  y[4] = SHRT_MAX;
  y[5] = SHRT_MIN;
  y[6] = USHRT_MAX;
  y[7] = INT_MAX;
  y[8] = INT_MIN;
  y[9] = INT8_MAX + INT8_MIN;
  y[10] = INT16_MIN + UINT8_MAX;
  y[11] = INT32_MAX + INT32_MIN;
  y[12] = UINT16_MAX;
  y[13] = CHAR_MAX + CHAR_MIN;
}

void limits_of_long(long y[restrict 6]) {
  y[0] = LONG_MAX;
  y[1] = LONG_MIN;
  y[2] = INT64_MAX + INT64_MIN;
  y[3] = ULONG_MAX;
  y[4] = UINT32_MAX;
  y[5] = SIZE_MAX / 3;
}

void limits_of_floats(double y[restrict 12]) {
  y[0] = FLT_MAX;
  y[1] = FLT_MIN;
  y[2] = FLT_EPSILON;
  y[3] = DBL_MAX;
  y[4] = DBL_MIN * 4;
  y[5] = DBL_EPSILON;
  y[6] = M_PI_2 + M_PI_4;
  y[7] = M_E;
  y[8] = M_SQRT2 * M_SQRT1_2;
  y[9] = M_1_PI;
  y[10] = -HUGE_VAL;
  y[11] = M_LN10;
}

// `UINT_MAX` is unsigned and wraps, `UINT8_MAX` is an int and does not.
void limits_have_types(long y[restrict 5]) {
  y[0] = UINT_MAX + 1;
  y[1] = UINT8_MAX + 1;
  y[2] = -1 < UINT_MAX;
  y[3] = -1 < UINT16_MAX;
  y[4] = (FLT_MAX * 2 > DBL_MAX) + (1 + FLT_EPSILON / 2 == 1);
}

// It is equal to nothing, itself included.
void not_a_number(int y[restrict 3], const float x[restrict 3]) {
  float n = NAN;
  y[0] = n == n;
  y[1] = x[0] * n != x[0] * n;
  y[2] = fmaxf(n, x[1]) == x[1];
}

// What a program defines itself comes first.
void own_constants(int y[restrict 2]) {
  int INT_WIDTH = 5;
  y[0] = M_LN2;
  y[1] = INT_WIDTH;
}
