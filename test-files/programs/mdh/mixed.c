// test: round-trip
// run: update N=9
// run: energies N=7 M=5
// run: pairs N=6
// run: nearest N=5 M=8
// run: age N=11 T=3
// Structures whose fields have several types lie in memory as C lays them, padding included.
#include <math.h>
#ifndef N
#define N 1024
#endif
#ifndef M
#define M 512
#endif
#ifndef T
#define T 8
#endif

struct body { short kind; double mass; char alive; float x; };
struct cell { int count; float sum; };
struct found { float distance; long place; };
struct person { char group; short age; long id; float weight; };

// Read and written in place.
void update(struct body b[restrict N], const double by[N]) {
  for (int i = 0; i < N; i++) {
    b[i].mass += by[i] * b[i].kind;
    b[i].x = 0.5f * b[i].x;
    b[i].alive = b[i].mass > 0.0;
  }
}

// Two dimensions of structures, one of results.
void energies(struct cell c[restrict N], const struct body b[N][M]) {
#pragma mdh( c[i].count, c[i].sum : ++ , (+, +) ) inout(c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      c[i].count += b[i][j].kind;
      c[i].sum += b[i][j].x;
    }
}

// Pointers that may overlap are looked at.
void pairs(struct cell *a, struct cell *b) {
  for (int i = 0; i < N; i++) {
    a[i].count = b[i].count + 1;
    a[i].sum = -b[i].sum;
  }
}

#pragma mdh operator(associative, commutative, exact, identity(INFINITY, -1))
static struct found closer(struct found a, struct found b) {
  if (a.distance < b.distance) return a;
  if (b.distance < a.distance) return b;
  return a.place > b.place ? a : b;
}

void nearest(struct found f[restrict N], const struct body b[restrict N], const struct body to[restrict M]) {
#pragma mdh( f[i] : ++ , closer )
  for (int i = 0; i < N; i++) {
    f[i] = (struct found){INFINITY, -1};
    for (int j = 0; j < M; j++)
      f[i] = closer(f[i], (struct found){fabsf(b[i].x - to[j].x), j});
  }
}

// Nests in a loop over time, on fields of one width and of several.
void age(struct person p[restrict N]) {
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < N; i++)
      p[i].age += p[i].group;
    for (int i = 1; i < N; i++)
      p[i].weight = 0.5f * p[i].weight + p[i].age;
  }
}
