module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @halves(%x: memref<64xf16>, %y: memref<64xf16>, %s: f16, %w: memref<64xf32>) kernel {
      %i = gpu.global_id x
      %c = arith.constant 0.1 : f16
      %a = memref.load %x[%i] : memref<64xf16>
      %b = arith.mulf %a, %s : f16
      %d = arith.addf %b, %c : f16
      %e = arith.maximumf %d, %c : f16
      %f = math.sqrt %e : f16
      %g = arith.divf %f, %a : f16
      %p = arith.cmpf olt, %g, %c : f16
      %q = arith.select %p, %c, %g : f16
      %l = arith.extf %q : f16 to f32
      %k = arith.addf %l, %l : f32
      %t = arith.truncf %k : f32 to f16
      %u = arith.bitcast %t : f16 to i16
      %v = arith.extsi %u : i16 to i32
      %z = arith.sitofp %v : i32 to f32
      memref.store %z, %w[%i] : memref<64xf32>
      %c0 = arith.constant 0 : index
      %r = vector.load %x[%c0] : memref<64xf16>, vector<4xf16>
      %m = vector.fma %r, %r, %r : vector<4xf16>
      %n = vector.extract %m[1] : f16 from vector<4xf16>
      %o = arith.subf %n, %q : f16
      memref.store %o, %y[%i] : memref<64xf16>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf16>, %y: memref<64xf16>, %s: f16, %w: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@halves blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%x : memref<64xf16>, %y : memref<64xf16>, %s : f16, %w : memref<64xf32>)
    return
  }
}
