// test: opt --emit=opencl --split-input-file --verify-diagnostics

gpu.module @m {
  gpu.func @lanes(%x: f32, %m: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    // expected-error@+1 {{'gpu.shuffle' op cannot be printed as opencl: OpenCL C 1.2 has no shuffles}}
    %y, %valid = gpu.shuffle xor %x, %one, %width : f32
    memref.store %y, %m[%c0] : memref<1xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @heap(%n: index) kernel {
    // expected-error@+1 {{'memref.alloc' op cannot be printed as opencl: kernels cannot allocate}}
    %m = memref.alloc(%n) : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @bytes(%m: memref<4xi8>, %x: i8) kernel {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{there are no atomics of 8 bits}}
    memref.atomic_rmw addi %x, %m[%c0] : (i8, memref<4xi8>) -> i8
    gpu.return
  }
}
