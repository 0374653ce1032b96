// test: opt --pipeline=check-operators --verify-diagnostics
// What the file's operators declare is tried on values, with the error in the C file.
#define N 16

#pragma mdh operator(associative, commutative)
// expected-error @+1 {{[E0672]: 'func.func' op M-PROP: @average is declared associative}}
static float average(float a, float b) { return 0.5f * (a + b); }

struct best { float value; int at; };

// The first of equal ones depends on the order: associative, not commutative.
#pragma mdh operator(associative, exact)
static struct best first(struct best a, struct best b) { return b.value > a.value ? b : a; }

#pragma mdh operator(associative, commutative, exact)
// expected-error @+1 {{M-PROP: @any is declared commutative}}
static struct best any(struct best a, struct best b) { return b.value > a.value ? b : a; }

void f(float *restrict y, const float *restrict x) {
#pragma mdh( *y : average ) inout(y)
  for (int i = 0; i < N; ++i)
    *y = average(*y, x[i]);
}
