// test: round-trip
// Stencils of several shapes, orders and boundaries.
// run: nine_points
// run: periodic_1d
// run: periodic_2d
// run: reflecting
// run: wide_star
// run: upwind
// run: variable_coefficients
// run: ping_pong
// run: laplace_3d
// run: downsample
// run: upsample
#include <math.h>
#define H 9
#define W 11
#define T 3

static const float weight[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

void nine_points(float y[restrict H][W], const float x[H][W]) {
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++) {
      float s = 0;
      for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++) s += weight[a + 1][b + 1] * x[i + a][j + b];
      y[i][j] = s / 16;
    }
}

void periodic_1d(float y[restrict W], const float x[W]) {
  for (int i = 0; i < W; i++) y[i] = x[(i + W - 1) % W] - 2 * x[i] + x[(i + 1) % W];
}

void periodic_2d(float y[restrict H][W], const float x[H][W]) {
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      int up = i == 0 ? H - 1 : i - 1, down = i == H - 1 ? 0 : i + 1;
      int left = j == 0 ? W - 1 : j - 1, right = j == W - 1 ? 0 : j + 1;
      y[i][j] = x[up][j] + x[down][j] + x[i][left] + x[i][right] - 4 * x[i][j];
    }
}

void reflecting(float y[restrict W], const float x[W]) {
  for (int i = 0; i < W; i++) {
    float s = 0;
    for (int k = -3; k <= 3; k++) {
      int at = i + k;
      if (at < 0) at = -at;
      if (at >= W) at = 2 * (W - 1) - at;
      s += x[at] / (1 + (k < 0 ? -k : k));
    }
    y[i] = s;
  }
}

// Fourth order, two cells each way.
void wide_star(double y[restrict H][W], const double x[H][W]) {
  for (int i = 2; i < H - 2; i++)
    for (int j = 2; j < W - 2; j++)
      y[i][j] = -60 * x[i][j] + 16 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]) -
                (x[i - 2][j] + x[i + 2][j] + x[i][j - 2] + x[i][j + 2]);
}

// The side that is read depends on the sign of the speed.
void upwind(double y[restrict W], const double u[W], const double speed[W]) {
  for (int i = 1; i < W - 1; i++)
    y[i] = u[i] - 0.5 * (speed[i] > 0 ? speed[i] * (u[i] - u[i - 1]) : speed[i] * (u[i + 1] - u[i]));
}

void variable_coefficients(float y[restrict W], const float x[W], const float c[3][W]) {
  for (int i = 1; i < W - 1; i++) y[i] = c[0][i] * x[i - 1] + c[1][i] * x[i] + c[2][i] * x[i + 1];
}

void downsample(float y[restrict H / 2][W / 2], const float x[H][W]) {
  for (int i = 0; i < H / 2; i++)
    for (int j = 0; j < W / 2; j++)
      y[i][j] = 0.25f * (x[2 * i][2 * j] + x[2 * i][2 * j + 1] + x[2 * i + 1][2 * j] + x[2 * i + 1][2 * j + 1]);
}

// Every second element is copied, the others are averages.
void upsample(float y[restrict 2 * W - 1], const float x[W]) {
  for (int i = 0; i < W; i++) y[2 * i] = x[i];
  for (int i = 0; i < W - 1; i++) y[2 * i + 1] = 0.5f * (x[i] + x[i + 1]);
}

// Planes of one array alternate by the parity of the step.
void ping_pong(double u[restrict 2][W]) {
  for (int t = 0; t < 5; t++)
    for (int i = 1; i < W - 1; i++)
      u[(t + 1) % 2][i] = (u[t % 2][i - 1] + u[t % 2][i] + u[t % 2][i + 1]) / 3;
}

void laplace_3d(double y[restrict 5][6][7], const double x[5][6][7]) {
  for (int i = 1; i < 4; i++)
    for (int j = 1; j < 5; j++)
      for (int k = 1; k < 6; k++)
        y[i][j][k] = x[i - 1][j][k] + x[i + 1][j][k] + x[i][j - 1][k] + x[i][j + 1][k] + x[i][j][k - 1] +
                     x[i][j][k + 1] - 6 * x[i][j][k];
}
