// test: round-trip
// run: add_twice N=9
// run: set_then_add N=9
// run: set_then_maybe N=9
// run: maybe_then_read N=9
// run: add_then_read N=9
// run: other_words N=9
// run: whole_then_field N=9
// run: field_then_whole N=9
// run: field_then_field N=9
// run: added_then_whole N=9
// run: twice_in_a_sum N=9
// run: largest_then_read N=9
// run: swapped N=9
// run: chosen N=9
// run: neighbours N=9
// What a turn has written is what it reads afterwards.
#ifndef N
#define N 1024
#endif

struct pair { float x, y; };

void add_twice(float y[restrict N], const float a[N], const float b[N]) {
  for (int i = 0; i < N; i++) {
    y[i] += a[i];
    y[i] += b[i];
  }
}

void set_then_add(float y[restrict N], const float a[N], const float b[N]) {
  for (int i = 0; i < N; i++) {
    y[i] = a[i];
    y[i] *= b[i];
  }
}

void set_then_maybe(float y[restrict N], const float a[N], const float b[N]) {
  for (int i = 0; i < N; i++) {
    y[i] = a[i];
    if (a[i] < 0) y[i] = b[i];
  }
}

void maybe_then_read(float y[restrict N], float z[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    if (a[i] < 0) y[i] = -a[i];
    z[i] = 2 * y[i];
  }
}

void add_then_read(float y[restrict N], float z[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    y[i] += a[i];
    z[i] = 2 * y[i];
  }
}

void other_words(float y[restrict N + 1], float z[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    y[i + 1] = a[i];
    z[i] = y[1 + i] + 1;
  }
}

void whole_then_field(struct pair p[restrict N], float z[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    p[i] = (struct pair){a[i], -a[i]};
    z[i] = p[i].x + 3 * p[i].y;
  }
}

void field_then_whole(struct pair p[restrict N], struct pair q[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    p[i].y = a[i];
    q[i] = p[i];
  }
}

void field_then_field(struct pair p[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    p[i].y = a[i];
    p[i].x += p[i].y;
    p[i].y -= p[i].x;
  }
}

void added_then_whole(struct pair p[restrict N], struct pair q[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    p[i].x *= a[i];
    if (a[i] > 0) p[i].y = a[i];
    q[i] = p[i];
  }
}

void twice_in_a_sum(float s[restrict N], const float a[N], const float b[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      s[i] += a[j];
      s[i] += b[j] * a[i];
    }
}

void largest_then_read(float y[restrict N], float z[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    y[i] = a[i] > y[i] ? a[i] : y[i];
    z[i] = y[i] * a[i];
  }
}

void swapped(float y[restrict N], float z[restrict N]) {
  for (int i = 0; i < N; i++) {
    float t = y[i];
    y[i] = z[i];
    z[i] = t;
  }
}

void chosen(float y[restrict N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    if (a[i] > 0)
      y[i] += a[i];
    else
      y[i] -= 1;
    if (y[i] > 0.5f)
      y[i] = 0.5f;
  }
}

void neighbours(float y[restrict 2 * N], const float a[N]) {
  for (int i = 0; i < N; i++) {
    y[2 * i] = a[i];
    y[2 * i + 1] = y[2 * i] + y[2 * i + 1];
  }
}
