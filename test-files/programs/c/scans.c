// test: round-trip
// Scans and recurrences along one sequence.
// run: exclusive_scan
// run: suffix_sums
// run: running_minimum
// run: segmented_scan
// run: exponential_average
// run: linear_recurrence
// run: differences
// run: compact
// run: run_lengths
// run: maximum_subarray
#define N 31

void exclusive_scan(int y[restrict N], const int x[N]) {
  int s = 0;
  for (int i = 0; i < N; i++) {
    y[i] = s;
    s += x[i];
  }
}

void suffix_sums(long y[restrict N], const int x[N]) {
  long s = 0;
  for (int i = N - 1; i >= 0; i--) {
    s += x[i];
    y[i] = s;
  }
}

void running_minimum(float y[restrict N], const float x[N]) {
  float m = x[0];
  for (int i = 0; i < N; i++) {
    if (x[i] < m) m = x[i];
    y[i] = m;
  }
}

// The sum starts anew where a flag is set.
void segmented_scan(int y[restrict N], const int x[N], const int flag[N]) {
  int s = 0;
  for (int i = 0; i < N; i++) {
    s = flag[i] > 3 ? x[i] : s + x[i];
    y[i] = s;
  }
}

void exponential_average(double y[restrict N], const double x[N]) {
  double a = x[0];
  for (int i = 0; i < N; i++) {
    a = 0.9 * a + 0.1 * x[i];
    y[i] = a;
  }
}

void linear_recurrence(long y[restrict N]) {
  y[0] = 0;
  y[1] = 1;
  y[2] = 1;
  for (int i = 3; i < N; i++) y[i] = (y[i - 1] + y[i - 2] + y[i - 3]) % 1000003;
}

void differences(int y[restrict N], const int x[N]) {
  y[0] = x[0];
  for (int i = 1; i < N; i++) y[i] = x[i] - x[i - 1];
}

// What is kept moves to the front.
int compact(int y[restrict N], const int x[N]) {
  int n = 0;
  for (int i = 0; i < N; i++)
    if (x[i] > 0) {
      y[n] = x[i];
      n++;
    }
  return n;
}

int run_lengths(int value[restrict N], int count[restrict N], const int x[N]) {
  int runs = 0;
  for (int i = 0; i < N;) {
    int j = i;
    while (j < N && x[j] / 4 == x[i] / 4) j++;
    value[runs] = x[i] / 4;
    count[runs] = j - i;
    runs++;
    i = j;
  }
  return runs;
}

int maximum_subarray(int ends[restrict 2], const int x[N]) {
  int best = x[0], here = x[0], from = 0;
  ends[0] = 0;
  ends[1] = 0;
  for (int i = 1; i < N; i++) {
    if (here < 0) {
      here = x[i];
      from = i;
    } else {
      here += x[i];
    }
    if (here > best) {
      best = here;
      ends[0] = from;
      ends[1] = i;
    }
  }
  return best;
}
