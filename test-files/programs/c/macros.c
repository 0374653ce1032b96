// test: round-trip
// What the preprocessor does: parameters, nesting, conditions, and the traps of textual expansion.
// run: macro_in_macro
// run: index_macros
// run: minimum_of_three
// run: square_of_sum
// run: conditional_sections
// run: undefined_again
// run: enum_sizes
// run: typed_names
// run: constants_of_all_kinds
// run: long_lines
// run: unused_parameter
// run: redefined_type
#include <math.h>
#define N 9
#define MIN2(a, b) ((a) < (b) ? (a) : (b))
#define MIN3(a, b, c) MIN2(MIN2(a, b), c)
#define SQ(x) ((x) * (x))
#define AT(A, i, j) A[(i) * N + (j)]
#define CLAMP(v, lo, hi) \
  ((v) < (lo)   ? (lo)   \
   : (v) > (hi) ? (hi)   \
                : (v))

#define INNER(x) (x + 1)
#define OUTER(x) (INNER(x) * INNER(INNER(x)))

int macro_in_macro(const int x[N]) {
  int s = 0;
  for (int i = 0; i < N; i++) s += OUTER(x[i]);
  return s;
}

void index_macros(float C[restrict N * N], const float A[N * N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) AT(C, i, j) = AT(A, j, i) + AT(A, i, N - 1 - j);
}

void minimum_of_three(float y[restrict N], const float a[N], const float b[N], const float c[N]) {
  for (int i = 0; i < N; i++) y[i] = MIN3(a[i], b[i], c[i]) + CLAMP(a[i], -0.5f, 0.5f);
}

int square_of_sum(const int x[N]) {
  int s = 0;
  for (int i = 0; i < N - 1; i++) s += SQ(x[i] + x[i + 1]);
  return s;
}

#define MODE 2
#if MODE == 1
#define RESULT 10
#elif MODE == 2 && defined(N) && !defined(NOTHING)
#define RESULT 20
#else
#define RESULT 30
#endif

int conditional_sections(int y[restrict N]) {
  int r = RESULT;
#ifdef NOTHING
  r += 1000;
#else
  r += 1;
#endif
#ifndef NOTHING
  r += 2;
#endif
#if 0
  r += 5000;
#endif
  for (int i = 0; i < N; i++) y[i] = r + i;
  return r;
}

#define STEP 3
void undefined_again(int y[restrict N]) {
  for (int i = 0; i < N; i += STEP) y[i] = 1;
#undef STEP
#define STEP 4
  for (int i = 1; i < N; i += STEP) y[i] = 2;
}

enum { ROWS = 3, COLUMNS, ALL = ROWS * COLUMNS, LAST = ALL - 1, MINUS = -5 };

int enum_sizes(const int A[ROWS][COLUMNS], int y[restrict ALL]) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) y[LAST - (i * COLUMNS + j)] = A[i][j] * MINUS;
  return ALL;
}

typedef float real;
typedef unsigned short int word;

void typed_names(real y[restrict N], const real x[N], const word w[N]) {
  for (int i = 0; i < N; i++) {
    real v = (word)(w[i] * 3);
    v = (real)(word)v + (int)(v + 1);
    y[i] = v * x[i];
  }
}

void constants_of_all_kinds(double y[restrict 12]) {
  y[0] = 0x1F + 017 + 0;
  y[1] = 1e3 + 1.5e-3 + .5 + 2.;
  y[2] = 0.1f;
  y[3] = 1.25E+2;
  y[4] = 'a' + '\t' + '\0' + '\\' + '\'';
  y[5] = 123456789012345;
  y[6] = 4294967295u + 1;
  y[7] = 0xffffffff;
  y[8] = 0x80000000 / 2;
  y[9] = 5 / 2 + 5 / 2.0;
  y[10] = 1u - 2;
  y[11] = 10L * 1000000000;
}

int long_lines(const int x[N]) {
  int s = x[0] \
          + x[1] /* a comment
                    over lines */ + x[2] // and this one
          + x[3];
  return s;
}

int unused_parameter(const int x[N], int k) {
  (void)k;
  return x[0] + x[1];
}

#define int long
int redefined_type(const int x[N]) {
  int s = 1;
  for (int i = 0; i < 40; i++) s *= 3;
  return s + x[0];
}
#undef int
