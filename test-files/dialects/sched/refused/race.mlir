// Iterations of a cc loop use elements of their own; those of a pw loop may merge.
// test: opt --split-input-file --verify-diagnostics

// A reduction without `pw`.
func.func @f(%A: memref<8x64xf32>, %s: memref<8xf32>) {
  sched.for (%i in 8 by 1 dim 0, %j in 64 by 1 dim 1) {
    %a = sched.read %A[%i, %j] : memref<8x64xf32>
    // expected-error @+1 {{[E0657]: 'sched.write' op RACE: two iterations of a 'cc' loop at level 'seq' meet: one merges into, another merges into the same element}}
    sched.write %a, %s[%i] combine add : memref<8xf32>
  }
  return
}

// -----

// A Jacobi step in place.
func.func @f(%A: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  sched.for (%i in 64 by 1 dim 0 : task) {
    %l = sched.read %A[%i - 1] else %z : memref<64xf32>
    %r = sched.read %A[%i + 1] else %z : memref<64xf32>
    %s = arith.addf %l, %r : f32
    // expected-error @-3 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one reads, another writes the same element}}
    sched.write %s, %A[%i] : memref<64xf32>
  }
  return
}

// -----

// Two operators on one output.
func.func @f(%A: memref<64xi32>, %s: memref<1xi32>) {
  sched.for (%i in 64 by 1 dim 0 pw add) {
    %a = sched.read %A[%i] : memref<64xi32>
    // expected-error @+1 {{RACE: two iterations of a 'pw' loop at level 'seq' meet: one merges into, another merges into the same element}}
    sched.write %a, %s[0] combine max : memref<1xi32>
  }
  return
}

// -----

// Threads of a block meet in each round, blocks do not: block 12 reads in a round what block 0 writes in the next.
func.func @f(%A: memref<7xi32>, %r: memref<105xi32>) {
  sched.kernel @f grid [13, 1, 1] block [1, 1, 1] {
    sched.for (%k in 13 by 1 dim 0 : block.x, %i in 7 by 1 dim 1) {
      %t = sched.alloc per block : memref<1xi32, #gpu.address_space<workgroup>>
      sched.copy per block (%d) in (1) %A[%d + %i] to %t[%d] : memref<7xi32> to memref<1xi32, #gpu.address_space<workgroup>>
      // expected-error @+1 {{[E0657]: 'sched.read' op RACE: two iterations of a 'cc' loop at level 'block.x' meet: one reads, another writes the same element}}
      %0 = sched.read %r[%i * 13 + %k + 12] : memref<105xi32>
      sched.write %0, %r[%i * 13 + %k] : memref<105xi32>
    }
  }
  return
}

// -----

func.func @f(%A: memref<5xi32>, %r: memref<11xi32>) {
  sched.for (%i in 2 by 1 dim 0) {
    // expected-error @+1 {{[E0657]: 'sched.copy' op RACE: two elements of the copy go to the same place}}
    sched.copy (%d) in (5) %A[%d] to %r[%d floordiv 2 + 5 * %i] combine or : memref<5xi32> to memref<11xi32>
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>

// Threads that do not wait for each other: none may use what another one writes.
func.func @f(%A: memref<16xf32>) {
  sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<16xf32, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xf32>
      // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'thread.x' meet: one writes, another reads the same element}}
      sched.write %a, %t[%i] : memref<16xf32, #sm>
      %b = sched.read %t[15 - %i] : memref<16xf32, #sm>
      sched.write %b, %A[%i] : memref<16xf32>
    }
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>

// A copy by all threads of the block stands between: they meet there.
func.func @f(%A: memref<16xf32>, %B: memref<16xf32>) {
  sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<16xf32, #sm>
    %u = sched.alloc per block : memref<16xf32, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xf32>
      sched.write %a, %t[%i] : memref<16xf32, #sm>
      sched.copy per block (%x) in (16) by linear %B[%x] to %u[%x] : memref<16xf32> to memref<16xf32, #sm>
      %b = sched.read %t[15 - %i] : memref<16xf32, #sm>
      sched.write %b, %A[%i] : memref<16xf32>
    }
  }
  return
}

