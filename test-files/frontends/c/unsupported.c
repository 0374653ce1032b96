// test: opt --split-input-file --verify-diagnostics --input=c
// Valid C that has no place here: each construct is refused by its name, where it stands.

void jumps(int y[restrict 4]) {
  int i = 0;
  // expected-error @+1 {{[E0809]: C-FLOW: `a label` has no place here; use `for`, `while`, `if`}}
again:
  y[i] = i;
  i++;
  if (i < 4) goto again;
}

// -----
void strings(int y[restrict 4]) {
  // expected-error @+1 {{string}}
  const char *text = "abc";
  y[0] = text[0];
}

// -----
void assigned_in_subscript(int y[restrict 4], const int x[restrict 4]) {
  int n = 0;
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{[E0801]: C-SYNTAX: an assignment inside of an expression; make it a statement}}
    y[n++] = x[i];
}

// -----
int assigned_in_test(const int x[restrict 4]) {
  int v, i = 0, s = 0;
  // expected-error @+1 {{an assignment inside of an expression; make it a statement}}
  while ((v = x[i]) > 0) {
    s += v;
    i++;
  }
  return s;
}

// -----
int counted_in_test(const int x[restrict 4]) {
  int n = 4, s = 0;
  // expected-error @+1 {{an assignment inside of an expression; make it a statement}}
  while (n-- > 0) s += x[n];
  return s;
}

// -----
static void set(int *p) { *p = 4; }
int address_of_variable(void) {
  int v = 0;
  // expected-error @+1 {{[E0811]: C-TYPE: addresses are taken of elements only: `&a[i]`}}
  set(&v);
  return v;
}

// -----
typedef double matrix[4][4];
// expected-error @-1 {{[E0811]: C-TYPE: only names for numbers and structures}}

// -----
struct pair { int a, b; };
struct pair whole;
// expected-error @-1 {{[E0811]: C-TYPE: whole is a structure of the whole file; pass it to the function}}
// expected-error @-2 {{whole}}
int file_scope_structure(void) { return whole.a; }

// -----
struct bits {
  // expected-error @+1 {{bit}}
  unsigned low : 3;
  unsigned high : 5;
};
// expected-error @+1 {{struct bits has no fields here}}
int bit_field(struct bits b[restrict 2]) { return b[0].low; }

// -----
// expected-error @+1 {{pointer}}
void function_pointer(int y[restrict 4], int (*f)(int)) {
  for (int i = 0; i < 4; i++) y[i] = f(i);
}

// -----
static int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
// expected-error @-1 {{[E0810]: C-CALL: factorial calls itself}}
void recursive(int y[restrict 4]) {
  for (int i = 0; i < 4; i++) y[i] = factorial(i);
}

// -----
void allocated(int y[restrict 4]) {
  // expected-error @+1 {{[E0811]: C-TYPE: it is not known what p points to; a pointer is a place in an array}}
  int *p = malloc(16);
  y[0] = p[0];
}

// -----
// expected-error @+1 {{[E0801]: C-SYNTAX: <stdio.h> is not read here; known headers: <math.h> <stdint.h>}}
#include <stdio.h>
void printed(const int x[restrict 4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{[E0801]: C-SYNTAX: `"%d\n"` has no place here (string literal)}}
    printf("%d\n", x[i]);
}

// -----
void cast_to_pointer(float y[restrict 4], const int x[restrict 4]) {
  // expected-error @+1 {{[E0811]: C-TYPE: no casts to pointers}}
  const float *p = (const float *)x;
  y[0] = p[0];
}

// -----
void chosen(int y[restrict 4], int k) {
  // expected-error @+1 {{[E0809]: C-FLOW: `switch` has no place here}}
  switch (k) {
    case 0: y[0] = 1; break;
    default: y[0] = 2;
  }
}

// -----
// expected-error @+1 {{C-TYPE: `long double`}}
void extended(long double y[restrict 4]) { y[0] = 1; }

// -----
// expected-error @+1 {{`__int128`}}
void wide(__int128 y[restrict 4]) { y[0] = 1; }

// -----
// expected-error @+1 {{`FILE` is no type known here}}
void of_a_library(FILE *f) {}

// -----
void wrong_number(float y[restrict 4], const float x[restrict 4]) {
  // expected-error @+1 {{pow}}
  for (int i = 0; i < 4; i++) y[i] = powf(x[i]);
}

// -----
static int two(int a, int b) { return a + b; }
void wrong_number_of_own(int y[restrict 4]) {
  // expected-error @+1 {{two}}
  y[0] = two(1);
}

// -----
#define PAIR(a, b) ((a) + (b))
void wrong_number_of_macro(int y[restrict 4]) {
  // expected-error @+1 {{[E0801]: C-SYNTAX: macro PAIR takes 2 arguments, not 1}}
  y[0] = PAIR(1);
}

// -----
#define EMPTY
int macro_of_nothing(void) {
  // expected-error @+1 {{[E0801]: C-SYNTAX: macro EMPTY stands for nothing}}
  return EMPTY;
}

// -----
#define CLOSES 4) + (3
void macro_that_closes_parentheses(int y[restrict 4]) {
  // expected-error @+1 {{[E0801]: C-SYNTAX: `y[0] = 4) + (3` is no expression}}
  y[0] = CLOSES;
}

// -----
#define PASTE(a, b) a ## b
void pasted_tokens(int y[restrict 4]) {
  // expected-error @+1 {{[E0801]: C-SYNTAX: `y[0] = 1 ## 2` is no expression}}
  y[0] = PASTE(1, 2);
}

// -----
#define AT(A, i) A[i] + UNKNOWN
void unknown_name_of_a_macro(int y[restrict 4], const int x[4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{UNKNOWN}}
    y[i] = 2 * AT(x, i);
}

// -----
void too_many_subscripts(float y[restrict 4], const float A[restrict 4][4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{C-NAME: A has 2 dimensions}}
    y[i] = A[i][0][0];
}

// -----
void too_few_subscripts(float y[restrict 4], const float A[restrict 4][4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{C-NAME: A has 2 dimensions, but 1 subscripts}}
    y[i] = A[i];
}

// -----
void subscript_of_number(float y[restrict 4], float a) {
  // expected-error @+1 {{a is no array}}
  y[0] = a[0];
}

// -----
void misspelt(float y[restrict 4], const float weights[restrict 4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{[E0815]: C-NAME: weight is not declared}}
    y[i] = weight[i];
}

// -----
void out_of_scope(int y[restrict 4]) {
  for (int i = 0; i < 4; i++) y[i] = i;
  // expected-error @+1 {{[E0815]: C-NAME: i is not declared}}
  y[0] = i;
}

// -----
struct point { float x, y; };
void no_such_field(struct point p[restrict 4]) {
  // expected-error @+1 {{there is no field z}}
  for (int i = 0; i < 4; i++) p[i].z = 0;
}

// -----
void field_of_number(float y[restrict 4]) {
  // expected-error @+1 {{y is no structure}}
  y[0].x = 1;
}

// -----
void float_remainder(float y[restrict 4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{`%`}}
    y[i] = y[i] % 2;
}

// -----
void float_shift(float y[restrict 4]) {
  for (int i = 0; i < 4; i++)
    // expected-error @+1 {{`<<`}}
    y[i] = y[i] << 2;
}

// -----
int unclosed(void) {
  // expected-error @+1 {{C-SYNTAX}}
  return (1 + 2;
}

// -----
// expected-error @+1 {{C-SYNTAX}}
int brace(void) { return 1;
