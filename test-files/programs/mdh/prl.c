// test: round-trip
// run: prl I=5 J=8
// Probabilistic record linkage: for each new record the best of the existing ones.
#include <limits.h>
#include <math.h>
#ifndef I
#define I 32768
#define J 65536
#endif

struct record { int id; float name; float day; };
struct match { int id; float weight; };

#pragma mdh operator(associative, commutative, exact, identity(INT_MIN, -INFINITY))
static struct match better(struct match a, struct match b) {
  if (a.weight > b.weight) return a;
  if (b.weight > a.weight) return b;
  return a.id > b.id ? a : b;
}

static float weight(struct record a, struct record b) {
  float d = fabsf(a.name - b.name);
  float e = fabsf(a.day - b.day);
  return d < 0.5f ? 2.0f - d - e : -e;
}

void prl(struct match best[restrict I], const struct record N[I], const struct record E[J]) {
#pragma mdh( best[i] : ++ , better )
  for (int i = 0; i < I; ++i) {
    best[i] = (struct match){INT_MIN, -INFINITY};
    for (int j = 0; j < J; ++j)
      best[i] = better(best[i], (struct match){E[j].id, weight(N[i], E[j])});
  }
}
