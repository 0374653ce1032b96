__kernel __attribute__((reqd_work_group_size(16, 1, 1)))
void tiled_kernel(__global const int *restrict X, int y, int z, __global int *restrict out) {
  __local int all_0[16];
  int block_id_x = get_group_id(0);
  int j = get_local_id(0);
  int i = block_id_x * 16;
  int j_0 = j * 4;
  if (j < 4) {
    int v0 = i + j_0;
    for (int k = 0; k < 4; k++) {
      all_0[j_0 + k] = (int)((uint)X[v0 + k] * y);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  out[j + i] = (int)((uint)all_0[j] + z);
}
