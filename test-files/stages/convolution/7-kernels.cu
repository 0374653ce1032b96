typedef struct {
  float lane[4];
} f32x4;

static __device__ inline f32x4 terrace_load_f32x4(const float *at) {
  f32x4 r;
  #pragma unroll
  for (int l = 0; l < 4; l++)
    r.lane[l] = at[l];
  return r;
}

static __device__ inline f32x4 terrace_mulf_f32x4(f32x4 a, f32x4 b) {
  f32x4 r;
  #pragma unroll
  for (int l = 0; l < 4; l++)
    r.lane[l] = a.lane[l] * b.lane[l];
  return r;
}

static __device__ inline float terrace_reduce_any_add_f32x4(f32x4 v) {
  #pragma unroll
  for (int n = 2; n > 0; n /= 2)
    #pragma unroll
    for (int l = 0; l < n; l++)
      v.lane[l] = v.lane[l] + v.lane[l + n];
  return v.lane[0];
}

extern "C" __global__ __launch_bounds__(32)
void conv_kernel(const float *__restrict__ in, float *__restrict__ padded_0) {
  int block_id_y = blockIdx.y;
  int block_id_z = blockIdx.z;
  int thread_id_x = threadIdx.x;
  int thread_id_y = threadIdx.y;
  int j = block_id_y * 4 + thread_id_y;
  if (j < 9) {
    int v0 = block_id_z - 1;
    int v1 = j - 1;
    float v2;
    if (((unsigned long long)v0 < 4) & ((unsigned long long)v1 < 6)) {
      v2 = in[v0 * 48 + v1 * 8 + thread_id_x];
    } else {
      v2 = 0.0f;
    }
    padded_0[block_id_z * 72 + j * 8 + thread_id_x] = v2;
  }
}

extern "C" __global__ __launch_bounds__(8)
void conv_kernel_1(
    const float *__restrict__ padded_0, const float *__restrict__ w, float *__restrict__ buffer) {
  int block_id_x = blockIdx.x;
  int i = blockIdx.y;
  int thread_id_x = threadIdx.x;
  int k = threadIdx.y;
  int j = block_id_x * 2;
  int l = thread_id_x * 4;
  int v0 = j + 1;
  float arg0 = -0.0f;
  float arg1 = -0.0f;
  float arg2 = -0.0f;
  float arg3 = -0.0f;
  for (int m = 0; m < 32; m += 16) {
    int v1 = m / 16;
    int v2 = k + i / 4 * 2 + v1;
    int v3 = l / 8;
    int v4 = i % 4 * 2 + v3;
    int v5 = l % 8;
    f32x4 v6 = terrace_load_f32x4(&padded_0[v2 * 72 + v4 * 8 + v5]);
    f32x4 v7 = terrace_load_f32x4(&w[j * 32 + v1 * 16 + v3 * 8 + v5]);
    f32x4 v8 = terrace_load_f32x4(&w[v0 * 32 + v1 * 16 + v3 * 8 + v5]);
    f32x4 v9 = terrace_load_f32x4(&padded_0[v2 * 72 + (v4 + 1) * 8 + v5]);
    arg0 = arg0 + terrace_reduce_any_add_f32x4(terrace_mulf_f32x4(v6, v7));
    arg1 = arg1 + terrace_reduce_any_add_f32x4(terrace_mulf_f32x4(v6, v8));
    arg2 = arg2 + terrace_reduce_any_add_f32x4(terrace_mulf_f32x4(v9, v7));
    arg3 = arg3 + terrace_reduce_any_add_f32x4(terrace_mulf_f32x4(v9, v8));
  }
  int v1 = j / 2;
  int v2 = l / 4;
  buffer[i * 64 + v1 * 32 + k * 16 + v2] = arg0;
  buffer[i * 64 + v1 * 32 + k * 16 + v2 + 4] = arg1;
  buffer[i * 64 + v1 * 32 + k * 16 + v2 + 8] = arg2;
  buffer[i * 64 + v1 * 32 + k * 16 + v2 + 12] = arg3;
}

extern "C" __global__ __launch_bounds__(4)
void conv_kernel_2(
    const float *__restrict__ bias, const float *__restrict__ buffer,
    float *__restrict__ the_buffer_0) {
  int block_id_x = blockIdx.x;
  int i = blockIdx.y;
  int l = threadIdx.x;
  int k = threadIdx.y;
  int j = block_id_x * 2;
  for (int m = 0; m < 2; m++) {
    int v0 = j + m;
    float arg0 = bias[v0];
    for (int n = 0; n < 4; n++) {
      arg0 = arg0 + buffer[i * 64 + j / 2 * 32 + k * 16 + l * 8 + m * 4 + n];
    }
    the_buffer_0[i * 16 + k * 8 + l * 4 + v0] = arg0;
  }
}

extern "C" __global__ __launch_bounds__(28)
void conv_kernel_3(const float *__restrict__ the_buffer_0, float *__restrict__ o) {
  int block_id_y = blockIdx.y;
  int block_id_z = blockIdx.z;
  int thread_id_x = threadIdx.x;
  int thread_id_y = threadIdx.y;
  int j = block_id_y * 4 + thread_id_y;
  if (j < 5) {
    float v0 = the_buffer_0[(j / 2 * 4 + thread_id_x / 2) * 16 + j % 2 * 8 + thread_id_x % 2 * 4 + block_id_z];
    o[block_id_z * 35 + j * 7 + thread_id_x] = v0;
  }
}
