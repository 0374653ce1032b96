// Views of one memory are compared by where they are in it.
// test: opt --split-input-file --verify-diagnostics

// What one task writes by the buffer's name another one reads by the view's.
func.func @f(%A: memref<64xf32>) {
  %v = memref.subview %A[1] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 1>>
  sched.for (%i in 32 by 1 dim 0 : task) {
    // expected-error @+1 {{[E0657]: 'sched.read' op RACE: two iterations of a 'cc' loop at level 'task' meet: one reads, another writes the same element}}
    %a = sched.read %v[%i] : memref<32xf32, strided<[1], offset: 1>>
    sched.write %a, %A[%i] : memref<64xf32>
  }
  return
}

// -----

// A view of a view, rows and columns exchanged.
func.func @f(%A: memref<8x8xf32>) {
  %t = memref.transpose %A (i, j) -> (j, i) : memref<8x8xf32> to memref<8x8xf32, strided<[1, 8]>>
  sched.for (%i in 8 by 1 dim 0 : task, %j in 8 by 1 dim 1) {
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one reads, another writes the same element}}
    %a = sched.read %t[%i, %j] : memref<8x8xf32, strided<[1, 8]>>
    sched.write %a, %A[%i, %j] : memref<8x8xf32>
  }
  return
}

// -----

// Elements of a view that are one element of memory.
func.func @f(%A: memref<8xf32>, %x: f32) {
  %v = memref.reinterpret_cast %A to offset: [0], sizes: [8], strides: [0] : memref<8xf32> to memref<8xf32, strided<[0]>>
  sched.for (%i in 8 by 1 dim 0 : task) {
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element}}
    sched.write %x, %v[%i] : memref<8xf32, strided<[0]>>
  }
  return
}

// -----

// Halves of wider elements.
func.func @f(%A: memref<256xi8>, %x: i32, %y: i64) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %v = memref.view %A[%c4][] : memref<256xi8> to memref<40xi32>
  %w = memref.view %A[%c0][] : memref<256xi8> to memref<20xi64>
  sched.for (%i in 16 by 1 dim 0 : task) {
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element}}
    sched.write %x, %v[2 * %i + 1] : memref<40xi32>
    sched.write %y, %w[%i] : memref<20xi64>
  }
  return
}

// -----

// Parts that begin at a task's number and are two long.
func.func @f(%A: memref<64xf32>, %x: f32) {
  sched.for (%i in 32 by 1 dim 0 : task) {
    %v = memref.subview %A[%i] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1], offset: ?>>
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element}}
    sched.write %x, %v[0] : memref<2xf32, strided<[1], offset: ?>>
    sched.write %x, %v[1] : memref<2xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// Nothing is known about the distance of rows.
func.func @f(%A: memref<?x?xf32>) {
  %v = memref.subview %A[1, 0] [8, 8] [1, 1] : memref<?x?xf32> to memref<8x8xf32, strided<[?, 1], offset: ?>>
  sched.for (%i in 8 by 1 dim 0 : task, %j in 8 by 1 dim 1) {
    // expected-error @+1 {{one reads, another writes perhaps the same element: it could not be shown that indices differ}}
    %a = sched.read %v[%i, %j] : memref<8x8xf32, strided<[?, 1], offset: ?>>
    sched.write %a, %A[%i, %j] : memref<?x?xf32>
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>

// Threads that use a block's memory by two names.
func.func @f(%A: memref<16xf32>) {
  sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<16xf32, #sm>
    %v = memref.reinterpret_cast %t to offset: [15], sizes: [16], strides: [-1] : memref<16xf32, #sm> to memref<16xf32, strided<[-1], offset: 15>, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xf32>
      // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'thread.x' meet: one writes, another reads the same element}}
      sched.write %a, %t[%i] : memref<16xf32, #sm>
      %b = sched.read %v[%i] : memref<16xf32, strided<[-1], offset: 15>, #sm>
      sched.write %b, %A[%i] : memref<16xf32>
    }
  }
  return
}

// -----

// A sequential loop that carries: certain, since every iteration happens.
func.func @f(%A: memref<64xf32>) {
  %v = memref.subview %A[1] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 1>>
  sched.for (%i in 32 by 1 dim 0) {
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'seq' meet: one reads, another writes the same element}}
    %a = sched.read %A[%i] : memref<64xf32>
    sched.write %a, %v[%i] : memref<32xf32, strided<[1], offset: 1>>
  }
  return
}

// -----

// Where a view begins is an affine expression of the task's number.
func.func @f(%A: memref<64xf32>, %x: f32) {
  sched.for (%i in 32 by 1 dim 0 : task) {
    %o = affine.apply affine_map<(d0) -> (62 - d0 * 2)>(%i)
    %v = memref.subview %A[%o] [3] [1] : memref<64xf32> to memref<3xf32, strided<[1], offset: ?>>
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element}}
    sched.write %x, %v[0] : memref<3xf32, strided<[1], offset: ?>>
    sched.write %x, %v[2] : memref<3xf32, strided<[1], offset: ?>>
  }
  return
}

// -----

// A subscript that ops compute of two loops.
func.func @f(%A: memref<64xf32>, %x: f32) {
  %c3 = arith.constant 3 : index
  sched.for (%i in 8 by 1 dim 0 : task, %j in 4 by 1 dim 1) {
    %m = arith.muli %i, %c3 : index
    %o = arith.addi %m, %j : index
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element}}
    sched.write %x, %A[%o] : memref<64xf32>
  }
  return
}

// -----

// A remainder of what may be negative is no affine expression.
func.func @f(%A: memref<64xf32>, %n: index, %x: f32) {
  %c8 = arith.constant 8 : index
  sched.for (%i in 8 by 1 dim 0 : task) {
    %s = arith.subi %i, %n : index
    %o = arith.remsi %s, %c8 : index
    // expected-error @+1 {{one writes, another writes the same element}}
    sched.write %x, %A[%o] : memref<64xf32>
  }
  return
}
