// test: round-trip
// Matrices that are banded, packed, sparse or products of smaller ones; norms.
// run: hessenberg_product
// run: banded_product
// run: packed_symmetric
// run: csr_product
// run: coo_product
// run: kronecker
// run: trace_of_product
// run: frobenius
// run: infinity_norm
// run: strassen_2x2
#include <math.h>
#define N 7
#define M 5

// The lower bound of the inner loop depends on the row and is clamped.
void hessenberg_product(double y[restrict N], const double H[N][N], const double x[N]) {
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = i > 0 ? i - 1 : 0; j < N; j++) y[i] += H[i][j] * x[j];
  }
}

void banded_product(double y[restrict N], const double band[N][3], const double x[N]) {
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int d = -1; d <= 1; d++)
      if (i + d >= 0 && i + d < N) s += band[i][d + 1] * x[i + d];
    y[i] = s;
  }
}

// The lower triangle by rows in one array: row i begins at i (i + 1) / 2.
void packed_symmetric(double y[restrict N], const double S[N * (N + 1) / 2], const double x[N]) {
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++) {
      int at = i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
      y[i] += S[at] * x[j];
    }
  }
}

static const int row_start[M + 1] = {0, 2, 2, 5, 6, 9};
static const int column_of[9] = {1, 4, 0, 2, 3, 3, 0, 1, 4};

// A row may be empty.
void csr_product(double y[restrict M], const double value[9], const double x[M]) {
  for (int i = 0; i < M; i++) {
    double s = 0;
    for (int k = row_start[i]; k < row_start[i + 1]; k++) s += value[k] * x[column_of[k]];
    y[i] = s;
  }
}

static const int coo_row[6] = {3, 0, 3, 1, 4, 3};
static const int coo_col[6] = {0, 0, 2, 4, 4, 0};

// An entry may be there twice.
void coo_product(double y[restrict M], const double value[6], const double x[M]) {
  for (int i = 0; i < M; i++) y[i] = 0;
  for (int k = 0; k < 6; k++) y[coo_row[k]] += value[k] * x[coo_col[k]];
}

void kronecker(double C[restrict 6][6], const double A[2][3], const double B[3][2]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) C[i][j] = A[i / 3][j / 2] * B[i % 3][j % 2];
}

double trace_of_product(const double A[M][N], const double B[N][M]) {
  double t = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) t += A[i][j] * B[j][i];
  return t;
}

float frobenius(const float A[M][N]) {
  float s = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) s += A[i][j] * A[i][j];
  return sqrtf(s);
}

double infinity_norm(const double A[M][N]) {
  double most = 0;
  for (int i = 0; i < M; i++) {
    double row = 0;
    for (int j = 0; j < N; j++) row += fabs(A[i][j]);
    if (row > most) most = row;
  }
  return most;
}

// Seven products for two matrices of four numbers.
void strassen_2x2(double C[restrict 2][2], const double A[2][2], const double B[2][2]) {
  double p1 = (A[0][0] + A[1][1]) * (B[0][0] + B[1][1]);
  double p2 = (A[1][0] + A[1][1]) * B[0][0];
  double p3 = A[0][0] * (B[0][1] - B[1][1]);
  double p4 = A[1][1] * (B[1][0] - B[0][0]);
  double p5 = (A[0][0] + A[0][1]) * B[1][1];
  double p6 = (A[1][0] - A[0][0]) * (B[0][0] + B[0][1]);
  double p7 = (A[0][1] - A[1][1]) * (B[1][0] + B[1][1]);
  C[0][0] = p1 + p4 - p5 + p7;
  C[0][1] = p3 + p5;
  C[1][0] = p2 + p4;
  C[1][1] = p1 - p2 + p3 + p6;
}
