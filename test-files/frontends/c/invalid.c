// test: opt --split-input-file --verify-diagnostics --input=c

void nest(float C[restrict 4][4], const float A[4][4]) {
#pragma mdh( C[i][j] : ++ , ++ )
  for (int i = 0; i < 4; ++i) {
    // expected-error @+1 {{[E0802]: C-NEST: not perfect: this statement stands between loops i and j}}
    float x = A[i][0];
    for (int j = 0; j < 4; ++j)
      C[i][j] = x + A[i][j];
  }
}

// -----
void beside(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      y[i] += x[j];
    // expected-error @+1 {{[E0802]: C-NEST: not perfect: this loop stands next to another one}}
    for (int j = 0; j < 4; ++j)
      y[i] += x[j];
  }
}

// -----
void index(float y[restrict 4], const float x[4], const int p[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{[E0804]: C-INDEX: a subscript of x depends on data}}
    y[i] = x[p[i]];
}

// -----
void product(float y[restrict 4], const float x[16]) {
#pragma mdh( y[i] : ++ , + )
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      // expected-error @+1 {{C-INDEX: a subscript of x multiplies loop variables: it is not affine}}
      y[i] += x[i * j];
}

// -----
void outside(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-INDEX: x dim 1 is read up to 4, declared 4}}
    y[i] = x[i + 1];
}

// -----
void dynamic(float y[restrict 4], const float x[4], int n) {
#pragma mdh( y[i] : ++ )
  // expected-error @+1 {{[E0803]: C-BOUND: the bound of i is not known here}}
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
}

// -----
void triangle(float y[restrict 4][4], const float x[4]) {
#pragma mdh( y[i][j] : ++ , ++ , + )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-BOUND: the bound of j depends on other loops: only a part of y is written}}
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k < 4; ++k)
        y[i][j] += x[j] * x[k];
}

// -----
void square(float y[restrict 4], const float x[16]) {
#pragma mdh( y[i] : ++ , + )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-BOUND: the bound of j depends on i, and not as a sum}}
    for (int j = 0; j < i * i; ++j)
      y[i] += x[j];
}

// -----
void loaded(float y[restrict 4], const float x[4], const int n[4]) {
#pragma mdh( y[i] : ++ , + )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-BOUND: the bound of j is loaded from memory}}
    for (int j = 0; j < n[i]; ++j)
      y[i] += x[j];
}

// -----
void out(float C[restrict 4][4], const float A[4][4]) {
// expected-error @+1 {{[E0805]: C-OUT: the directive says that C is written elsewhere than it is}}
#pragma mdh( C[j][i] : ++ , ++ )
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[i][j] = A[i][j];
}

// -----
void unwritten(float C[restrict 4], float D[restrict 4], const float A[4]) {
// expected-error @+1 {{[E0805]: C-OUT: D is named as an output, but nothing is written to it}}
#pragma mdh( C[i], D[i] : ++ )
  for (int i = 0; i < 4; ++i)
    C[i] = A[i];
}

// -----
void unnamed(float C[restrict 4], float D[restrict 4], const float A[4]) {
#pragma mdh( C[i] : ++ )
  for (int i = 0; i < 4; ++i) {
    C[i] = A[i];
    // expected-error @+1 {{C-OUT: the body also writes D, which the directive does not name}}
    D[i] = A[i];
  }
}

// -----
void arity(float C[restrict 4][4], const float A[4][4]) {
// expected-error @+1 {{[E0806]: C-ARITY: 2 loops, 3 operators}}
#pragma mdh( C[i][j] : ++ , ++ , + )
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[i][j] = A[i][j];
}

// -----
void kind(float y[restrict 4], const float x[4][4]) {
#pragma mdh( y[i] : ++ , ++ )
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k)
      // expected-error @+1 {{[E0807]: C-KIND: k is ++ but y does not depend on it}}
      y[i] = x[i][k];
}

// -----
void away(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : + )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-KIND: i is combined away, but y depends on it}}
    y[i] += x[i];
}

// -----
void update(float *restrict y, const float x[4]) {
#pragma mdh( *y : + )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-KIND: directive +, update *}}
    *y *= x[i];
}

// -----
void variable(float y[restrict 4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i) {
    y[i] = 0;
    // expected-error @+1 {{[E0808]: C-IV: loop variable i is changed in the body}}
    i++;
  }
}

// -----
void flow(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i) {
    // expected-error @+1 {{[E0809]: C-FLOW: `while` has no place in a computation}}
    while (y[i] < 4) y[i] += x[i];
  }
}

