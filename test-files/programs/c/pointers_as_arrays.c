// test: round-trip
// Arrays through pointers: arithmetic, ends, rows, parts, and functions that receive them.
// run: begin_end
// run: pointer_difference
// run: reverse_in_place
// run: copy_words to:9 from:9 n:9
// run: row_by_row
// run: column_stride
// run: middle_part
// run: negative_offset
// run: array_of_offsets
// run: interleave
// run: deinterleave
// run: out_parameters
// run: helper_on_rows
// run: helper_on_parts
// run: chosen_array
// run: swapped_arrays
// run: constant_table
// run: vector_as_matrix
// run: address_of_element
// run: early_out_through_pointer
#define N 12
#define M 5

int begin_end(const int x[N]) {
  int s = 0;
  for (const int *p = x; p != x + N; ++p) s = s * 2 + *p;
  return s;
}

int pointer_difference(const int x[N]) {
  const int *p = x;
  while (p < x + N && *p < 6) p++;
  return (int)(p - x);
}

void reverse_in_place(int a[restrict N]) {
  for (int i = 0; i < N / 2; i++) {
    int *low = a + i, *high = a + N - 1 - i;
    int t = *low;
    *low = *high;
    *high = t;
  }
}

void copy_words(float *restrict to, const float *restrict from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}

void row_by_row(float y[restrict M], const float A[M][N]) {
  for (int i = 0; i < M; i++) {
    const float *row = A[i];
    float s = 0;
    for (int j = 0; j < N; j++) s += row[j] * row[N - 1 - j];
    y[i] = s;
  }
}

void column_stride(float y[restrict N], const float A[M * N]) {
  for (int j = 0; j < N; j++) {
    const float *column = A + j;
    float s = 0;
    for (int i = 0; i < M; i++) s += column[i * N];
    y[j] = s;
  }
}

void middle_part(int y[restrict N], const int x[N]) {
  const int *part = x + 3;
  for (int i = 0; i < N; i++) y[i] = i < 6 ? part[i] : part[i - 6];
}

void negative_offset(int y[restrict N - 2], const int x[N]) {
  const int *centre = x + 1;
  for (int i = 0; i < N - 2; i++) y[i] = centre[i - 1] + 10 * centre[i] + 100 * centre[i + 1];
}

static const int offset[4] = {-M, -1, 1, M};

void array_of_offsets(int y[restrict M * M], const int x[M * M]) {
  for (int i = 1; i < M - 1; i++)
    for (int j = 1; j < M - 1; j++) {
      int s = 0;
      for (int k = 0; k < 4; k++) s += x[i * M + j + offset[k]];
      y[i * M + j] = s;
    }
}

void interleave(int y[restrict 2 * N], const int a[N], const int b[N]) {
  int *p = y;
  for (int i = 0; i < N; i++) {
    *p = a[i];
    p++;
    *p = b[i];
    p++;
  }
}

void deinterleave(int a[restrict N], int b[restrict N], const int x[2 * N]) {
  const int *p = x;
  for (int i = 0; i < N; i++, p += 2) {
    a[i] = p[0];
    b[i] = p[1];
  }
}

static void extremes(int *least, int *most, const int *x, int n) {
  *least = x[0];
  *most = x[0];
  for (int i = 1; i < n; i++) {
    if (x[i] < *least) *least = x[i];
    if (x[i] > *most) *most = x[i];
  }
}

void out_parameters(int y[restrict 4], const int x[N]) {
  extremes(&y[0], &y[1], x, N);
  extremes(y + 3, y + 2, x + 4, 3);
}

static float length2(const float *v, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i] * v[i];
  return s;
}

void helper_on_rows(float y[restrict M], const float A[M][N]) {
  for (int i = 0; i < M; i++) y[i] = length2(A[i], N);
}

void helper_on_parts(float y[restrict N], const float x[N]) {
  for (int i = 0; i < N; i++) y[i] = length2(x + i, N - i);
}

void chosen_array(int y[restrict N], const int a[N], const int b[N]) {
  for (int i = 0; i < N; i++) {
    const int *p = i % 3 == 0 ? a : b;
    y[i] = p[N - 1 - i];
  }
}

void swapped_arrays(int a[restrict N], int b[restrict N]) {
  int *from = a, *to = b;
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < N; i++) to[i] = from[(i + 1) % N] + 1;
    int *other = from;
    from = to;
    to = other;
  }
}

void constant_table(int y[restrict N]) {
  static const signed char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int s = 0;
  for (int i = 0; i < N; i++) {
    s += days[i];
    y[i] = s;
  }
}

void vector_as_matrix(int C[restrict M][M], const int x[M * M]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) C[i][j] = x[j * M + i];
}

void address_of_element(int y[restrict N], const int x[N]) {
  for (int i = 0; i < N - 1; i++) {
    const int *here = &x[i];
    y[i] = here[1] - *here;
  }
  int *last = &y[N - 1];
  *last = *(x + N - 1);
}

static int find(const int *x, int n, int wanted, int *at) {
  for (int i = 0; i < n; i++)
    if (x[i] == wanted) {
      *at = i;
      return 1;
    }
  return 0;
}

int early_out_through_pointer(const int x[N]) {
  int at[1] = {-1}, found = 0;
  for (int v = -8; v <= 8; v++)
    if (find(x, N, v, at)) found += at[0] + 1;
  return found;
}
