int4 terrace_load_i32x4(__global const int *at) {
  return vload4(0, at);
}

int4 terrace_muli_i32x4(int4 a, int4 b) {
  int4 r;
  for (int l = 0; l < 4; l++)
    ((int *)&r)[l] = (int)((uint)((int *)&a)[l] * ((int *)&b)[l]);
  return r;
}

int4 terrace_addi_i32x4(int4 a, int4 b) {
  int4 r;
  for (int l = 0; l < 4; l++)
    ((int *)&r)[l] = (int)((uint)((int *)&a)[l] + ((int *)&b)[l]);
  return r;
}

void terrace_store_i32x4(__global int *at, int4 v) {
  vstore4(v, 0, at);
}

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void f_kernel(int y, int z, __global const int *restrict X, __global int *restrict o) {
  int block_id_x = get_group_id(0);
  int thread_id_x = get_local_id(0);
  int v0 = block_id_x * 32 + thread_id_x * 8;
  int4 v1 = (int4)(y);
  int4 v2 = (int4)(z);
  for (int k = 0; k < 8; k += 4) {
    int v3 = v0 + k;
    int4 v4 = terrace_addi_i32x4(terrace_muli_i32x4(terrace_load_i32x4(&X[v3]), v1), v2);
    terrace_store_i32x4(&o[v3], v4);
  }
}
