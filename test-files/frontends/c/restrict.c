// test: opt --pipeline=to-openmp --emit=openmp
// What the author declares `restrict` is reached through that argument alone: the code says so. Other pointers are not.

void rows(float y[restrict 17], const float x[restrict 17][29]) {
#pragma mdh( y[i] : ++ , + )
  for (int i = 0; i < 17; ++i)
    for (int j = 0; j < 29; ++j)
      y[i] += x[i][j];
}
// check: terrace_body_rows(float *restrict y, const float *restrict x)

void doubled(int n, float *y, const float *restrict x) {
  for (int i = 0; i < n; ++i)
    y[i] = 2 * x[i];
}
// check: terrace_body_doubled(int32_t n, float *y, int64_t y_size0, const float *restrict x, int64_t x_size0)
