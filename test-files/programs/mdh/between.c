// test: round-trip
// run: not_an_output N=6
// run: beside_a_start N=6
// run: fields N=6
// run: a_part N=6
// run: parts_of_two N=6
// run: read_back N=6
// run: set_twice N=6
// run: part_of_a_sum N=6
// What is set between loops: the start of a sum, of a part of an array too; anything else keeps the loops in order.
#ifndef N
#define N 512
#endif

struct pair { float x, y; };

void not_an_output(float y[restrict N], float m[restrict N][N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    y[i] = a[i] + 1;
    for (int j = 0; j < N; j++)
      m[i][j] = a[i] * a[j];
  }
}

void beside_a_start(float s[restrict N], float y[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    s[i] = 1;
    y[i] = a[i];
    for (int j = 0; j < N; j++)
      s[i] += a[j];
  }
}

void fields(struct pair p[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    p[i].x = 0;
    p[i].y = 5;
    for (int j = 0; j < N; j++) {
      p[i].x += a[j];
      p[i].y += a[i] * a[j];
    }
  }
}

void a_part(float s[restrict 2 * N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    s[2 * i + 1] = a[i];
    for (int j = 0; j < N; j++)
      s[2 * i + 1] += a[j];
  }
}

void parts_of_two(float s[restrict N], float t[restrict N + 3], const float a[N]) {
#pragma mdh( s[i], t[i + 1] : ++ , (+, max) )
  for (int i = 0; i < N; i++) {
    s[i] = 0;
    t[i + 1] = -3;
    for (int j = 0; j < N; j++) {
      s[i] += a[j];
      t[i + 1] = a[j] > t[i + 1] ? a[j] : t[i + 1];
    }
  }
}

void read_back(float s[restrict N + 1], const float a[N]) {
  for (int i = 0; i < N; i++) {
    s[i + 1] = s[i];
    for (int j = 0; j < N; j++)
      s[i + 1] += a[j];
  }
}

void set_twice(float s[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    s[i] = 7;
    s[i] = 2;
    for (int j = 0; j < N; j++)
      s[i] += a[j];
  }
}

// Without a turn of the inner loop the start is the sum.
void part_of_a_sum(float s[restrict N + 2], const float a[N]) {
  for (int i = 0; i < N; i++) {
    s[i] = 4;
    for (int j = 0; j < i; j++)
      s[i] += a[j];
  }
}
