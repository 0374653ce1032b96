// test: opt --pipeline=to-cuda --emit=cuda
// The parameters of the paper's templates, Parallel_Reduce<type, operator, threads, pattern> and Atomic_Return<type, operator>: here they are the computation's
// type and operator, the threads of its schedule, which dimension is reduced, and what is behind `BLK`.

// Pattern all: float, sum, 64 threads, atomic return.
func.func @all_sum(%X: tensor<4096xf32>) -> tensor<f32> {
  %s = mdh.compute "s" (i in 4096 pw add free) ins(%x = %X[i]) outs([])
       attributes {mdh.schedule = ["1: (1024) (^ ; ^) (BLK.x(atomic))", "3: (64) (^ ; ^) (FOR.1)", "2: (1) (^ ; ^) (THR.x(shared))"]} {
    mdh.yield %x : f32
  } : (tensor<4096xf32>) -> tensor<f32>
  return %s : tensor<f32>
}
// check: all_sum_kernel(float *__restrict__ s)
// check: s[0] = -0.0f;
// check: __launch_bounds__(64)
// next: void all_sum_kernel_1(const float *__restrict__ X
// check: __shared__ float v0[64];
// check: v0[i3] = v0[i3] + v0[i3 + 32];
// check: if (i3 == 0) {
// next: atomicAdd(&s[0], {{.*}});

// Pattern x, the innermost dimension: double, maximum, 32 threads, a block for each result.
func.func @x_max(%X: tensor<7x515xf64>) -> tensor<7xf64> {
  %s = mdh.compute "s" (i in 7, k in 515 pw max) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "3: (^,32~limit) (^ ; ^) (^,FOR.1)", "2: (^,1) (^ ; ^) (^,THR.x(shuffle))"]} {
    mdh.yield %x : f64
  } : (tensor<7x515xf64>) -> tensor<7xf64>
  return %s : tensor<7xf64>
}
// check: __launch_bounds__(32)
// next: void x_max_kernel(const double *__restrict__ X
// check: for (int k2 = 0; k2 < 515 - k3; k2 += 32) {
// check: __shfl_xor_sync(0xffffffff, v0, 16, 32)
// check: if (k3 == 0) {
// next: s[i1] = {{.*}};

// The same with 128 threads and an atomic return: int, minimum.
func.func @x_min_atomic(%X: tensor<7x4096xi32>) -> tensor<7xi32> {
  %s = mdh.compute "s" (i in 7, k in 4096 pw min) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,1024) (^ ; ^) (BLK.y,BLK.x(atomic))", "3: (^,128) (^ ; ^) (^,FOR.1)", "2: (^,1) (^ ; ^) (^,THR.x(shared))"]} {
    mdh.yield %x : i32
  } : (tensor<7x4096xi32>) -> tensor<7xi32>
  return %s : tensor<7xi32>
}
// check: x_min_atomic_kernel(int *__restrict__ s)
// check: = 2147483647;
// check: __launch_bounds__(128)
// next: void x_min_atomic_kernel_1(const int *__restrict__ X
// check: __shared__ int v0[128];
// check: v0[k3] = terrace_min_i32(v0[k3], v0[k3 + 64]);
// check: if (k3 == 0) {
// next: atomicMin(&s[i1], {{.*}});

// Pattern y, the outer dimension: float, product, 16 x 8 threads, a block for 16 results.
func.func @y_product(%X: tensor<512x48xf32>) -> tensor<48xf32> {
  %s = mdh.compute "s" (k in 512 pw mul, j in 48) ins(%x = %X[k, j]) outs([j])
       attributes {mdh.schedule = ["1: (^,16) (^ ; ^) (^,BLK.x)", "3: (8,^) (^ ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (THR.y(shared),THR.x)"]} {
    mdh.yield %x : f32
  } : (tensor<512x48xf32>) -> tensor<48xf32>
  return %s : tensor<48xf32>
}
// check: __launch_bounds__(128)
// next: void y_product_kernel(const float *__restrict__ X
// check: v0[v3] = v0[v3] * v0[v3 + 64];
// check: if (k3 == 0) {
// next: s[v1] = {{.*}};

// The same with an atomic return: a compare-and-swap loop where the device has no update.
func.func @y_product_atomic(%X: tensor<512x48xf32>) -> tensor<48xf32> {
  %s = mdh.compute "s" (k in 512 pw mul free, j in 48) ins(%x = %X[k, j]) outs([j])
       attributes {mdh.schedule = ["1: (128,16) (^ ; ^) (BLK.y(atomic),BLK.x)", "3: (8,^) (^ ; ^) (FOR.1,^)", "2: (1,1) (^ ; ^) (THR.y(shared),THR.x)"]} {
    mdh.yield %x : f32
  } : (tensor<512x48xf32>) -> tensor<48xf32>
  return %s : tensor<48xf32>
}
// check: y_product_atomic_kernel(float *__restrict__ s)
// check: = 1.0f;
// check: __launch_bounds__(128)
// next: void y_product_atomic_kernel_1(const float *__restrict__ X
// check: v0[v4] = v0[v4] * v0[v4 + 64];
// check: if (k3 == 0) {
// next: terrace_atomic_mulf_f32(&s[{{.*}}], {{.*}});

// The user's own operator, with the same threads and pattern: here the value furthest from zero.
func.func private @further(%a: f32, %b: f32) -> f32 attributes {sched.operator = {associative, commutative, exact, identity = [0.0 : f32]}} {
  %x = math.absf %a : f32
  %y = math.absf %b : f32
  %c = arith.cmpf ogt, %x, %y : f32
  %d = arith.cmpf oeq, %x, %y : f32
  %g = arith.maximumf %a, %b : f32
  %s = arith.select %c, %a, %b : f32
  %r = arith.select %d, %g, %s : f32
  return %r : f32
}
func.func @x_further(%X: tensor<7x515xf32>) -> tensor<7xf32> {
  %s = mdh.compute "s" (i in 7, k in 515 pw @further) ins(%x = %X[i, k]) outs([i])
       attributes {mdh.schedule = ["1: (1,^) (^ ; ^) (BLK.x,^)", "3: (^,32~limit) (^ ; ^) (^,FOR.1)", "2: (^,1) (^ ; ^) (^,THR.x(shuffle))"]} {
    mdh.yield %x : f32
  } : (tensor<7x515xf32>) -> tensor<7xf32>
  return %s : tensor<7xf32>
}
// check: __launch_bounds__(32)
// next: void x_further_kernel(const float *
// check: __shfl_xor_sync(0xffffffff, {{.*}}, 16, 32)
// check: further(
