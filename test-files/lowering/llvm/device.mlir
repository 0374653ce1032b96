// test: opt
// test: opt --emit=ptx --target-cpu=sm_80
// snapshot:
// check: gpu.module

// Ids, memory of the block and of the thread, a barrier, a shuffle, a reduction of the subgroup, an atomic sum: what of it
// PTX has is tested with the worker.
gpu.module @kernels {
  gpu.func @scale(%m: memref<?xf32>, %x: f32, %flag: i1)
      workgroup(%w : memref<32xf32, #gpu.address_space<workgroup>>)
      private(%p : memref<1xf32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %i = gpu.global_id x
    %t = gpu.thread_id x
    %n = memref.dim %m, %c0 : memref<?xf32>
    %in = arith.cmpi ult, %i, %n : index
    cf.cond_br %in, ^a, ^b
  ^a:
    %a = memref.load %m[%i] : memref<?xf32>
    %b = arith.mulf %a, %x : f32
    memref.store %b, %w[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %b, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    cf.br ^b
  ^b:
    gpu.barrier
    %c31 = arith.constant 31 : index
    %u = arith.subi %c31, %t : index
    %v = memref.load %w[%u] : memref<32xf32, #gpu.address_space<workgroup>>
    %o = arith.constant 1 : i32
    %wd = arith.constant 32 : i32
    %s, %valid = gpu.shuffle xor %v, %o, %wd : f32
    %r = gpu.subgroup_reduce add %s : (f32) -> f32
    cf.cond_br %in, ^c, ^d
  ^c:
    memref.store %r, %m[%i] : memref<?xf32>
    %q = memref.atomic_rmw addf %r, %m[%c0] : (f32, memref<?xf32>) -> f32
    cf.br ^d
  ^d:
    gpu.return
  }
}
