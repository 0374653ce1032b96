// test: round-trip
// Loops that people leave early, or whose order of visits is the point.
// run: no_test
// run: comma_steps
// run: while_halves
// run: do_at_least_once
// run: break_in_the_middle
// run: continue_skips
// run: break_two_levels
// run: return_from_nest
// run: loop_after_loop
// run: imperfect
// run: variable_after_loop
// run: square_root_bound
#define N 13
#define M 6
#define MIN(a, b) ((a) < (b) ? (a) : (b))

int no_test(const int x[restrict N]) {
  int i = 0, s = 0;
  for (;;) {
    if (i >= N || s > 20) break;
    s += x[i] * x[i];
    i++;
  }
  return s * 100 + i;
}

void comma_steps(int y[restrict N]) {
  int a = 1, b = 1;
  for (int i = 0; i < N; i++, a += b, b = a - b) y[i] = a;
}

int while_halves(int y[restrict 10]) {
  int n = 777, steps = 0;
  while (n > 0) {
    y[steps] = n % 2;
    steps++;
    n /= 2;
  }
  return steps;
}

int do_at_least_once(int y[restrict 2]) {
  int n = 0, s = 0;
  do {
    s += 5;
  } while (n > 0);
  do {
    s += n;
    n++;
  } while (n < 4);
  y[0] = n;
  y[1] = s;
  return s;
}

int break_in_the_middle(const int x[restrict N]) {
  int s = 0;
  for (int i = 0; i < N; i++) {
    s += 100;
    if (x[i] == x[N - 1]) break;
    s += i;
  }
  return s;
}

int continue_skips(const int x[restrict N]) {
  int s = 0, i = 0;
  while (i < N) {
    i++;
    if (x[i - 1] < 0) continue;
    s = s * 3 + x[i - 1];
  }
  return s;
}

int break_two_levels(const int A[restrict M][N]) {
  int found = -1;
  for (int i = 0; i < M && found < 0; i++)
    for (int j = 0; j < N; j++)
      if (A[i][j] == 5) {
        found = i * N + j;
        break;
      }
  return found;
}

int return_from_nest(const int A[restrict M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      if (A[i][j] > 6) return i * 100 + j;
      if (A[i][j] < -6) return -(i * 100 + j);
    }
  return 12345;
}

// Each has its own variable of the same name.
int loop_after_loop(const int x[restrict N]) {
  int s = 0;
  for (int i = 0; i < N; i++) s += x[i];
  for (int i = N; i > 0; i--) s = s * 2 - x[i - 1];
  for (int i = 3; i < 5; i++)
    for (int i = 0; i < 2; i++) s += i;
  return s;
}

void imperfect(int y[restrict M], int z[restrict M], const int A[restrict M][N]) {
  for (int i = 0; i < M; i++) {
    int s = 0;
    for (int j = 0; j < N; j++) s += A[i][j];
    y[i] = s;
    int p = 1;
    for (int j = 0; j < N; j++) p = (p * (A[i][j] + 9)) % 1009;
    z[i] = p - s;
  }
}

int variable_after_loop(const int x[restrict N]) {
  int i, j = 50;
  for (i = 0; i < N; i++)
    if (x[i] > 3) break;
  for (j = 2; j < 9; j += 4) {}
  return i * 100 + j;
}

int square_root_bound(int y[restrict 60]) {
  int found = 0;
  for (int n = 2; n < 60; n++) {
    int prime = 1;
    for (int d = 2; d * d <= n; d++)
      if (n % d == 0) {
        prime = 0;
        break;
      }
    y[n] = prime;
    found += prime;
  }
  return found;
}
