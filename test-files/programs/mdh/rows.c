// test: round-trip
// run: history N=9 T=4
// run: table N=7
// run: batches N=5 M=6
// run: sources N=8 T=3
// run: column N=6
// run: same_row N=6
// run: warshall N=5
// run: pairs N=6 T=3
// run: edge N=6 T=3
// run: scratch N=6 T=3
// Nests on parts of arrays at places that the loops around them say.
#ifndef N
#define N 64
#endif
#ifndef M
#define M 48
#endif
#ifndef T
#define T 16
#endif

// A step in time writes its own row, from the rows before.
void history(float u[restrict T + 2][N]) {
  for (int t = 1; t <= T; t++)
    for (int i = 1; i < N - 1; i++)
      u[t + 1][i] = 2.0f * u[t][i] - u[t - 1][i] + 0.25f * (u[t][i - 1] - 2.0f * u[t][i] + u[t][i + 1]);
}

void table(int best[restrict N][N], const int cost[N]) {
  for (int i = 1; i < N; i++) {
    for (int j = 0; j < N; j++)
      best[i][j] = best[i - 1][j] + cost[j] * i;
  }
}

// A sum for each element of a batch, and a product with a row of weights.
void batches(double y[restrict M][N], const double x[restrict M][N], const double w[restrict N][N]) {
  for (int b = 0; b < M; b++) {
#pragma mdh( y[b][i] : ++ , + ) inout(y)
    for (int i = 0; i < N; i++)
      for (int k = 0; k < N; k++)
        y[b][i] += w[i][k] * x[b][k];
    for (int i = 0; i < N; i++)
      y[b][i] = y[b][i] / 3.0;
  }
}

void sources(double h[restrict N][N], const double f[restrict T]) {
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < N; j++)
      h[0][j] = f[t];
    for (int j = 0; j < N; j++)
      h[N - 1][j] = h[0][j] + f[t] * j;
  }
}

void column(float a[restrict N][N], const float v[N]) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++) {
      a[i][k] = a[i][k] * v[i];
    }
}

// Rows that may be one: the loops stay.
void same_row(float a[restrict N][N], int n) {
  for (int k = 0; k < N; k++)
    for (int i = 1; i < N; i++)
      a[k][i] = a[k][i] + a[(k * 2) % N][i - 1];
}

void warshall(int path[restrict N][N]) {
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        path[i][j] = path[i][j] < path[i][k] / 4 + path[k][j] / 4 ? path[i][j] : path[i][k] / 4 + path[k][j] / 4;
}

struct pair { float a, b; };

void pairs(struct pair p[restrict T][N]) {
  for (int t = 1; t < T; t++)
    for (int i = 0; i < N; i++) {
      p[t][i].a = p[t - 1][i].b + 1.0f;
      p[t][i].b = p[t - 1][i].a * 0.5f;
    }
}

// Outside of the array where nobody looks.
void edge(float u[restrict T][N]) {
  for (int t = 0; t < T; t++)
    for (int i = 0; i < N; i++)
      u[t][i] = t > 0 ? u[t - 1][i] + 1.0f : 2.0f;
}

// An array of each turn.
void scratch(float y[restrict N]) {
  for (int t = 0; t < T; t++) {
    float b[N];
    for (int i = 0; i < N; i++)
      b[i] = y[i] + t;
    for (int i = 0; i < N; i++)
      y[i] = b[N - 1 - i];
  }
}
