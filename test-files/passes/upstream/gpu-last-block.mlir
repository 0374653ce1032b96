// The last block of a launch runs the launch behind it. One of several blocks is run by the last block of each group that it reads from.
// test: opt --pipeline="canonicalize,gpu-last-block,canonicalize"

// Blocks with the same y have written what the second launch's block of that x reads: eight tickets, each of 16 blocks.
// check: memref.global "private" @rows_ticket : memref<8xi32> = dense<0>
// check: func.func @rows
// check: gpu.launch blocks(%b, %g, %bz) in
// check: memref.store %t, %part[%b, %i]
// next: gpu.barrier
// check: memref.atomic_rmw addi %c1_i32, %{{.*}}[%g]
// check: arith.cmpi eq, %{{.*}}, %c15_i32
// check: memref.atomic_rmw assign %c0_i32, %{{.*}}[%g]
// check: memref.load %part[%k, %{{.*}}]
// not: gpu.launch
// check: return
func.func @rows(%out: memref<1024xindex> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %part = memref.alloc() : memref<16x1024xindex>
  gpu.launch blocks(%b, %g, %bz) in (%sx = %c16, %sy = %c8, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %o = arith.muli %g, %c128 : index
    %i = arith.addi %o, %t : index
    memref.store %t, %part[%b, %i] : memref<16x1024xindex>
    gpu.terminator
  }
  gpu.launch blocks(%g, %by, %bz) in (%sx = %c8, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %o = arith.muli %g, %c128 : index
    %i = arith.addi %o, %t : index
    %all = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %c0) -> (index) {
      %p = memref.load %part[%k, %i] : memref<16x1024xindex>
      %n = arith.addi %s, %p : index
      scf.yield %n : index
    }
    memref.store %all, %out[%i] : memref<1024xindex>
    gpu.terminator
  } {terrace.last}
  memref.dealloc %part : memref<16x1024xindex>
  return
}

// Two axes, exchanged: 3 · 5 tickets of two blocks.
// check: memref.global "private" @planes_ticket : memref<15xi32> = dense<0>
// check: func.func @planes
// check: arith.cmpi eq, %{{.*}}, %c1_i32
// not: gpu.launch
// check: return
func.func @planes(%out: memref<3x5xindex> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %part = memref.alloc() : memref<2x3x5xindex>
  gpu.launch blocks(%x, %y, %z) in (%sx = %c5, %sy = %c2, %sz = %c3) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    memref.store %x, %part[%y, %z, %x] : memref<2x3x5xindex>
    gpu.terminator
  }
  gpu.launch blocks(%x, %y, %z) in (%sx = %c3, %sy = %c5, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    %p = memref.load %part[%c0, %x, %y] : memref<2x3x5xindex>
    %q = memref.load %part[%c1, %x, %y] : memref<2x3x5xindex>
    %s = arith.addi %p, %q : index
    memref.store %s, %out[%x, %y] : memref<3x5xindex>
    gpu.terminator
  } {terrace.last}
  memref.dealloc %part : memref<2x3x5xindex>
  return
}

// A block reads one element of the next group: two launches.
// check: func.func @neighbors
// check: gpu.launch
// check: gpu.launch
// check: return
func.func @neighbors(%out: memref<1024xindex> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %part = memref.alloc() : memref<16x1025xindex>
  gpu.launch blocks(%b, %g, %bz) in (%sx = %c16, %sy = %c8, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %o = arith.muli %g, %c128 : index
    %i = arith.addi %o, %t : index
    memref.store %t, %part[%b, %i] : memref<16x1025xindex>
    gpu.terminator
  }
  gpu.launch blocks(%g, %by, %bz) in (%sx = %c8, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c128, %ny = %c1, %nz = %c1) {
    %o = arith.muli %g, %c128 : index
    %i = arith.addi %o, %t : index
    %j = arith.addi %i, %c1 : index
    %p = memref.load %part[%c0, %j] : memref<16x1025xindex>
    memref.store %p, %out[%i] : memref<1024xindex>
    gpu.terminator
  } {terrace.last}
  memref.dealloc %part : memref<16x1025xindex>
  return
}

// The second launch overwrites what blocks of other groups may still read: two launches.
// check: func.func @in_place
// check: gpu.launch
// check: gpu.launch
// check: return
func.func @in_place(%x: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %part = memref.alloc() : memref<2x8xindex>
  gpu.launch blocks(%b, %g, %bz) in (%sx = %c2, %sy = %c8, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    %o = arith.subi %c7, %g : index
    %v = memref.load %x[%o] : memref<8xindex>
    memref.store %v, %part[%b, %g] : memref<2x8xindex>
    gpu.terminator
  }
  gpu.launch blocks(%g, %by, %bz) in (%sx = %c8, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    %p = memref.load %part[%c0, %g] : memref<2x8xindex>
    memref.store %p, %x[%g] : memref<8xindex>
    gpu.terminator
  } {terrace.last}
  memref.dealloc %part : memref<2x8xindex>
  return
}

// One block reads all parts, wherever they are: one ticket.
// check: memref.global "private" @one_ticket : memref<1xi32> = dense<0>
// check: func.func @one
// check: arith.cmpi eq, %{{.*}}, %c7_i32
// not: gpu.launch
// check: return
func.func @one(%x: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%b, %by, %bz) in (%sx = %c8, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    memref.store %b, %x[%b] : memref<8xindex>
    gpu.terminator
  }
  gpu.launch blocks(%b, %by, %bz) in (%sx = %c1, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    %all = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %c0) -> (index) {
      %p = memref.load %x[%k] : memref<8xindex>
      %n = arith.addi %s, %p : index
      scf.yield %n : index
    }
    memref.store %all, %x[%c0] : memref<8xindex>
    gpu.terminator
  } {terrace.last}
  return
}

// A vector of two rows reads what the next group writes: two launches, and a remark.
// check: func.func @two_rows
// check: gpu.launch
// check: gpu.launch
// check: return
func.func @two_rows(%out: memref<8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.0 : f32
  %part = memref.alloc() : memref<9x2xf32>
  gpu.launch blocks(%b, %g, %bz) in (%sx = %c2, %sy = %c8, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    memref.store %x, %part[%g, %b] : memref<9x2xf32>
    gpu.terminator
  }
  gpu.launch blocks(%g, %by, %bz) in (%sx = %c8, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    %v = vector.load %part[%g, %c0] : memref<9x2xf32>, vector<2x2xf32>
    %y = vector.extract %v[1, 1] : f32 from vector<2x2xf32>
    memref.store %y, %out[%g] : memref<8xf32>
    gpu.terminator
  } {terrace.last}
  memref.dealloc %part : memref<9x2xf32>
  return
}

// The second launch has dynamic memory of its own: two launches.
// check: func.func @dynamic
// check: gpu.launch
// check: gpu.launch
// check: return
func.func @dynamic(%x: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %bytes = arith.constant 256 : i32
  gpu.launch blocks(%b, %by, %bz) in (%sx = %c8, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) {
    memref.store %b, %x[%b] : memref<8xindex>
    gpu.terminator
  }
  gpu.launch blocks(%b, %by, %bz) in (%sx = %c1, %sy = %c1, %sz = %c1) threads(%t, %ty, %tz) in (%nx = %c1, %ny = %c1, %nz = %c1) dynamic_shared_memory_size %bytes {
    %p = memref.load %x[%c1] : memref<8xindex>
    memref.store %p, %x[%c0] : memref<8xindex>
    gpu.terminator
  } {terrace.last}
  return
}
