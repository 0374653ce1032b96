typedef struct {
  int lane[4];
} i32x4;

static __device__ inline i32x4 terrace_splat_i32x4(int x) {
  i32x4 r;
  #pragma unroll
  for (int l = 0; l < 4; l++)
    r.lane[l] = x;
  return r;
}

static __device__ inline i32x4 terrace_load_i32x4(const int *at) {
  i32x4 r;
  #pragma unroll
  for (int l = 0; l < 4; l++)
    r.lane[l] = at[l];
  return r;
}

static __device__ inline i32x4 terrace_muli_i32x4(i32x4 a, i32x4 b) {
  i32x4 r;
  #pragma unroll
  for (int l = 0; l < 4; l++)
    r.lane[l] = (int)((unsigned int)a.lane[l] * b.lane[l]);
  return r;
}

static __device__ inline i32x4 terrace_addi_i32x4(i32x4 a, i32x4 b) {
  i32x4 r;
  #pragma unroll
  for (int l = 0; l < 4; l++)
    r.lane[l] = (int)((unsigned int)a.lane[l] + b.lane[l]);
  return r;
}

static __device__ inline void terrace_store_i32x4(int *at, i32x4 v) {
  #pragma unroll
  for (int l = 0; l < 4; l++)
    at[l] = v.lane[l];
}

extern "C" __global__ __launch_bounds__(4)
void f_kernel(int y, int z, const int *__restrict__ X, int *__restrict__ o) {
  int block_id_x = blockIdx.x;
  int thread_id_x = threadIdx.x;
  int v0 = block_id_x * 32 + thread_id_x * 8;
  i32x4 v1 = terrace_splat_i32x4(y);
  i32x4 v2 = terrace_splat_i32x4(z);
  for (int k = 0; k < 8; k += 4) {
    int v3 = v0 + k;
    i32x4 v4 = terrace_addi_i32x4(terrace_muli_i32x4(terrace_load_i32x4(&X[v3]), v1), v2);
    terrace_store_i32x4(&o[v3], v4);
  }
}
