// test: round-trip
// run: running N=9
// run: last N=9
// run: shuffle N=9
// run: triangle N=7
// run: iterate N=9
// run: overlapping N=9
// run: power N=9
// What is no computation stays a nest of loops.
#ifndef N
#define N 1024
#endif

void running(float a[N]) {
  for (int i = 1; i < N; ++i)
    a[i] = 0.5f * a[i - 1] + a[i];
}

int last(const int x[N], const int y[N]) {
  int found = -1;
  for (int i = 0; i < N; ++i)
    if (x[i] > y[i]) found = i;
  return found;
}

void shuffle(float y[restrict N], const float x[N], const int p[N]) {
  for (int i = 0; i < N; ++i)
    y[i] = x[(p[i] & 7)];
}

void triangle(float s[restrict N], const float x[N][N]) {
  for (int i = 0; i < N; ++i) {
    s[i] = 0;
    for (int j = 0; j <= i; ++j)
      s[i] += x[i][j];
  }
}

// A loop over time around one over space.
void iterate(float a[restrict N], float b[restrict N]) {
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < N - 1; ++i)
      b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    for (int i = 1; i < N - 1; ++i)
      a[i] = b[i];
  }
}

// Without `restrict`: looked at when it is called.
void overlapping(float *y, const float *x) {
  for (int i = 0; i < N; ++i)
    y[i] = x[i] + 1;
}

void power(double y[restrict N], const double x[N], int n) {
  for (int i = 0; i < N; ++i) {
    double p = 1;
    for (int k = 0; k < n; ++k)
      p *= x[i];
    y[i] = p;
  }
}
