// test: round-trip
// Macros are replaced token by token: what one stands for takes part in the precedence around it.
// run: body_without_parentheses
// run: argument_without_parentheses
// run: objects_of_expressions
// run: signs
// run: choices
// run: uses_in_uses
// run: names_of_functions_as_arguments
// run: commas_in_arguments
// run: itself_again
// run: sizes_and_subscripts
// run: assignments
// run: conditions_of_the_preprocessor
// run: words_of_types
// run: characters_and_comments
#define M 3
#define N M + 1
#define TWICE(x) x + x
#define SQUARE(x) x * x
#define LESS(a, b) a < b
#define NEGATED(x) -x
#define PICK(c, a, b) c ? a : b
#define APPLY(f, x) f(x)
#define FIRST(a, b) a
#define ADD(a, b) a + b

void body_without_parentheses(int y[restrict 6], const int x[2]) {
  y[0] = 3 * TWICE(x[0]);
  y[1] = TWICE(x[0]) * 3;
  y[2] = 100 - TWICE(x[1]);
  y[3] = TWICE(x[0]) << 1;
  y[4] = 7 & TWICE(x[1]);
  y[5] = 1 + LESS(x[0], x[1]) + 100;
}

void argument_without_parentheses(int y[restrict 5], const int x[2]) {
  y[0] = SQUARE(x[0] + x[1]);
  y[1] = SQUARE(x[0] - 1);
  y[2] = 100 / SQUARE(5);
  y[3] = SQUARE((x[0] + x[1]));
  y[4] = LESS(x[0] & 1, x[1]);
}

void objects_of_expressions(int y[restrict 6]) {
  y[0] = 2 * N;
  y[1] = N * 2;
  y[2] = 10 - N;
  y[3] = N == 4;
  y[4] = -N;
  y[5] = (N) * 2;
}

void signs(int y[restrict 5], const int x[2]) {
  y[0] = -TWICE(x[0]);
  y[1] = NEGATED(x[0] + x[1]);
  y[2] = 5 - NEGATED(x[1]);
  y[3] = - NEGATED(3);
  y[4] = !TWICE(x[0]);
}

void choices(int y[restrict 5], const int x[2]) {
  y[0] = 1 + PICK(x[0] > 100, 10, 20);
  y[1] = PICK(x[0] > 0, 10, 20) + 5;
  y[2] = PICK(PICK(0, 1, 1), 2, 3);
  y[3] = PICK(1, 0, 2) * 4;
  y[4] = x[0] > 0 ? TWICE(x[1]) : N;
}

#define FOURTH(x) SQUARE(SQUARE(x))
#define DEEP(x) TWICE(SQUARE(x + 1)) - N
void uses_in_uses(int y[restrict 6], const int x[2]) {
  y[0] = SQUARE(TWICE(x[0]));
  y[1] = TWICE(SQUARE(x[0] + 1));
  y[2] = FOURTH(x[1] + 1);
  y[3] = 2 * DEEP(x[0]);
  y[4] = SQUARE(SQUARE(N));
  y[5] = TWICE(N) * TWICE(M);
}

void names_of_functions_as_arguments(int y[restrict 3], const int x[2]) {
  y[0] = 3 * APPLY(TWICE, x[0]);
  y[1] = APPLY(SQUARE, x[0] + 1);
  y[2] = APPLY(NEGATED, N);
}

static int sum(int a, int b) { return a + b; }
void commas_in_arguments(int y[restrict 3], const int x[2]) {
  y[0] = SQUARE(sum(x[0], x[1]));
  y[1] = 2 * ADD(sum(1, 2), ADD(x[0], (sum(x[1], 4))));
  y[2] = FIRST(sum(x[0], 1), sum(x[1], 2)) * 3;
}

#define sum(a, b) sum(a, b) + 1
void itself_again(int y[restrict 3], const int x[2]) {
  y[0] = 2 * sum(x[0], x[1]);
  y[1] = sum(sum(x[0], 1), 2) * 2;
  y[2] = 0;
}
#undef sum

void sizes_and_subscripts(int y[restrict 2 * N], const int x[N * 2]) {
  for (int i = 0; i < 2 * N - 1; i += N - 2) y[i] = x[i % N] + i;
}

#define SET(a, b) a = b
#define RAISE(a, b) a += b
#define ONE_MORE(a) a++
void assignments(int y[restrict 3], const int x[2]) {
  int s = N * N;
  SET(y[0], x[0] + N * 2);
  RAISE(s, TWICE(x[1]) * 2);
  ONE_MORE(s);
  y[1] = s;
  int all[3] = {2 * N, TWICE(4) * 2, SQUARE(1 + 1)};
  y[2] = all[0] + 100 * all[1] + 10000 * all[2];
}

void conditions_of_the_preprocessor(int y[restrict 4]) {
#if 2 * N == 7
  y[0] = 1;
#else
  y[0] = 2;
#endif
#if defined N && SQUARE(1 + 1) == 3
  y[1] = 1;
#else
  y[1] = 2;
#endif
#if !defined(NOTHING) && (defined(M) || NOTHING) \
    && -N < 0
  y[2] = 1;
#else
  y[2] = 2;
#endif
#if NOTHING || defined NOTHING
  y[3] = 1;
#elif LESS(M, N) + 1
  y[3] = 2;
#endif
}

#define real float
#define word unsigned char
real words_of_types(const real x[2], const int k) {
  real v = (word)(k + 300) + x[0];
  return v + (real)k / 2;
}

#define TEXT 'a' + ',' // and not this
#define NEXT \
  TEXT       \
  + 1
void characters_and_comments(int y[restrict 3]) {
  y[0] = 2 * TEXT;
  y[1] = SQUARE(')' - '(' /* , */ + 1);
  y[2] = 2 * NEXT;
}
