// test: opt
// snapshot:
// The paper's program: the loops' operators stand in the directive, everything else follows from the loops.

void matmul(float C[restrict 16][1000], const float A[restrict 16][2048], const float B[restrict 2048][1000]) {
#pragma mdh( C[i][j] : ++ , ++ , + )
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 1000; ++j)
      for (int k = 0; k < 2048; ++k)
        C[i][j] += A[i][k] * B[k][j];
}
// check: func.func @matmul(%C: memref<16x1000xf32> {llvm.noalias}, %A: memref<16x2048xf32> {llvm.noalias}, %B: memref<2048x1000xf32> {llvm.noalias})
// check: mdh.compute "matmul" (i in 16, j in 1000, k in 2048 pw add) ins(%a = %{{.*}}[i, k], %b = %{{.*}}[k, j]) outs([i, j])
// next: arith.mulf %a, %b : f32
// next: mdh.yield
// check: bufferization.materialize_in_destination {{.*}} in restrict writable %C