// -----
void jump(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i) {
    // expected-error @+1 {{C-FLOW: a jump has no place in a computation}}
    if (x[i] > 0) break;
    y[i] = x[i];
  }
}

// -----
void chosen(int y[restrict 4], const int x[4]) {
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-FLOW: `switch` has no place here; use}}
    switch (x[i]) { default: y[i] = 0; }
}

// -----
void call(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{[E0810]: C-CALL: expff has no body here and is not of math.h}}
    y[i] = expff(x[i]);
}

// -----
union both { int i; float f; };
// expected-error @-1 {{C-TYPE: unions have no place here}}

// -----
// expected-error @+1 {{[E0811]: C-TYPE: pointers to pointers have no place here}}
void pointers(float **rows) {
}

// -----
// expected-error @+1 {{C-TYPE: `volatile` has no place in a computation}}
void port(volatile int *p) {
}

// -----
void dependence(float a[8]) {
#pragma mdh( a[i] : ++ )
  for (int i = 1; i < 8; ++i)
    // expected-error @+1 {{[E0812]: C-DEP: an element of a that is read here is written by a turn before: i = 1 and i = 2}}
    a[i] = a[i - 1];
}

// -----
void operator_(float *restrict y, const float x[4]) {
// expected-error @+1 {{[E0813]: C-OPER: `plus` is no operator}}
#pragma mdh( *y : plus )
  for (int i = 0; i < 4; ++i)
    *y += x[i];
}

// -----
static float f(float a, float b) { return a * b; }
void undeclared(float *restrict y, const float x[4]) {
// expected-error @+1 {{C-OPER: f does not say that it is an operator}}
#pragma mdh( *y : f )
  for (int i = 0; i < 4; ++i)
    *y = f(*y, x[i]);
}

// -----
void clause(float y[restrict 4], const float x[4]) {
// expected-error @+1 {{[E0814]: C-PRAGMA: `inot` is no clause}}
#pragma mdh( y[i] : ++ ) inot(y)
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
void misplaced(float y[restrict 4]) {
// expected-error @+1 {{C-PRAGMA: `#pragma mdh(…)` stands right above a `for` loop}}
#pragma mdh( y[0] : ++ )
  y[0] = 1;
}

// -----
void unknown(float y[restrict 4], const float xs[4]) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{[E0815]: C-NAME: xss is not declared}}
    y[i] = xss[i];
}

// -----
void wrap(float y[restrict 4], const float x[4]) {
#pragma mdh( y[i] : ++ )
  for (unsigned i = 0; i < 4; ++i)
    // expected-error @+1 {{[E0816]: C-WRAP: the unsigned subscript of x may be below 0 and wraps in C}}
    y[i] = x[i - 1];
}

// -----
// Two operators that do not fit together: the dialect's own rule, with its caret in the C file.
void pair(float *restrict y, const float x[4][4]) {
// expected-error @+2 {{C-KIND: directive *, update +}}
#pragma mdh( *y : + , * )
  for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) *y += x[i][j];
}

// -----
void syntax(float y[restrict 4]) {
  // expected-error @+1 {{[E0801]: C-SYNTAX: expected `;`}}
  for (int i = 0; i < 4; ++i) y[i] = 1
}

// -----
void undeclared_size(float y[restrict 4], const float *restrict x, const int p[4]) {
#pragma mdh( y[i] : ++ ) gather(x)
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-INDEX: x is gathered from: declare its size, such as `x[N]`}}
    y[i] = x[p[i]];
}

// -----
void gathered(float y[restrict 4], const int p[4]) {
#pragma mdh( y[i] : ++ ) gather(y)
  for (int i = 0; i < 4; ++i)
    // expected-error @+1 {{C-DEP: y is gathered from while it is written}}
    y[i] = y[p[i]] + 1;
}

// -----
void assumed(float y[restrict 4]) {
// expected-error @+1 {{[E0815]: C-NAME: m is no integer parameter or variable}}
#pragma mdh( y[i] : ++ ) assume(m = 4)
  for (int i = 0; i < 4; ++i)
    y[i] = 1;
}

// -----
void assumed_what(float y[restrict 4], int m) {
// expected-error @+1 {{C-PRAGMA: a size and its value, or its bound: `assume(n = 1024)`, `assume(n <= 1024)`}}
#pragma mdh( y[i] : ++ ) assume(m)
  for (int i = 0; i < m; ++i)
    y[i] = 1;
}

