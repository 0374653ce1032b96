// Who may use which memory, and until when.
// test: round-trip

#wg = #gpu.address_space<workgroup>
#pr = #gpu.address_space<private>

// A thread hands its own memory to another one.
func.func @private() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             workgroup(%box : memref<1xmemref<1xi32, #pr>, #wg>) private(%own : memref<1xi32, #pr>) {
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %own, %box[%c0] : memref<1xmemref<1xi32, #pr>, #wg>
    }
    gpu.barrier
    %got = memref.load %box[%c0] : memref<1xmemref<1xi32, #pr>, #wg>
    %i = arith.index_cast %tx : index to i32
    memref.store %i, %got[%c0] : memref<1xi32, #pr>
    gpu.barrier
    gpu.terminator
  }
  return
}
// eval: @private() == trap E0317 "memory belongs to another block, thread or device"

// Memory of a block is gone when the block has ended.
func.func @outlived() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i1 = arith.constant 1 : i32
  %box = memref.alloc() : memref<1xmemref<1xi32, #wg>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<1xi32, #wg>) {
    memref.store %i1, %tile[%c0] : memref<1xi32, #wg>
    memref.store %tile, %box[%c0] : memref<1xmemref<1xi32, #wg>>
    gpu.terminator
  }
  %got = memref.load %box[%c0] : memref<1xmemref<1xi32, #wg>>
  %r = memref.load %got[%c0] : memref<1xi32, #wg>
  return %r : i32
}
// eval: @outlived() == trap E0310

// The host uses memory of the device only through copies.
func.func @device(%through: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i5 = arith.constant 5 : i32
  %m = gpu.alloc () : memref<1xi32, 1>
  %h = memref.alloc() : memref<1xi32>
  gpu.memset %m, %i5 : memref<1xi32, 1>, i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = memref.load %m[%c0] : memref<1xi32, 1>
    %y = arith.addi %x, %x : i32
    memref.store %y, %m[%c0] : memref<1xi32, 1>
    gpu.terminator
  }
  %r = scf.if %through -> i32 {
    gpu.memcpy %h, %m : memref<1xi32>, memref<1xi32, 1>
    %v = memref.load %h[%c0] : memref<1xi32>
    scf.yield %v : i32
  } else {
    %v = memref.load %m[%c0] : memref<1xi32, 1>
    scf.yield %v : i32
  }
  gpu.dealloc %m : memref<1xi32, 1>
  return %r : i32
}
// eval: @device(true) == 10
// eval: @device(false) == trap E0317

func.func @shared() -> i32 {
  %c0 = arith.constant 0 : index
  %i5 = arith.constant 5 : i32
  %m = gpu.alloc host_shared () : memref<1xi32>
  memref.store %i5, %m[%c0] : memref<1xi32>
  %r = memref.load %m[%c0] : memref<1xi32>
  return %r : i32
}
// eval: @shared() == 5

func.func @uninitialised() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1)
             private(%own : memref<2xi32, #pr>) {
    %x = memref.load %own[%tx] : memref<2xi32, #pr>
    gpu.terminator
  }
  return
}
// eval: @uninitialised() == trap E0309 "in thread (0, 0, 0) of block (0, 0, 0)"

func.func @outside() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1)
             workgroup(%tile : memref<2xindex, #wg>) {
    memref.store %tx, %tile[%tx] : memref<2xindex, #wg>
    gpu.terminator
  }
  return
}
// eval: @outside() == trap E0308 "in thread (2, 0, 0) of block (0, 0, 0)"

// More threads than a block can have anywhere.
func.func @many() {
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000000 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    gpu.barrier
    gpu.terminator
  }
  return
}
// eval: @many() == trap E0306
