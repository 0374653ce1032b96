// A block's memory under two names: threads wait where another thread's elements are read by the other name, and only there.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check() == 560

#sm = #gpu.address_space<workgroup>

// check: func.func @reversed
// check: gpu.launch
// check: memref.store
// check: gpu.barrier
// check: memref.load
// check: gpu.terminator
func.func @reversed(%A: memref<16xi32>) {
  sched.kernel @reversed grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<16xi32, #sm>
    %v = memref.reinterpret_cast %t to offset: [15], sizes: [16], strides: [-1] : memref<16xi32, #sm> to memref<16xi32, strided<[-1], offset: 15>, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xi32>
      sched.write %a, %t[%i] : memref<16xi32, #sm>
    }
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %b = sched.read %v[%i] : memref<16xi32, strided<[-1], offset: 15>, #sm>
      sched.write %b, %A[%i] : memref<16xi32>
    }
  }
  return
}

// What a thread wrote itself.
// check: func.func @own
// check: gpu.launch
// not: gpu.barrier
// check: gpu.terminator
func.func @own(%A: memref<16xi32>) {
  sched.kernel @own grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<32xi32, #sm>
    %v = memref.subview %t[8] [16] [1] : memref<32xi32, #sm> to memref<16xi32, strided<[1], offset: 8>, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xi32>
      sched.write %a, %t[%i + 8] : memref<32xi32, #sm>
    }
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %b = sched.read %v[%i] : memref<16xi32, strided<[1], offset: 8>, #sm>
      sched.write %b, %A[%i] : memref<16xi32>
    }
  }
  return
}

// The same by a view that begins where ops say, and by a subscript that ops compute.
// check: func.func @computed
// check: gpu.launch
// not: gpu.barrier
// check: gpu.terminator
func.func @computed(%A: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  sched.kernel @computed grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<32xi32, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xi32>
      %o = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
      %v = memref.subview %t[%o] [1] [1] : memref<32xi32, #sm> to memref<1xi32, strided<[1], offset: ?>, #sm>
      sched.write %a, %v[0] : memref<1xi32, strided<[1], offset: ?>, #sm>
    }
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %m = arith.muli %i, %c2 : index
      %o = arith.addi %m, %c1 : index
      %b = sched.read %t[%o] : memref<32xi32, #sm>
      sched.write %b, %A[%i] : memref<16xi32>
    }
  }
  return
}

// The neighbor's, by the same ops: threads wait.
// check: func.func @neighbors
// check: gpu.launch
// check: gpu.barrier
// check: gpu.terminator
func.func @neighbors(%A: memref<16xi32>) {
  %c15 = arith.constant 15 : index
  sched.kernel @neighbors grid [1, 1, 1] block [16, 1, 1] {
    %t = sched.alloc per block : memref<16xi32, #sm>
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%i] : memref<16xi32>
      %o = affine.apply affine_map<(d0) -> (15 - d0)>(%i)
      sched.write %a, %t[%o] : memref<16xi32, #sm>
    }
    sched.for (%i in 16 by 1 dim 0 : thread.x) {
      %o = arith.subi %c15, %i : index
      %p = arith.subi %c15, %o : index
      %b = sched.read %t[%p] : memref<16xi32, #sm>
      sched.write %b, %A[%i] : memref<16xi32>
    }
  }
  return
}

// Elements times their places, from the end to the start: the sum of i (15 - i).
func.func @check() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %A = memref.alloc() : memref<16xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %A[%i] : memref<16xi32>
  }
  func.call @reversed(%A) : (memref<16xi32>) -> ()
  func.call @own(%A) : (memref<16xi32>) -> ()
  func.call @computed(%A) : (memref<16xi32>) -> ()
  func.call @neighbors(%A) : (memref<16xi32>) -> ()
  func.call @neighbors(%A) : (memref<16xi32>) -> ()
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> (i32) {
    %n = arith.index_cast %i : index to i32
    %a = memref.load %A[%i] : memref<16xi32>
    %p = arith.muli %n, %a : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  memref.dealloc %A : memref<16xi32>
  return %sum : i32
}
