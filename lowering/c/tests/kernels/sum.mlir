module attributes {gpu.container_module} {
gpu.module @kernels {
  memref.global "private" constant @weights : memref<4xf32> = dense<[1.0, 2.0, 0.5, -3.0]>
  gpu.func @sum(%in: memref<?xf32>, %out: memref<1xf32>, %hist: memref<8xi32>, %scale: f64, %flag: i1)
      workgroup(%w : memref<64xf32, #gpu.address_space<workgroup>>)
      private(%p : memref<2xf32, #gpu.address_space<private>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %n = memref.dim %in, %c0 : memref<?xf32>
    %inside = arith.cmpi slt, %i, %n : index
    %zero = arith.constant 0.0 : f32
    %x = scf.if %inside -> f32 {
      %a = memref.load %in[%i] : memref<?xf32>
      %g = memref.get_global @weights : memref<4xf32>
      %im = arith.andi %i, %c3 : index
      %b = memref.load %g[%im] : memref<4xf32>
      %c = arith.mulf %a, %b : f32
      %d = arith.extf %c : f32 to f64
      %e = arith.mulf %d, %scale : f64
      %f = arith.truncf %e : f64 to f32
      %h = arith.select %flag, %f, %c : f32
      scf.yield %h : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %x, %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    %y = memref.load %p[%c1] : memref<2xf32, #gpu.address_space<private>>
    memref.store %y, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = scf.while (%s = %c32) : (index) -> index {
      %go = arith.cmpi sgt, %s, %c0 : index
      scf.condition(%go) %s : index
    } do {
    ^bb0(%s: index):
      %low = arith.cmpi slt, %t, %s : index
      scf.if %low {
        %o = arith.addi %t, %s : index
        %u = memref.load %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
        %v = memref.load %w[%o] : memref<64xf32, #gpu.address_space<workgroup>>
        %uv = arith.addf %u, %v : f32
        memref.store %uv, %w[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %half = arith.divui %s, %c2 : index
      scf.yield %half : index
    }
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      %r = memref.load %w[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
      %old = memref.atomic_rmw addf %r, %out[%c0] : (f32, memref<1xf32>) -> f32
    }
    %bin = arith.remui %i, %c8 : index
    %o1 = memref.atomic_rmw addi %one, %hist[%bin] : (i32, memref<8xi32>) -> i32
    %o2 = memref.generic_atomic_rmw %hist[%bin] : memref<8xi32> {
    ^bb0(%cur: i32):
      %nx = arith.xori %cur, %one : i32
      memref.atomic_yield %nx : i32
    }
    gpu.return
  }
}
}