// -----

// What is read begins where the last one that is written ends.
func.func @f(%A: memref<16xf32>, %B: memref<8xf32>) {
  sched.for (%i in 8 by 1 dim 0 : task, %j in 16 by 1 from 8 dim 1 pw add) {
    %a = sched.read %A[%j] : memref<16xf32>
    sched.write %a, %A[%i] : memref<16xf32>
  }
  return
}

// -----

// One further down the last one is read by another task.
func.func @f(%A: memref<16xf32>, %B: memref<8xf32>) {
  sched.for (%i in 8 by 1 dim 0 : task, %j in 16 by 1 from 7 dim 1 pw add) {
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one reads, another writes the same element}}
    %a = sched.read %A[%j] : memref<16xf32>
    sched.write %a, %A[%i] : memref<16xf32>
  }
  return
}

// -----

// A thread reads what it wrote itself: another iteration of the loop inside, but the same thread.
func.func @f(%A: memref<16x4xf32>) {
  sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      sched.for (%j in 4 by 1 dim 1) {
        %a = sched.read %A[%i, %j] : memref<16x4xf32>
        sched.write %a, %A[%i, %j] : memref<16x4xf32>
      }
    }
  }
  return
}

// -----

// Tasks of one step differ; steps come one after the other.
func.func @f(%A: memref<11xf32>) {
  sched.for (%k in 4 by 1 dim 0 ordered, %i in 8 by 1 dim 1 : task) {
    %a = sched.read %A[%i + %k] : memref<11xf32>
    sched.write %a, %A[%i + %k] : memref<11xf32>
  }
  return
}

// -----

// The same the other way round: what a task does in one step, another does in the next.
func.func @f(%A: memref<11xf32>) {
  sched.for (%i in 8 by 1 dim 1 : task, %k in 4 by 1 dim 0 ordered) {
    // expected-error @+1 {{RACE: two iterations of a 'cc' loop at level 'task' meet: one reads, another writes the same element}}
    %a = sched.read %A[%i + %k] : memref<11xf32>
    sched.write %a, %A[%i + %k] : memref<11xf32>
  }
  return
}

// -----

#sm = #gpu.address_space<workgroup>

// Threads meet in every round, so that two of them at one element are in different rounds.
func.func @f(%B: memref<16xf32>) {
  %z = arith.constant 0.0 : f32
  sched.kernel @f grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<19xf32, #sm>
    %u = sched.alloc per block : memref<16xf32, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x, %k in 4 by 1 dim 1 ordered) {
      sched.copy per block (%x) in (16) by linear %B[%x] to %u[%x] : memref<16xf32> to memref<16xf32, #sm>
      sched.write %z, %t[%i + %k] : memref<19xf32, #sm>
    }
  }
  return
}

// -----

// A product wraps around at 2^64: tasks 0 and 4 write element 2, though `4 * 2^62 floordiv 2^62` is 4 as integers.
func.func @f(%A: memref<10xf32>, %x: f32) {
  %c2 = arith.constant 2 : index
  %far = arith.constant 4611686018427387904 : index
  sched.for (%i in 8 by 1 dim 0 : task) {
    %m = arith.muli %i, %far : index
    %d = arith.floordivsi %m, %far : index
    %o = arith.addi %d, %c2 : index
    // expected-error @+1 {{[E0657]: 'sched.write' op RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes the same element}}
    sched.write %x, %A[%o] : memref<10xf32>
  }
  return
}

// -----

// Nothing is known of %n: a sum with it may wrap around, and thirds of sums that do are others.
func.func @f(%A: memref<10xf32>, %n: index, %x: f32) {
  %c3 = arith.constant 3 : index
  sched.for (%i in 3 by 1 dim 0 : task) {
    %m = arith.muli %i, %c3 : index
    %s = arith.addi %m, %n : index
    %o = arith.floordivsi %s, %c3 : index
    // expected-error @+1 {{[E0657]: 'sched.write' op RACE: two iterations of a 'cc' loop at level 'task' meet: one writes, another writes}}
    sched.write %x, %A[%o] : memref<10xf32>
  }
  return
}
