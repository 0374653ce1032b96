// test: round-trip
// run: histogram E=29 B=4
#ifndef E
#define E 1048576
#define B 256
#endif

void histogram(int h[restrict B], const int v[E]) {
#pragma mdh( h[b] : + , ++ )
  for (int e = 0; e < E; ++e)
    for (int b = 0; b < B; ++b)
      if (v[e] == b)
        h[b] += 1;
}
