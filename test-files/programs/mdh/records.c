// test: round-trip
// run: midpoints N=9
// run: product N=7 M=5
// run: total N=50
// run: wave N=12 T=3
// run: extremes N=10 M=6
// run: rotate N=8
// run: moments N=20
// Arrays of structures as C has them in memory: fields of one type are the last dimension of one array.
#ifndef N
#define N 1024
#endif
#ifndef M
#define M 512
#endif
#ifndef T
#define T 8
#endif

struct point { float x, y; };
struct complex { double re, im; };
struct cell { float height, speed, depth; };
struct range { int least, most; };

void midpoints(struct point r[restrict N - 1], const struct point p[N]) {
  for (int i = 0; i < N - 1; i++)
    r[i] = (struct point){0.5f * (p[i].x + p[i + 1].x), 0.5f * (p[i].y + p[i + 1].y)};
}

void product(struct complex c[restrict N][M], const struct complex a[N][M], const struct complex b[M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      c[i][j].re = a[i][j].re * b[j].re - a[i][j].im * b[j].im;
      c[i][j].im = a[i][j].re * b[j].im + a[i][j].im * b[j].re;
    }
}

#pragma mdh operator(associative, commutative, identity(0, 0))
static struct complex plus(struct complex a, struct complex b) {
  return (struct complex){a.re + b.re, a.im + b.im};
}

void total(struct complex s[restrict 1], const struct complex a[N]) {
#pragma mdh( s[0] : plus )
  for (int i = 0; i < N; i++)
    s[0] = plus(s[0], a[i]);
}

// One buffer, read and written in place, over time.
void wave(struct cell w[restrict N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      w[i].speed += 0.1f * w[i].depth * (w[i - 1].height - 2.0f * w[i].height + w[i + 1].height);
    for (int i = 0; i < N; i++)
      w[i].height += w[i].speed;
  }
}

void extremes(struct range r[restrict N], const int x[N][M]) {
#pragma mdh( r[i].least, r[i].most : ++ , (min, max) ) inout(r)
  for (int i = 0; i < N; i++)
    for (int k = 0; k < M; k++) {
      r[i].least = x[i][k] < r[i].least ? x[i][k] : r[i].least;
      r[i].most = x[i][k] > r[i].most ? x[i][k] : r[i].most;
    }
}

// Pointers that may overlap are looked at.
void rotate(struct point *a, struct point *b) {
  for (int i = 0; i < N; i++) {
    a[i].x = b[i].y;
    a[i].y = -b[i].x;
  }
}

void moments(float s[restrict 2], const struct point *restrict p) {
  for (int i = 0; i < N; i++) {
    s[0] += p[i].x * p[i].x + p[i].y * p[i].y;
    s[1] += p[i].x * p[i].y;
  }
}
