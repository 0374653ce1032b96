// test: round-trip
// Histograms, votes and indirect accesses.
// run: majority
// run: water
// run: bins_of_width
// run: cumulative_histogram
// run: weighted_histogram
// run: joint_histogram
// run: mode
// run: gather_scatter
// run: permutation_inverse
// run: cycle_length
#define N 31

int majority(const int x[N]) {
  int candidate = 0, votes = 0;
  for (int i = 0; i < N; i++) {
    int v = x[i] > -5;
    if (votes == 0) candidate = v;
    votes += v == candidate ? 1 : -1;
  }
  return candidate * 1000 + votes;
}

int water(const unsigned char height[N]) {
  int left = 0, right = N - 1, most_left = 0, most_right = 0, total = 0;
  while (left < right) {
    if (height[left] % 16 < height[right] % 16) {
      if (height[left] % 16 > most_left)
        most_left = height[left] % 16;
      else
        total += most_left - height[left] % 16;
      left++;
    } else {
      if (height[right] % 16 > most_right)
        most_right = height[right] % 16;
      else
        total += most_right - height[right] % 16;
      right--;
    }
  }
  return total;
}

void bins_of_width(int h[restrict 6], const float x[N]) {
  for (int b = 0; b < 6; b++) h[b] = 0;
  for (int i = 0; i < N; i++) {
    int b = (int)((x[i] + 1) * 3);
    if (b >= 0 && b < 6) h[b] += 1;
  }
}

void cumulative_histogram(int h[restrict 17], const int x[N]) {
  for (int b = 0; b < 17; b++) h[b] = 0;
  for (int i = 0; i < N; i++) h[x[i] + 8]++;
  for (int b = 1; b < 17; b++) h[b] += h[b - 1];
}

void weighted_histogram(double h[restrict 5], const int x[N], const float w[N]) {
  for (int b = 0; b < 5; b++) h[b] = 0;
  for (int i = 0; i < N; i++) h[(x[i] + 8) % 5] += w[i];
}

void joint_histogram(int h[restrict 3][4], const int x[N], const int y[N]) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 4; b++) h[a][b] = 0;
  for (int i = 0; i < N; i++) h[(x[i] + 9) % 3][(y[i] + 9) % 4]++;
}

int mode(const int x[N]) {
  int best = 0, most = -1;
  for (int v = -8; v <= 8; v++) {
    int n = 0;
    for (int i = 0; i < N; i++) n += x[i] == v;
    if (n > most) {
      most = n;
      best = v;
    }
  }
  return best * 100 + most;
}

void gather_scatter(int y[restrict N], const int x[N], const int at[N]) {
  for (int i = 0; i < N; i++) y[i] = 0;
  for (int i = 0; i < N; i++) y[(at[i] + 8) % N] += x[(at[i] * 3 + 30) % N];
}

void permutation_inverse(int inverse[restrict N]) {
  int p[N];
  for (int i = 0; i < N; i++) p[i] = (i * 12 + 5) % N;
  for (int i = 0; i < N; i++) inverse[p[i]] = i;
}

int cycle_length(void) {
  int slow = 2, fast = 2, length = 1;
  do {
    slow = (slow * slow + 1) % 8051;
    fast = (fast * fast + 1) % 8051;
    fast = (fast * fast + 1) % 8051;
  } while (slow != fast);
  fast = (slow * slow + 1) % 8051;
  while (fast != slow) {
    fast = (fast * fast + 1) % 8051;
    length++;
  }
  return length;
}
