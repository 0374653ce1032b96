// test: round-trip
// Sweeps that overwrite what they read, and filters of images.
// run: seidel_2d
// run: adi_sweep
// run: red_black
// run: sobel
// run: median_of_three
// run: erosion
// run: box_by_two_passes
// run: anisotropic
// run: life_on_torus
#include <math.h>
#define H 9
#define W 11
#define T 3

// In place: values of this sweep and of the one before.
void seidel_2d(double A[restrict H][H]) {
  for (int t = 0; t < T; t++)
    for (int i = 1; i <= H - 2; i++)
      for (int j = 1; j <= H - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}

// Columns by an elimination forth and back.
void adi_sweep(double u[restrict H][H], double v[restrict H][H], double p[restrict H][H], double q[restrict H][H]) {
  double a = -0.3, b = 1.6, c = a;
  for (int i = 1; i < H - 1; i++) {
    v[0][i] = 1.0;
    p[i][0] = 0.0;
    q[i][0] = v[0][i];
    for (int j = 1; j < H - 1; j++) {
      p[i][j] = -c / (a * p[i][j - 1] + b);
      q[i][j] = (0.3 * u[j][i - 1] + 0.4 * u[j][i] + 0.3 * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
    }
    v[H - 1][i] = 1.0;
    for (int j = H - 2; j >= 1; j--) v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
  }
}

// Two colours: each sweep reads only the other one.
void red_black(double u[restrict H][H], const double f[H][H]) {
  for (int colour = 0; colour < 2; colour++)
    for (int i = 1; i < H - 1; i++)
      for (int j = 1 + (i + colour) % 2; j < H - 1; j += 2)
        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - f[i][j]);
}

void sobel(int y[restrict H][W], const unsigned char x[H][W]) {
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++) {
      int gx = x[i - 1][j + 1] + 2 * x[i][j + 1] + x[i + 1][j + 1] - x[i - 1][j - 1] - 2 * x[i][j - 1] - x[i + 1][j - 1];
      int gy = x[i + 1][j - 1] + 2 * x[i + 1][j] + x[i + 1][j + 1] - x[i - 1][j - 1] - 2 * x[i - 1][j] - x[i - 1][j + 1];
      y[i][j] = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
    }
}

static float median(float a, float b, float c) { return fmaxf(fminf(a, b), fminf(fmaxf(a, b), c)); }

void median_of_three(float y[restrict W], const float x[W]) {
  y[0] = x[0];
  for (int i = 1; i < W - 1; i++) y[i] = median(x[i - 1], x[i], x[i + 1]);
  y[W - 1] = x[W - 1];
}

void erosion(unsigned char y[restrict H][W], const unsigned char x[H][W]) {
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      unsigned char least = 255;
      for (int a = i - 1; a <= i + 1; a++)
        for (int b = j - 1; b <= j + 1; b++)
          if (a >= 0 && a < H && b >= 0 && b < W && x[a][b] < least) least = x[a][b];
      y[i][j] = least;
    }
}

// Sums of rows in an array of the function, then of columns.
void box_by_two_passes(int y[restrict H][W], const int x[H][W]) {
  int rows[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      rows[i][j] = 0;
      for (int d = -2; d <= 2; d++)
        if (j + d >= 0 && j + d < W) rows[i][j] += x[i][j + d];
    }
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      y[i][j] = 0;
      for (int d = -2; d <= 2; d++)
        if (i + d >= 0 && i + d < H) y[i][j] += rows[i + d][j];
    }
}

void anisotropic(float u[restrict W], float next[restrict W]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < W - 1; i++) {
      float west = u[i - 1] - u[i], east = u[i + 1] - u[i];
      next[i] = u[i] + 0.2f * (west * expf(-west * west) + east * expf(-east * east));
    }
    for (int i = 1; i < W - 1; i++) u[i] = next[i];
  }
}

void life_on_torus(unsigned char next[restrict H][W], const signed char seed[H][W]) {
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      int n = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          if (a != 1 || b != 1) n += seed[(i + a + H - 1) % H][(j + b + W - 1) % W] > 0;
      next[i][j] = n == 3 || (n == 2 && seed[i][j] > 0);
    }
}
