// test: round-trip
// run: shuffled N=37
// run: sparse N=6
// run: nearest N=11
// run: sized
// run: tiles
// run: shadows
// Clauses of our own, and names that stand for something else inside.
#ifndef N
#define N 1024
#endif

// Data says which elements are read: declared, so that nobody expects to find that out from the loops.
void shuffled(float y[restrict N], const float x[32], const int p[N]) {
#pragma mdh( y[i] : ++ ) gather(x)
  for (int i = 0; i < N; ++i)
    y[i] = 2.0f * x[p[i] & 31];
}

// Rows of four entries each.
void sparse(float y[restrict N], const float v[N][4], const int column[N][4], const float x[16]) {
#pragma mdh( y[i] : ++ , + ) gather(x)
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 4; ++k)
      y[i] += v[i][k] * x[column[i][k] & 15];
}

struct point { float x; int tag; };

void nearest(float y[restrict N], int tags[restrict N], const struct point table[4][2], const unsigned char row[N]) {
#pragma mdh( y[i], tags[i] : ++ ) gather(table)
  for (int i = 0; i < N; ++i) {
    struct point p = table[row[i] % 4][i % 2];
    y[i] = p.x * p.x;
    tags[i] = p.tag + i;
  }
}

void sized(float y[restrict 3], const float *restrict x, int n) {
#pragma mdh( y[i] : ++ ) assume(n = 3)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * n;
}

void tiles(float C[restrict 16][20], const float A[16][32], const float B[32][20]) {
#pragma mdh( C[i][j] : ++ , ++ , + ) \
    schedule( 1: (de/re)-comp( 4,20,^ )( ^,^ ; ^ )( THR.x,FOR.1,FOR.2 ) \
              2: (de/re)-comp( 1,1,1 )( ^,^ ; ^ )( FOR.1,FOR.2,FOR.3 ) )
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 20; ++j)
      for (int k = 0; k < 32; ++k)
        C[i][j] += A[i][k] * B[k][j];
}

int shadows(int x) {
  int y = x + 1;
  {
    int x = 10;
    y += x;
    {
      int y = 5;
      x = y;
    }
    y += x;
  }
  return y * x;
}
