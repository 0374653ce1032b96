// test: opt
// Nests inside of loops that stay in order.
#define N 16

// Two buffers in turn: each nest is a computation, the steps in time are a loop around both.
void jacobi(float A[restrict N], float B[restrict N]) {
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < N - 1; i++) B[i] = 0.5f * (A[i - 1] + A[i + 1]);
    for (int i = 1; i < N - 1; i++) A[i] = B[i];
  }
}
// check: @jacobi
// check: scf.for %t =
// check: mdh.compute "jacobi" (i in 14) {{.*}} outs([i + 1] into %B.t)
// check: bufferization.materialize_in_destination {{.*}} %B
// check: mdh.compute "jacobi" (i in 14) {{.*}} outs([i + 1] into %A.t1)

// A directive on an inner nest leaves the loops around it outside, whose variables are numbers for it; `i` is set anew each time.
void steps(float y[restrict N], const float x[restrict N][8]) {
  int i;
  for (int t = 0; t < 10; t++) {
#pragma mdh( y[i] : ++ , + ) inout(y) order(free)
    for (i = 0; i < N; i++)
      for (int k = 0; k < 8; k++)
        y[i] += t * x[i][k];
  }
}
// check: @steps
// check: scf.for %t =
// check: mdh.compute "steps" (i in 16, k in 8 pw add free) ins({{.*}} = %x.t[i, k]) outs([i] into %y.t)

// What is read in the next turn is used behind the loop.
void carried(float y[restrict N]) {
  int i = 0;
  for (int t = 0; t < 3; t++) {
    y[i / 8] = 1.0f;
    for (i = 0; i < N; i++) y[i] += 1.0f;
  }
}
// check: @carried
// check-not: mdh.compute
