float4 terrace_load_f32x4(__global const float *at) {
  return vload4(0, at);
}

__kernel __attribute__((reqd_work_group_size(8, 4, 1)))
void conv_kernel(__global const float *restrict in, __global float *restrict padded_0) {
  int block_id_y = get_group_id(1);
  int block_id_z = get_group_id(2);
  int thread_id_x = get_local_id(0);
  int thread_id_y = get_local_id(1);
  int j = block_id_y * 4 + thread_id_y;
  if (j < 9) {
    int v0 = block_id_z - 1;
    int v1 = j - 1;
    float v2 = (((ulong)v0 < 4) & ((ulong)v1 < 6)) ? in[v0 * 48 + v1 * 8 + thread_id_x] : 0.0f;
    padded_0[block_id_z * 72 + j * 8 + thread_id_x] = v2;
  }
}

__kernel __attribute__((reqd_work_group_size(4, 2, 1)))
void conv_kernel_1(
    __global const float *restrict padded_0, __global const float *restrict w,
    __global float *restrict buffer) {
  int block_id_x = get_group_id(0);
  int i = get_group_id(1);
  int thread_id_x = get_local_id(0);
  int k = get_local_id(1);
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
    float4 v6 = terrace_load_f32x4(&padded_0[v2 * 72 + v4 * 8 + v5]);
    float4 v7 = terrace_load_f32x4(&w[j * 32 + v1 * 16 + v3 * 8 + v5]);
    float4 v8 = terrace_load_f32x4(&w[v0 * 32 + v1 * 16 + v3 * 8 + v5]);
    float4 v9 = terrace_load_f32x4(&padded_0[v2 * 72 + (v4 + 1) * 8 + v5]);
    arg0 = arg0 + dot(v6, v7);
    arg1 = arg1 + dot(v6, v8);
    arg2 = arg2 + dot(v9, v7);
    arg3 = arg3 + dot(v9, v8);
  }
  int v1 = j / 2;
  int v2 = l / 4;
  buffer[i * 64 + v1 * 32 + k * 16 + v2] = arg0;
  buffer[i * 64 + v1 * 32 + k * 16 + v2 + 4] = arg1;
  buffer[i * 64 + v1 * 32 + k * 16 + v2 + 8] = arg2;
  buffer[i * 64 + v1 * 32 + k * 16 + v2 + 12] = arg3;
}

__kernel __attribute__((reqd_work_group_size(2, 2, 1)))
void conv_kernel_2(
    __global const float *restrict bias, __global const float *restrict buffer,
    __global float *restrict the_buffer_0) {
  int block_id_x = get_group_id(0);
  int i = get_group_id(1);
  int l = get_local_id(0);
  int k = get_local_id(1);
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

__kernel __attribute__((reqd_work_group_size(7, 4, 1)))
void conv_kernel_3(__global const float *restrict the_buffer_0, __global float *restrict o) {
  int block_id_y = get_group_id(1);
  int block_id_z = get_group_id(2);
  int thread_id_x = get_local_id(0);
  int thread_id_y = get_local_id(1);
  int j = block_id_y * 4 + thread_id_y;
  if (j < 5) {
    float v0 = the_buffer_0[(j / 2 * 4 + thread_id_x / 2) * 16 + j % 2 * 8 + thread_id_x % 2 * 4 + block_id_z];
    o[block_id_z * 35 + j * 7 + thread_id_x] = v0;
  }
}