// -----
void schedule_form(float y[restrict 4], const float x[4]) {
// expected-error @+1 {{C-PRAGMA: S-SYNTAX: expected `(`}}
#pragma mdh( y[i] : ++ ) schedule( 1: (de/re)-comp( 2 )( ^ ; ^ ) )
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
void schedule_arity(float y[restrict 4], const float x[4]) {
// expected-error @+1 {{C-PRAGMA: S-ARITY: 1 dimensions, 2 sizes}}
#pragma mdh( y[i] : ++ ) schedule( 1: (de/re)-comp( 2,1 )( ^ ; ^ )( THR.x ) )
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
// expected-remark @+1 {{[E0818]: C-ALIAS: y and x may overlap: checked when pointers_overlap is called}}
void pointers_overlap(float *y, const float *x) {
#pragma mdh( y[i] : ++ )
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
#define N 9223372036854775807
// expected-error @+1 {{[E0803]: C-BOUND: a size of a is 9223372036854775807; it must be from 1 to 2^40}}
void huge(float a[N]) {
  for (int i = 0; i < 16; ++i)
    a[i] = 1.0f;
}

// -----
// expected-error @+1 {{C-BOUND: a size of a is 0; it must be from 1 to 2^40}}
void none(float a[0]) {
  for (int i = 0; i < 16; ++i)
    a[i] = 1.0f;
}

// -----
// The end of an open array is not known: nothing is calculated with it.
void open(float *a, float *restrict b) {
  // expected-error @+1 {{[E0610]: 'mdh.compute' op `i + 9223372036854775800` has no bounds}}
  for (int i = 0; i < 16; ++i)
    b[i] = a[i + 9223372036854775800];
}

// -----
void unknown_in_clause(float y[restrict 4], const float x[4]) {
// expected-error @+1 {{[E0815]: C-NAME: zz in a clause is no array}}
#pragma mdh( y[i] : ++ ) disjoint(y, zz)
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
void nothing_written(float y[restrict 4], const float x[4]) {
// expected-error @+1 {{[E0805]: C-OUT: inout names x, to which nothing is written}}
#pragma mdh( y[i] : ++ ) inout(x)
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
void nameless(float y[restrict 4], const float x[4]) {
// expected-error @+1 {{[E0814]: C-PRAGMA: one word is the name: `name(layer1)`}}
#pragma mdh( y[i] : ++ ) name(layer 1)
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
// What a clause says of two arrays says nothing of a third.
// expected-remark @+1 {{[E0818]: C-ALIAS: y and z may overlap: checked when two_of_three is called}}
void two_of_three(float *y, const float *x, const float *z) {
#pragma mdh( y[i] : ++ ) disjoint(y, x)
  for (int i = 0; i < 4; ++i)
    y[i] = x[i] + z[i];
}

// -----
// Nests beside each other in a loop in order: each says why it is no computation.
void triangles(float a[restrict 8][8], float b[restrict 8], const float x[8]) {
  for (int k = 0; k < 8; ++k) {
    // expected-remark @+1 {{C-BOUND: the bound of i depends on k, whose turns stay in order around it}}
    for (int i = k; i < 8; ++i)
      a[i][k] = x[i] * b[0];
    // expected-remark @+2 {{C-BOUND: the bound of j depends on k, whose turns stay in order around it}}
    // expected-remark @+1 {{C-NEST: not perfect: this loop stands next to another one}}
    for (int j = 0; j < k; ++j)
      b[j] = x[j];
  }
}

// -----
// The same element by another name in some turns only.
void sometimes(float y[restrict 8], float z[restrict 4], const float x[4]) {
  for (int i = 0; i < 4; ++i) {
    y[i] = x[i];
    // expected-remark @+1 {{C-DEP: an element of y that the same turn has written before is meant here in some turns: i = 0 and i = 0}}
    z[i] = y[2 * i];
  }
}

// -----
// expected-error @+1 {{[E0811]: C-TYPE: complex numbers have no type here}}
void complex(double _Complex y[4], const double x[4]) {
  for (int i = 0; i < 4; ++i)
    y[i] = x[i];
}

// -----
// expected-error @+1 {{[E0811]: C-TYPE: complex numbers have no type here}}
#include <complex.h>
void header(float complex *y) { y[0] = 0; }

// -----
void open_result(int n, const float x[restrict 9], float y[restrict 9]) {
#pragma mdh( y[i] : ++ ) assume(n <= 9)
  // expected-error @+1 {{C-BOUND: the bound of i is known at run time only: only a part of y is written}}
  for (int i = 0; i < n; ++i) y[i] = x[i];
}
