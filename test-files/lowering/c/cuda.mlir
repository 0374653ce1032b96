// test: opt --emit=cuda
// snapshot:

gpu.module @kernels {
  gpu.func @sum(%in: memref<?xf32>, %out: memref<1xf32>)
      workgroup(%part : memref<64xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %x = memref.load %in[%i] : memref<?xf32>
    memref.store %x, %part[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = scf.while (%s = %c32) : (index) -> index {
      %go = arith.cmpi sgt, %s, %c0 : index
      scf.condition(%go) %s : index
    } do {
    ^bb0(%s: index):
      %low = arith.cmpi slt, %t, %s : index
      scf.if %low {
        %o = arith.addi %t, %s : index
        %u = memref.load %part[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        %v = memref.load %part[%o] : memref<64xf32, #gpu.address_space<workgroup>>
        %uv = arith.addf %u, %v : f32
        memref.store %uv, %part[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %half = arith.shrsi %s, %c1 : index
      scf.yield %half : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %r = memref.load %part[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.atomic_rmw addf %r, %out[%c0] : (f32, memref<1xf32>) -> f32
    }
    gpu.return
  }
}
// check: extern "C" __global__ __launch_bounds__(64)
// next: void sum(const float *in, long long in_size0, float *out) {
// next: __shared__ float part[64];
// check: part[t] = in[i];
// next: __syncthreads();
// check: while (s > 0) {
// next: if (t < s) {
// next: part[t] = part[t] + part[t + s];
// next: }
// next: __syncthreads();
// next: s = s >> 1;
// next: }
// next: if (t == 0) {
// next: atomicAdd(&out[0], part[0]);
// next: }
// next: }
