// test: round-trip
// run: gen_histogram E=23 B=5
// Generalized: the operator and the function of element and bin are the author's.
#ifndef E
#define E 1048576
#define B 256
#endif

#pragma mdh operator(associative, commutative, exact, identity(0))
static unsigned join(unsigned a, unsigned b) { return a * b + a + b; }

static unsigned hit(int value, int bin) { return (value & 7) == bin ? 1 : 0; }

void gen_histogram(unsigned h[restrict B], const int v[E]) {
#pragma mdh( h[b] : join , ++ )
  for (int e = 0; e < E; ++e)
    for (int b = 0; b < B; ++b)
      h[b] = join(h[b], hit(v[e], b));
}
