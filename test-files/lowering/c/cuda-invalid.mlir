// test: opt --emit=cuda --split-input-file --verify-diagnostics

// expected-error@unknown {{the module has no `gpu.module` with a kernel, which cuda is printed from}}
func.func @f() {
  return
}

// -----

gpu.module @m {
  gpu.func @wide(%x: f32, %m: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 64 : i32
    // expected-error@+1 {{'gpu.shuffle' op cannot be printed as cuda: it exchanges among 64 lanes, and there are 32}}
    %y, %valid = gpu.shuffle xor %x, %one, %width : f32
    memref.store %y, %m[%c0] : memref<1xf32>
    gpu.return
  }
}
