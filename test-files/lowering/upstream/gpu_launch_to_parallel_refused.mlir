// Kernels that cannot be run as loops on the host.
// test: opt --pipeline="gpu-launch-to-parallel" --split-input-file --verify-diagnostics

func.func @within(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{holds a place where threads wait: only scf.for, scf.if and scf.while can be split there}}
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      gpu.barrier
      scf.reduce
    }
    gpu.terminator
  }
  return
}

// -----

func.func @all(%n: index, %m: memref<?xi32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    // expected-error @+1 {{`gpu-all-reduce-to-shared` makes shared memory and barriers of it}}
    %s = gpu.all_reduce add %x {
    } : (i32) -> i32
    memref.store %s, %m[%tx] : memref<?xi32>
    gpu.terminator
  }
  return
}

// -----

func.func @blocks(%c: i1) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{has several blocks: structured control flow can be split where threads wait}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    cf.cond_br %c, ^a, ^b
  ^a:
    gpu.barrier
    cf.br ^b
  ^b:
    gpu.terminator
  }
  return
}

// -----

func.func @memory(%n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{has a size known at run time only, and threads use it before and after they wait}}
    %own = memref.alloca(%n) : memref<?xindex>
    memref.store %tx, %own[%c0] : memref<?xindex>
    gpu.barrier
    %v = memref.load %own[%c0] : memref<?xindex>
    memref.store %v, %m[%tx] : memref<?xindex>
    gpu.terminator
  }
  return
}
