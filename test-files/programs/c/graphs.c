// test: round-trip
// Paths, closures and components of small graphs.
// run: bellman_ford
// run: dijkstra
// run: topological_levels
// run: transitive_closure
// run: page_rank
// run: connected_components
// run: queens
// run: hanoi
// run: josephus
// run: magic_square
#include <math.h>
#define N 9
#define INF 1000000

void bellman_ford(int dist[restrict N], const int w[N][N]) {
  for (int i = 0; i < N; i++) dist[i] = i == 0 ? 0 : INF;
  for (int t = 0; t < N - 1; t++)
    for (int u = 0; u < N; u++)
      for (int v = 0; v < N; v++)
        if (w[u][v] > 2 && dist[u] < INF && dist[u] + w[u][v] < dist[v]) dist[v] = dist[u] + w[u][v];
}

void dijkstra(int dist[restrict N], const int w[N][N]) {
  int done[N];
  for (int i = 0; i < N; i++) {
    dist[i] = i == 3 ? 0 : INF;
    done[i] = 0;
  }
  for (int t = 0; t < N; t++) {
    int u = -1;
    for (int i = 0; i < N; i++)
      if (!done[i] && (u < 0 || dist[i] < dist[u])) u = i;
    done[u] = 1;
    for (int v = 0; v < N; v++)
      if (w[u][v] > 0 && dist[u] + w[u][v] < dist[v]) dist[v] = dist[u] + w[u][v];
  }
}

// Edges go from smaller to larger numbers.
void topological_levels(int level[restrict N], const int edge[N][N]) {
  for (int v = 0; v < N; v++) {
    level[v] = 0;
    for (int u = 0; u < v; u++)
      if (edge[u][v] > 3 && level[u] + 1 > level[v]) level[v] = level[u] + 1;
  }
}

void transitive_closure(unsigned char r[restrict N][N], const int edge[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) r[i][j] = edge[i][j] > 5;
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) r[i][j] |= r[i][k] & r[k][j];
}

void page_rank(double rank[restrict N], const int link[N][N]) {
  double next[N];
  int out[N];
  for (int i = 0; i < N; i++) {
    rank[i] = 1.0 / N;
    out[i] = 0;
    for (int j = 0; j < N; j++) out[i] += link[i][j] > 2;
  }
  for (int t = 0; t < 10; t++) {
    double lost = 0;
    for (int i = 0; i < N; i++)
      if (out[i] == 0) lost += rank[i];
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int i = 0; i < N; i++)
        if (link[i][j] > 2) s += rank[i] / out[i];
      next[j] = 0.15 / N + 0.85 * (s + lost / N);
    }
    for (int j = 0; j < N; j++) rank[j] = next[j];
  }
}

int connected_components(int label[restrict N], const int edge[N][N]) {
  for (int i = 0; i < N; i++) label[i] = i;
  int changed = 1, rounds = 0;
  while (changed) {
    changed = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (edge[i][j] == 7 && label[i] != label[j]) {
          int least = label[i] < label[j] ? label[i] : label[j];
          label[i] = least;
          label[j] = least;
          changed = 1;
        }
    rounds++;
  }
  return rounds;
}

// All places of six queens, without recursion.
int queens(void) {
  int column[6], row = 0, found = 0;
  column[0] = -1;
  while (row >= 0) {
    column[row]++;
    if (column[row] == 6) {
      row--;
      continue;
    }
    int free = 1;
    for (int r = 0; r < row; r++) {
      int d = column[row] - column[r];
      if (d == 0 || d == row - r || d == r - row) free = 0;
    }
    if (!free) continue;
    if (row == 5) {
      found++;
    } else {
      row++;
      column[row] = -1;
    }
  }
  return found;
}

// The moves by the bits of their number.
int hanoi(int from[restrict 31], int to[restrict 31]) {
  int n = 5, moves = (1 << n) - 1;
  for (int m = 1; m <= moves; m++) {
    from[m - 1] = (m & (m - 1)) % 3;
    to[m - 1] = ((m | (m - 1)) + 1) % 3;
  }
  return moves;
}

int josephus(void) {
  int last = 0;
  for (int n = 2; n <= 41; n++) last = (last + 3) % n;
  return last;
}

int magic_square(int m[restrict 5][5]) {
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) m[i][j] = 0;
  int i = 0, j = 2;
  for (int k = 1; k <= 25; k++) {
    m[i][j] = k;
    int up = (i + 4) % 5, right = (j + 1) % 5;
    if (m[up][right]) {
      i = (i + 1) % 5;
    } else {
      i = up;
      j = right;
    }
  }
  int diagonal = 0;
  for (int d = 0; d < 5; d++) diagonal += m[d][d];
  return diagonal;
}
