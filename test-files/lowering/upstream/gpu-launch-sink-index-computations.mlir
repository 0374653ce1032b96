// test: opt --pipeline=gpu-launch-sink-index-computations

func.func @f(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 5.000000e-01 : f32
  %size = memref.dim %x, %c0 : memref<?xf32>
  %other = memref.dim %y, %c0 : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %in = arith.cmpi slt, %bx, %size : index
    %o = arith.cmpi slt, %bx, %other : index
    %both = arith.andi %in, %o : i1
    scf.if %both {
      memref.store %half, %x[%bx] : memref<?xf32>
    }
    gpu.terminator
  }
  return
}
// Constants are copied where they are used inside, and the size of memory that is used; the size of other memory is not.
// check: gpu.launch
// next: %c0_0 = arith.constant 0 : index
// next: %size_1 = memref.dim %x, %c0_0 : memref<?xf32>
// next: %half_2 = arith.constant 5.000000e-01 : f32
// next: %in = arith.cmpi slt, %bx, %size_1 : index
// next: %o = arith.cmpi slt, %bx, %other : index
// check: memref.store %half_2, %x[%bx]
