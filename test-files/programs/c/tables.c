// test: round-trip
// Dynamic programming over intervals, prefixes and grids.
// run: nussinov
// run: lcs_length
// run: edit_with_band
// run: coin_ways
// run: rod_cutting
// run: optimal_search_tree
// run: grid_paths
// run: largest_square
// run: palindromes
// run: viterbi
// run: forward_algorithm
#include <math.h>
#define N 9
#define INF 1000000

static int pairs(int a, int b) { return (a + 8) % 4 + (b + 8) % 4 == 3; }

// PolyBench's recursion over intervals.
int nussinov(int table[restrict N][N], const int seq[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) table[i][j] = 0;
  for (int i = N - 1; i >= 0; i--)
    for (int j = i + 1; j < N; j++) {
      if (table[i][j - 1] > table[i][j]) table[i][j] = table[i][j - 1];
      if (i + 1 < N && table[i + 1][j] > table[i][j]) table[i][j] = table[i + 1][j];
      if (i + 1 < N) {
        int with = table[i + 1][j - 1] + (i < j - 1 ? pairs(seq[i], seq[j]) : 0);
        if (with > table[i][j]) table[i][j] = with;
      }
      for (int k = i + 1; k < j; k++)
        if (table[i][k] + table[k + 1][j] > table[i][j]) table[i][j] = table[i][k] + table[k + 1][j];
    }
  return table[0][N - 1];
}

int lcs_length(const int a[N], const int b[N]) {
  int row[N + 1];
  for (int j = 0; j <= N; j++) row[j] = 0;
  for (int i = 1; i <= N; i++) {
    int diagonal = 0;
    for (int j = 1; j <= N; j++) {
      int above = row[j];
      if (a[i - 1] / 3 == b[j - 1] / 3)
        row[j] = diagonal + 1;
      else if (row[j - 1] > row[j])
        row[j] = row[j - 1];
      diagonal = above;
    }
  }
  return row[N];
}

int edit_with_band(int d[restrict N + 1][N + 1], const int a[N], const int b[N]) {
  for (int i = 0; i <= N; i++)
    for (int j = 0; j <= N; j++) d[i][j] = i == 0 ? j : j == 0 ? i : INF;
  for (int i = 1; i <= N; i++)
    for (int j = i > 3 ? i - 3 : 1; j <= (i + 3 < N ? i + 3 : N); j++) {
      int least = d[i - 1][j - 1] + (a[i - 1] % 3 != b[j - 1] % 3);
      if (d[i - 1][j] + 1 < least) least = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < least) least = d[i][j - 1] + 1;
      d[i][j] = least;
    }
  return d[N][N];
}

static const int coins[4] = {1, 2, 5, 10};

void coin_ways(int ways[restrict 31]) {
  for (int v = 0; v <= 30; v++) ways[v] = v == 0;
  for (int c = 0; c < 4; c++)
    for (int v = coins[c]; v <= 30; v++) ways[v] += ways[v - coins[c]];
}

int rod_cutting(const unsigned char price[N]) {
  int best[N + 1];
  best[0] = 0;
  for (int n = 1; n <= N; n++) {
    int most = -1;
    for (int cut = 1; cut <= n; cut++) {
      int v = price[cut - 1] % 17 + best[n - cut];
      most = v > most ? v : most;
    }
    best[n] = most;
  }
  return best[N];
}

double optimal_search_tree(const double p[N]) {
  double cost[N + 1][N + 1];
  for (int i = 0; i <= N; i++)
    for (int j = 0; j <= N; j++) cost[i][j] = 0;
  for (int length = 1; length <= N; length++)
    for (int i = 0; i + length <= N; i++) {
      int j = i + length;
      double weight = 0, least = 1e30;
      for (int k = i; k < j; k++) weight += fabs(p[k]);
      for (int root = i; root < j; root++) least = fmin(least, cost[i][root] + cost[root + 1][j]);
      cost[i][j] = least + weight;
    }
  return cost[0][N];
}

int grid_paths(int n[restrict N][N], const int wall[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int open = wall[i][j] < 6 || i + j == 0;
      int above = i > 0 ? n[i - 1][j] : 0, left = j > 0 ? n[i][j - 1] : 0;
      n[i][j] = !open ? 0 : i + j == 0 ? 1 : above + left;
    }
  return n[N - 1][N - 1];
}

int largest_square(int side[restrict N][N], const int x[N][N]) {
  int best = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      if (x[i][j] < -4) {
        side[i][j] = 0;
      } else if (i == 0 || j == 0) {
        side[i][j] = 1;
      } else {
        int least = side[i - 1][j];
        if (side[i][j - 1] < least) least = side[i][j - 1];
        if (side[i - 1][j - 1] < least) least = side[i - 1][j - 1];
        side[i][j] = least + 1;
      }
      if (side[i][j] > best) best = side[i][j];
    }
  return best;
}

int palindromes(const int x[N]) {
  int is[N][N], count = 0;
  for (int length = 1; length <= N; length++)
    for (int i = 0; i + length <= N; i++) {
      int j = i + length - 1;
      is[i][j] = (x[i] > 0) == (x[j] > 0) && (length < 3 || is[i + 1][j - 1]);
      count += is[i][j];
    }
  return count;
}

// The best path, and where each step came from.
void viterbi(int path[restrict N], const float emit[N][4], const float move[4][4]) {
  float score[N][4];
  int from[N][4];
  for (int s = 0; s < 4; s++) {
    score[0][s] = emit[0][s];
    from[0][s] = -1;
  }
  for (int t = 1; t < N; t++)
    for (int s = 0; s < 4; s++) {
      float best = score[t - 1][0] + move[0][s];
      int at = 0;
      for (int p = 1; p < 4; p++)
        if (score[t - 1][p] + move[p][s] > best) {
          best = score[t - 1][p] + move[p][s];
          at = p;
        }
      score[t][s] = best + emit[t][s];
      from[t][s] = at;
    }
  int last = 0;
  for (int s = 1; s < 4; s++)
    if (score[N - 1][s] > score[N - 1][last]) last = s;
  for (int t = N - 1; t >= 0; t--) {
    path[t] = last;
    last = from[t][last];
  }
}

double forward_algorithm(const double emit[N][3], const double move[3][3]) {
  double a[3] = {1, 0, 0}, b[3];
  for (int t = 0; t < N; t++) {
    double total = 0;
    for (int s = 0; s < 3; s++) {
      b[s] = 0;
      for (int p = 0; p < 3; p++) b[s] += a[p] * (move[p][s] + 1.5);
      b[s] *= emit[t][s] + 1.5;
      total += b[s];
    }
    for (int s = 0; s < 3; s++) a[s] = b[s] / total;
  }
  return a[0] - a[2];
}
