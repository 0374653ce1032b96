// Values of all threads of a block are merged in its shared memory, by named operators and by functions.
// test: opt --pipeline="gpu-all-reduce-to-shared"
// test: opt --pipeline="gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu-all-reduce-to-shared,canonicalize,cse"
// eval: @sum() == 276
// eval: @largest() == 23.0
// eval: @product() == 1948

// 24 threads in two dimensions; each has its number.
func.func @sum() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloc() : memref<1xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c3, %sz = %c1) {
    %row = arith.muli %ty, %sx : index
    %n = arith.addi %row, %tx : index
    %v = arith.index_cast %n : index to i32
    %s = gpu.all_reduce add %v {} : (i32) -> i32
    %first = arith.cmpi eq, %n, %c0 : index
    scf.if %first {
      memref.store %s, %m[%c0] : memref<1xi32>
    }
    gpu.terminator
  }
  %r = memref.load %m[%c0] : memref<1xi32>
  memref.dealloc %m : memref<1xi32>
  return %r : i32
}

func.func @largest() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %m = memref.alloc() : memref<1xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c24, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %tx : index to i32
    %v = arith.sitofp %i : i32 to f32
    %s = gpu.all_reduce maximumf %v {} : (f32) -> f32
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %s, %m[%c0] : memref<1xf32>
    }
    gpu.terminator
  }
  %r = memref.load %m[%c0] : memref<1xf32>
  memref.dealloc %m : memref<1xf32>
  return %r : f32
}

// A function that does not commute: 10 a + b, over 1, 9, 4, 8.
func.func @product() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<1xi32>
  %in = memref.alloc() : memref<4xi32>
  %k1 = arith.constant 1 : i32
  %k9 = arith.constant 9 : i32
  %k4 = arith.constant 4 : i32
  %k8 = arith.constant 8 : i32
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %k1, %in[%c0] : memref<4xi32>
  memref.store %k9, %in[%c1] : memref<4xi32>
  memref.store %k4, %in[%c2] : memref<4xi32>
  memref.store %k8, %in[%c3] : memref<4xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %v = memref.load %in[%tx] : memref<4xi32>
    %s = gpu.all_reduce %v {
    ^bb0(%a: i32, %b: i32):
      %many = arith.constant 100 : i32
      %ten = arith.constant 10 : i32
      %small = arith.cmpi ult, %b, %ten : i32
      %factor = arith.select %small, %ten, %many : i32
      %x = arith.muli %a, %factor : i32
      %y = arith.addi %x, %b : i32
      gpu.yield %y : i32
    } : (i32) -> i32
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %s, %m[%c0] : memref<1xi32>
    }
    gpu.terminator
  }
  %r = memref.load %m[%c0] : memref<1xi32>
  memref.dealloc %m : memref<1xi32>
  memref.dealloc %in : memref<4xi32>
  return %r : i32
}
// check: @sum
// check: workgroup(%{{.*}} : memref<1024xi32, #gpu.address_space<workgroup>>)
// not: gpu.all_reduce
// check: gpu.barrier
// check: scf.for
// check: gpu.barrier
