// Joins of thread loops: a barrier only where another thread's elements are read. The two mappings of the LIFT paper's
// listing 1 that differ in this: in the first each thread reads a column that all wrote, in the second what it wrote itself.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check() == 0

// CHECK-LABEL: func.func @columns
// CHECK: gpu.launch
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @columns(%in: memref<3x8x4xi32>, %out: memref<3x8x4xi32>) {
  sched.kernel @columns grid [3, 1, 1] block [8, 1, 1] {
    sched.for (%i in 3 by 1 dim 0 : block.x) {
      %buf = sched.alloc : memref<8x4xi32, #gpu.address_space<workgroup>>
      sched.for (%j in 8 by 1 dim 1 : thread.x, %k in 4 by 1 dim 2) {
        %v = sched.read %in[%i, %j, %k] : memref<3x8x4xi32>
        sched.write %v, %buf[%j, %k] : memref<8x4xi32, #gpu.address_space<workgroup>>
      }
      sched.for (%d in 4 by 1 dim 2 : thread.x, %e in 8 by 1 dim 1) {
        %v = sched.read %buf[%e, %d] : memref<8x4xi32, #gpu.address_space<workgroup>>
        sched.write %v, %out[%i, %e, %d] : memref<3x8x4xi32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @rows
// CHECK: gpu.launch
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @rows(%in: memref<3x8x4xi32>, %out: memref<3x8x4xi32>) {
  sched.kernel @rows grid [3, 1, 1] block [8, 1, 1] {
    sched.for (%i in 3 by 1 dim 0 : block.x) {
      %buf = sched.alloc : memref<8x4xi32, #gpu.address_space<workgroup>>
      sched.for (%j in 8 by 1 dim 1 : thread.x, %k in 4 by 1 dim 2 : vector) {
        %v = sched.read %in[%i, %j, %k] : memref<3x8x4xi32>
        sched.write %v, %buf[%j, %k] : memref<8x4xi32, #gpu.address_space<workgroup>>
      }
      sched.for (%d in 4 by 1 dim 2, %e in 8 by 1 dim 1 : thread.x) {
        %v = sched.read %buf[%e, %d] : memref<8x4xi32, #gpu.address_space<workgroup>>
        sched.write %v, %out[%i, %e, %d] : memref<3x8x4xi32>
      }
    }
  }
  return
}

// Rounds that turn rows: one barrier before they are read, one before they are written again.
// CHECK-LABEL: func.func @rounds
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @rounds(%in: memref<3x8xi32>, %out: memref<3x8xi32>) {
  sched.kernel @rounds grid [1, 1, 1] block [8, 1, 1] {
    %buf = sched.alloc : memref<8xi32, #gpu.address_space<workgroup>>
    sched.for (%r in 3 by 1 ordered) {
      sched.for (%j in 8 by 1 : thread.x) {
        %v = sched.read %in[%r, %j] : memref<3x8xi32>
        sched.write %v, %buf[%j] : memref<8xi32, #gpu.address_space<workgroup>>
      }
      sched.for (%j in 8 by 1 : thread.x) {
        %v = sched.read %buf[7 - %j] : memref<8xi32, #gpu.address_space<workgroup>>
        sched.write %v, %out[%r, %j] : memref<3x8xi32>
      }
    }
  }
  return
}

func.func @check() -> i32 {
  %in = memref.alloc() : memref<3x8x4xi32>
  %a = memref.alloc() : memref<3x8x4xi32>
  %b = memref.alloc() : memref<3x8x4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      scf.for %k = %c0 to %c4 step %c1 {
        %x = arith.muli %i, %c8 : index
        %y = arith.addi %x, %j : index
        %z = arith.muli %y, %c4 : index
        %n = arith.addi %z, %k : index
        %v = arith.index_cast %n : index to i32
        memref.store %v, %in[%i, %j, %k] : memref<3x8x4xi32>
      }
    }
  }
  func.call @columns(%in, %a) : (memref<3x8x4xi32>, memref<3x8x4xi32>) -> ()
  func.call @rows(%in, %b) : (memref<3x8x4xi32>, memref<3x8x4xi32>) -> ()
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%w0 = %zero) -> i32 {
    %w4 = scf.for %j = %c0 to %c8 step %c1 iter_args(%w1 = %w0) -> i32 {
      %w3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%w2 = %w1) -> i32 {
        %u = memref.load %in[%i, %j, %k] : memref<3x8x4xi32>
        %v = memref.load %a[%i, %j, %k] : memref<3x8x4xi32>
        %w = memref.load %b[%i, %j, %k] : memref<3x8x4xi32>
        %d = arith.subi %u, %v : i32
        %e = arith.subi %u, %w : i32
        %f = arith.ori %d, %e : i32
        %g = arith.ori %f, %w2 : i32
        scf.yield %g : i32
      }
      scf.yield %w3 : i32
    }
    scf.yield %w4 : i32
  }
  return %wrong : i32
}
