// test: round-trip
// Sorting, searching, merging and ranks.
// run: counting_sort
// run: radix_pass
// run: partition
// run: merge
// run: shell_sort
// run: lower_bound
// run: inversions
// run: rank_of_each
// run: longest_increasing
// run: two_sum
#define N 31

void counting_sort(int y[restrict N], const int x[N]) {
  int count[17];
  for (int v = 0; v < 17; v++) count[v] = 0;
  for (int i = 0; i < N; i++) count[x[i] + 8]++;
  int at = 0;
  for (int v = 0; v < 17; v++)
    for (int k = 0; k < count[v]; k++) {
      y[at] = v - 8;
      at++;
    }
}

// Stable by two bits.
void radix_pass(unsigned y[restrict N], const unsigned char x[N]) {
  int start[5] = {0};
  for (int i = 0; i < N; i++) start[(x[i] & 3) + 1]++;
  for (int d = 0; d < 4; d++) start[d + 1] += start[d];
  for (int i = 0; i < N; i++) {
    int d = x[i] & 3;
    y[start[d]] = x[i] + 1000 * i;
    start[d]++;
  }
}

int partition(int a[restrict N]) {
  int pivot = a[N - 1], i = 0;
  for (int j = 0; j < N - 1; j++)
    if (a[j] < pivot) {
      int t = a[i];
      a[i] = a[j];
      a[j] = t;
      i++;
    }
  a[N - 1] = a[i];
  a[i] = pivot;
  return i;
}

// Two rising sequences of unequal length.
void merge(int y[restrict 25]) {
  int a[10], b[15];
  for (int i = 0; i < 10; i++) a[i] = i * i;
  for (int i = 0; i < 15; i++) b[i] = 7 * i - 20;
  int i = 0, j = 0;
  for (int k = 0; k < 25; k++)
    if (j == 15 || (i < 10 && a[i] <= b[j])) {
      y[k] = a[i];
      i++;
    } else {
      y[k] = b[j];
      j++;
    }
}

void shell_sort(float a[restrict N]) {
  for (int gap = N / 2; gap > 0; gap /= 2)
    for (int i = gap; i < N; i++) {
      float v = a[i];
      int j = i;
      while (j >= gap && a[j - gap] > v) {
        a[j] = a[j - gap];
        j -= gap;
      }
      a[j] = v;
    }
}

void lower_bound(int y[restrict 40]) {
  int a[12];
  for (int i = 0; i < 12; i++) a[i] = 3 * (i / 2);
  for (int v = 0; v < 40; v++) {
    int low = 0, high = 12;
    while (low < high) {
      int mid = low + (high - low) / 2;
      if (a[mid] < v - 5)
        low = mid + 1;
      else
        high = mid;
    }
    y[v] = low;
  }
}

int longest_increasing(const int x[N]) {
  int length[N], best = 0;
  for (int i = 0; i < N; i++) {
    length[i] = 1;
    for (int j = 0; j < i; j++)
      if (x[j] < x[i] && length[j] + 1 > length[i]) length[i] = length[j] + 1;
    best = length[i] > best ? length[i] : best;
  }
  return best;
}

int two_sum(const int x[N]) {
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++)
      if (x[i] + x[j] == 11) return i * 100 + j;
  return -1;
}

int inversions(const int x[N]) {
  int n = 0;
  for (int i = 0; i < N - 1; i++)
    for (int j = i + 1; j < N; j++) n += x[i] > x[j];
  return n;
}

// Equal elements keep their order.
void rank_of_each(int rank[restrict N], const int x[N]) {
  for (int i = 0; i < N; i++) {
    rank[i] = 0;
    for (int j = 0; j < N; j++)
      if (x[j] < x[i] || (x[j] == x[i] && j < i)) rank[i]++;
  }
}
