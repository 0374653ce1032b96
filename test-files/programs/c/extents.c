// test: round-trip
// Loops to a size that only the call knows, below a bound: a computation for all of them. Results that such a loop writes keep the rest.
// run: columns n:-3
// run: all n:-3
// run: rows n:-3
// run: scaled n:-3
// run: largest n:-3
// run: columns n:0
// run: all n:0
// run: rows n:0
// run: scaled n:0
// run: largest n:0
// run: columns n:1
// run: all n:1
// run: rows n:1
// run: scaled n:1
// run: largest n:1
// run: columns n:15
// run: all n:15
// run: rows n:15
// run: scaled n:15
// run: largest n:15
// run: columns n:17
// run: all n:17
// run: rows n:17
// run: scaled n:17
// run: largest n:17
// run: columns n:36
// run: all n:36
// run: rows n:36
// run: scaled n:36
// run: largest n:36
// run: columns n:37
// run: all n:37
// run: rows n:37
// run: scaled n:37
// run: largest n:37
#define M 37
#define K 20

void columns(int n, const float x[restrict M][K], float y[restrict K]) {
#pragma mdh( y[j] : +, ++ ) assume(n <= 37)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < K; ++j)
      y[j] += x[i][j];
}

void all(int n, const int x[restrict M][K], int y[restrict 1]) {
#pragma mdh( y[0] : +, + ) assume(n <= 37)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < K; ++j)
      y[0] += x[i][j];
}

void rows(int n, const float x[restrict M][K], float y[restrict M]) {
#pragma mdh( y[i] : ++, + ) inout(y) assume(n <= 37)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < K; ++j)
      y[i] += x[i][j];
}

void scaled(long n, const double x[restrict M], double y[restrict M]) {
#pragma mdh( y[i] : ++ ) inout(y) assume(n <= 37)
  for (long i = 0; i < n; ++i)
    y[i] = 2.0 * x[i];
}

void largest(int n, const int x[restrict M][K], int y[restrict M]) {
#pragma mdh( y[i] : ++, max ) inout(y) assume(n <= 37)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < K; ++j)
      y[i] = y[i] > x[i][j] ? y[i] : x[i][j];
}
