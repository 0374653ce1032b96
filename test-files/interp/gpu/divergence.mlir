// Threads that wait for others that do not come.
// test: round-trip

func.func @some(%limit: index) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1) {
    %in = arith.cmpi ult, %tx, %limit : index
    scf.if %in {
      gpu.barrier
    }
    gpu.terminator
  }
  return
}
// eval: @some(0) == ()
// eval: @some(4) == ()
// eval: @some(2) == trap E0316 "thread (0, 0, 0) waits in 'gpu.barrier', but thread (2, 0, 0) has ended"

// Two barriers are not one.
func.func @both() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %in = arith.cmpi eq, %tx, %c0 : index
    scf.if %in {
      gpu.barrier
    } else {
      gpu.barrier
    }
    gpu.terminator
  }
  return
}
// eval: @both() == trap E0316 "but thread (1, 0, 0) waits in 'gpu.barrier'"

// Iterations of a parallel loop cannot wait for threads.
func.func @loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      gpu.barrier
      scf.reduce
    }
    gpu.terminator
  }
  return
}
// eval: @loop() == trap E0316 "an iteration of a parallel loop waits"

// A shuffle needs all lanes of its subgroup, and only those.
func.func @lanes(%from: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  %out = memref.alloc() : memref<64xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %in = arith.cmpi uge, %tx, %from : index
    %y = scf.if %in -> i32 {
      %s, %valid = gpu.shuffle xor %x, %one, %width : i32
      scf.yield %s : i32
    } else {
      scf.yield %x : i32
    }
    memref.store %y, %out[%tx] : memref<64xi32>
    gpu.terminator
  }
  %c32 = arith.constant 32 : index
  %r = memref.load %out[%c32] : memref<64xi32>
  return %r : i32
}
// eval: @lanes(0) == 33
// eval: @lanes(32) == 33
// eval: @lanes(31) == trap E0316 "waits in 'gpu.shuffle'"

// Only the first `width` lanes need to come.
func.func @first(%limit: index, %w: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %one = arith.constant 1 : i32
  %out = memref.alloc() : memref<40xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx : index to i32
    %in = arith.cmpi ult, %tx, %limit : index
    scf.if %in {
      %s, %valid = gpu.shuffle down %x, %one, %w : i32
      %r, %there = gpu.rotate %s, 1, 2 : i32
      memref.store %r, %out[%tx] : memref<40xi32>
    }
    gpu.terminator
  }
  %r = memref.load %out[%c0] : memref<40xi32>
  return %r : i32
}
// eval: @first(8, 8) == 2
// eval: @first(12, 8) == 2
// eval: @first(40, 32) == 2
// eval: @first(8, 16) == trap E0316 "waits in 'gpu.shuffle', but thread (8, 0, 0) has ended"

func.func @host() {
  gpu.barrier
  return
}
// eval: @host() == trap E0318 "'gpu.barrier' op means something only inside of a kernel"
