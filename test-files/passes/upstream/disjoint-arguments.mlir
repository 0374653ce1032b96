// Which buffers of kernels nothing else reaches is what all launches say together; what is not known is not marked.
// test: opt --pipeline=disjoint-arguments

module attributes {gpu.container_module} {
  // An allocation is other memory than an argument.
  // check: func.func @fresh
  func.func @fresh(%x: memref<16xf32>) {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<16xf32>
    gpu.launch_func @k::@fresh blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16xf32>, %m : memref<16xf32>)
    gpu.launch_func @k::@parts blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<16xf32>, %m : memref<16xf32>)
    return
  }

  // Two arguments may be the same buffer, unless one says that it is not.
  // check: func.func @given
  func.func @given(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32> {llvm.noalias}) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @k::@given blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16xf32>, %y : memref<16xf32>)
    gpu.launch_func @k::@alone blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<16xf32>, %y : memref<16xf32>, %z : memref<16xf32>)
    gpu.launch_func @k::@twice blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<16xf32>, %z : memref<16xf32>)
    gpu.launch_func @k::@twice blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%z : memref<16xf32>, %z : memref<16xf32>)
    return
  }

  gpu.module @k {
    // check: gpu.func @fresh(%a: memref<16xf32> {llvm.noalias, llvm.readonly}, %b: memref<16xf32> {llvm.noalias}) kernel
    gpu.func @fresh(%a: memref<16xf32>, %b: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<16xf32>
      memref.store %v, %b[%i] : memref<16xf32>
      gpu.return
    }
    // Both are only read: they may be the same and nobody sees it.
    // check: gpu.func @parts(%a: memref<16xf32> {llvm.noalias, llvm.readonly}, %b: memref<16xf32> {llvm.noalias, llvm.readonly}) kernel
    gpu.func @parts(%a: memref<16xf32>, %b: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<16xf32>
      %w = memref.load %b[%i] : memref<16xf32>
      gpu.printf "%f %f", %v, %w : f32, f32
      gpu.return
    }
    // check: gpu.func @given(%a: memref<16xf32>, %b: memref<16xf32>) kernel
    gpu.func @given(%a: memref<16xf32>, %b: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<16xf32>
      memref.store %v, %b[%i] : memref<16xf32>
      gpu.return
    }
    // What is written is alone, through a view too; the others are only read.
    // check: gpu.func @alone(%a: memref<16xf32> {llvm.noalias, llvm.readonly}, %b: memref<16xf32> {llvm.noalias, llvm.readonly}, %c: memref<16xf32> {llvm.noalias}) kernel
    gpu.func @alone(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<16xf32>
      %w = memref.load %b[%i] : memref<16xf32>
      %s = arith.addf %v, %w : f32
      %part = memref.subview %c[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
      memref.store %s, %part[%i] : memref<8xf32, strided<[1], offset: 4>>
      gpu.return
    }
    // One of its launches gives the same buffer twice.
    // check: gpu.func @twice(%a: memref<16xf32>, %b: memref<16xf32>) kernel
    gpu.func @twice(%a: memref<16xf32>, %b: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<16xf32>
      memref.store %v, %b[%i] : memref<16xf32>
      gpu.return
    }
    // Nobody launches it here.
    // check: gpu.func @unknown(%a: memref<16xf32>, %b: memref<16xf32>) kernel
    gpu.func @unknown(%a: memref<16xf32>, %b: memref<16xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %a[%i] : memref<16xf32>
      memref.store %v, %b[%i] : memref<16xf32>
      gpu.return
    }
  }

  // Of functions: all that is written is alone, so what is only read is not written through others.
  // check: func.func @reads(%a: memref<16xf32> {llvm.noalias, llvm.readonly}, %b: memref<16xf32> {llvm.noalias}, %n: index)
  func.func @reads(%a: memref<16xf32>, %b: memref<16xf32> {llvm.noalias}, %n: index) {
    %v = memref.load %a[%n] : memref<16xf32>
    memref.store %v, %b[%n] : memref<16xf32>
    return
  }
  // check: func.func @may_be_one(%a: memref<16xf32>, %b: memref<16xf32>)
  func.func @may_be_one(%a: memref<16xf32>, %b: memref<16xf32>) {
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    return
  }
  // A loop carries buffers: which it writes is not looked at.
  // check: func.func @carried(%a: memref<16xf32>, %b: memref<16xf32> {llvm.noalias}, %n: index)
  func.func @carried(%a: memref<16xf32>, %b: memref<16xf32> {llvm.noalias}, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant 1.0 : f32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<16xf32>) {
      memref.store %f, %m[%i] : memref<16xf32>
      scf.yield %b : memref<16xf32>
    }
    return
  }
  // What it calls may write anywhere.
  // check: func.func @calls(%a: memref<16xf32>, %n: index) -> f32
  func.func @calls(%a: memref<16xf32>, %n: index) -> f32 {
    func.call @may_be_one(%a, %a) : (memref<16xf32>, memref<16xf32>) -> ()
    %v = memref.load %a[%n] : memref<16xf32>
    return %v : f32
  }
}
