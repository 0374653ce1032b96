// test: opt --pipeline=to-cuda --emit=cuda
// Figures 6 and 7 of the paper on reductions: 16 elements, two blocks of four threads, two elements for each thread.

func.func @f(%X: tensor<16xf32>) -> tensor<f32> {
  %s = mdh.compute "s" (i in 16 pw add free) ins(%x = %X[i]) outs([])
       attributes {mdh.schedule = ["1: (8) (^ ; ^) (BLK.x(atomic))", "3: (4) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (THR.x(shared))"]} {
    mdh.yield %x : f32
  } : (tensor<16xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
// check: s[0] = -0.0f;
// check: __launch_bounds__(4)
// check: int v1 = i3 + block_id_x * 8;
// check: for (int i2 = 0; i2 < 8; i2 += 4) {
// check: __syncthreads();
// check: if (i3 == 0) {
// next: atomicAdd(&s[0], {{.*}});
