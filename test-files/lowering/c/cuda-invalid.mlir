// test: opt --emit=cuda --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{has a buffer of type 'memref<4xf16>', which cuda cannot say}}
  gpu.func @half(%m: memref<4xf16>) kernel {
    gpu.return
  }
}

// -----

// expected-error@unknown {{the module has no `gpu.module` with a kernel, which cuda is printed from}}
func.func @f() {
  return
}
