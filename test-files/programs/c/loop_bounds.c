// test: round-trip
// Every way in which people write the bounds, steps and directions of loops.
// run: less_or_equal
// run: not_equal
// run: step_two
// run: step_by_variable
// run: down_to_zero
// run: down_by_three
// run: empty_range n:0 x:5
// run: one_iteration n:1 x:5
// run: bound_is_expression
// run: bound_changes_nothing
// run: two_variables
// run: no_init
// run: no_step
// run: long_variable
// run: char_variable
// run: bound_from_array
// run: conditional_bound
// run: nested_three_with_guard
#define N 13
#define M 6
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void less_or_equal(int y[restrict N]) {
  for (int i = 1; i <= N; i++) y[i - 1] = i * i;
}

void not_equal(int y[restrict N]) {
  for (int i = 0; i != N; ++i) y[i] = N - i;
}

void step_two(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i += 2) y[i] = x[i] + 1;
  for (int i = 1; i < N; i += 2) y[i] = x[i] - 1;
}

void step_by_variable(int y[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = 0;
  for (int s = 2; s < N; s++)
    for (int i = s; i < N; i += s) y[i]++;
}

void down_to_zero(int y[restrict N], const int x[restrict N]) {
  int at = 0;
  for (int i = N - 1; i >= 0; i--) {
    y[at] = x[i];
    at++;
  }
}

void down_by_three(int y[restrict N]) {
  for (int i = 0; i < N; i++) y[i] = -1;
  for (int i = N - 1; i > 1; i -= 3) y[i] = i;
}

int empty_range(int n, const int *x) {
  int s = 7;
  for (int i = 0; i < n; i++) s += x[i];
  for (int i = 5; i < n; i++) s += 100;
  return s;
}

int one_iteration(int n, const int *x) {
  int s = 7;
  for (int i = 0; i < n; i++) s = s * 10 + x[i];
  return s;
}

void bound_is_expression(int y[restrict N]) {
  for (int i = 0; i < (N + 1) / 2; i++) y[i] = i;
  for (int i = (N + 1) / 2; i < N - 0; i++) y[i] = N - i;
}

// The bound is read in each iteration; its variable is the loop's own copy.
int bound_changes_nothing(int y[restrict N]) {
  int n = N, rounds = 0;
  for (int i = 0; i < n; i++) {
    n--;
    y[i] = i;
    rounds++;
  }
  for (int i = rounds; i < N; i++) y[i] = -i;
  return rounds * 100 + n;
}

void two_variables(int y[restrict N], const int x[restrict N]) {
  for (int i = 0, j = N - 1; i < N; i++, j--) y[i] = x[i] * 3 - x[j];
}

int no_init(const int x[restrict N]) {
  int i = 4, s = 0;
  for (; i < N; i++) s += x[i];
  return s + i;
}

int no_step(const int x[restrict N]) {
  int s = 0;
  for (int i = 0; i < N;) {
    s += x[i];
    i += s % 2 == 0 ? 1 : 2;
  }
  return s;
}

void long_variable(long y[restrict N]) {
  for (long i = 4000000000; i < 4000000000 + N; i++) y[i - 4000000000] = i * 3;
}

int char_variable(const int x[restrict 26]) {
  int s = 0;
  for (char c = 'a'; c <= 'z'; c++) s = (s * 7 + x[c - 'a']) % 10007;
  return s;
}

void bound_from_array(int y[restrict N], const unsigned char length[restrict N]) {
  for (int i = 0; i < N; i++) {
    int s = 0;
    for (int j = 0; j < length[i] % 8; j++) s += j + i;
    y[i] = s;
  }
}

void conditional_bound(int y[restrict N], const int x[restrict N]) {
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = 0; j < (x[i] > 0 ? 3 : i); j++) y[i] += j + 1;
  }
}

int nested_three_with_guard(void) {
  int count = 0;
  for (int a = 1; a < 30; a++)
    for (int b = a; b < 30; b++)
      for (int c = b; c < 30; c++)
        if (a * a + b * b == c * c) count += a + b + c;
  return count;
}
