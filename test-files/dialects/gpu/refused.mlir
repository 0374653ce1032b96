// What the verifier and the parser say to ops that are wrong, one rule each; more in `invalid.mlir`.
// test: opt --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{the arguments of a GPU function need names, such as `%arg0: i32`}}
  gpu.func @unnamed(i32) kernel {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{'gpu.func' op requires string attribute 'sym_name'}}
  "gpu.func"() <{function_type = () -> ()}> ({
    "gpu.return"() : () -> ()
  }) : () -> ()
}

// -----

func.func @f(%n: index) {
  // expected-error@+1 {{expected three ids and three sizes, for x, y and z}}
  gpu.launch blocks(%a, %b) in (%c = %n, %d = %n) threads(%e, %g, %h) in (%i = %n, %j = %n, %k = %n) {
    gpu.terminator
  }
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    memref.global @k : memref<4xf32>
  }
  func.func @f(%n: index) {
    // expected-error@+1 {{'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f(%n: index) {
    // expected-error@+1 {{expected three sizes, for x, y and z}}
    gpu.launch_func @m::@k blocks in (%n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f(%n: index, %i: i32) {
    // expected-error@+1 {{'gpu.launch_func' op expects types of the cluster dimensions must be the same}}
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n, %i, %i, %n) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0>}> : (index, index, index, index, index, index, i32, i32, index) -> ()
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.module @k {
    }
  }
  func.func @f(%n: index) {
    // expected-error@+1 {{'gpu.launch_func' op referenced kernel '@m::@k' is not a function}}
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @f() {
  // expected-error@+1 {{needs to be named when marked 'async'}}
  gpu.alloc async () : memref<4xf32>
  return
}
