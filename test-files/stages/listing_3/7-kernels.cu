extern "C" __global__ __launch_bounds__(16)
void tiled_kernel(const int *__restrict__ X, int y, int z, int *__restrict__ out) {
  __shared__ int all_0[16];
  int block_id_x = blockIdx.x;
  int j = threadIdx.x;
  int i = block_id_x * 16;
  int j_0 = j * 4;
  if (j < 4) {
    int v0 = i + j_0;
    for (int k = 0; k < 4; k++) {
      all_0[j_0 + k] = (int)((unsigned int)X[v0 + k] * y);
    }
  }
  __syncthreads();
  out[j + i] = (int)((unsigned int)all_0[j] + z);
}
