// test: round-trip
// Orders in which elements of a matrix are visited.
// run: triangular_down
// run: diagonals
// run: antidiagonals
// run: snake
// run: spiral
// run: tiled_by_hand
// run: unrolled_by_hand
#define N 13
#define M 6
#define MIN(a, b) ((a) < (b) ? (a) : (b))

void triangular_down(int C[restrict M][M]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) C[i][j] = 0;
  for (int i = M - 1; i >= 0; i--)
    for (int j = i; j >= 0; j--) C[i][j] = i * 10 + j;
}

void diagonals(int y[restrict 2 * M - 1], const int A[restrict M][M]) {
  for (int d = 0; d < 2 * M - 1; d++) {
    y[d] = 0;
    for (int i = 0; i < M; i++) {
      int j = i + d - (M - 1);
      if (j >= 0 && j < M) y[d] += A[i][j];
    }
  }
}

// The bounds of the inner loop come from two comparisons.
void antidiagonals(int order[restrict M * N]) {
  int at = 0;
  for (int d = 0; d < M + N - 1; d++) {
    int from = d < N ? 0 : d - N + 1, to = d < M ? d : M - 1;
    for (int i = from; i <= to; i++) {
      order[at] = i * N + (d - i);
      at++;
    }
  }
}

void snake(int C[restrict M][N]) {
  int next = 0;
  for (int i = 0; i < M; i++)
    if (i % 2 == 0)
      for (int j = 0; j < N; j++) { C[i][j] = next; next++; }
    else
      for (int j = N - 1; j >= 0; j--) { C[i][j] = next; next++; }
}

void spiral(int C[restrict M][M]) {
  int top = 0, left = 0, bottom = M - 1, right = M - 1, next = 1;
  while (top <= bottom && left <= right) {
    for (int j = left; j <= right; j++) { C[top][j] = next; next++; }
    top++;
    for (int i = top; i <= bottom; i++) { C[i][right] = next; next++; }
    right--;
    if (top <= bottom) {
      for (int j = right; j >= left; j--) { C[bottom][j] = next; next++; }
      bottom--;
    }
    if (left <= right) {
      for (int i = bottom; i >= top; i--) { C[i][left] = next; next++; }
      left++;
    }
  }
}

// The last tile is smaller.
void tiled_by_hand(int C[restrict N][N], const int A[restrict N][N]) {
  for (int ii = 0; ii < N; ii += 4)
    for (int jj = 0; jj < N; jj += 5)
      for (int i = ii; i < MIN(ii + 4, N); i++)
        for (int j = jj; j < MIN(jj + 5, N); j++) C[j][i] = A[i][j] + 1;
}

int unrolled_by_hand(const int x[restrict N]) {
  int s0 = 0, s1 = 0, s2 = 0, s3 = 0, i;
  for (i = 0; i + 3 < N; i += 4) {
    s0 += x[i];
    s1 += 2 * x[i + 1];
    s2 += 3 * x[i + 2];
    s3 += 4 * x[i + 3];
  }
  for (; i < N; i++) s0 += 5 * x[i];
  return s0 + s1 + s2 + s3;
}
