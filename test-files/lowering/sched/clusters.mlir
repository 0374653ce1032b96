// Clusters of blocks and a matrix unit's loops: places by the numbers of blocks; the unit's loops run one after the other.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check() == 240

func.func @double(%A: memref<16xi32>, %B: memref<16xi32>) {
  sched.kernel @double grid [4, 1, 1] block [4, 1, 1] cluster [2, 1, 1] {
    sched.for (%c in 16 by 8 dim 0 : cluster.x, %b in 8 by 4 dim 0 : block.x, %t in 4 by 1 dim 0 : thread.x) {
      %a = sched.read %A[%c + %b + %t] : memref<16xi32>
      %d = arith.addi %a, %a : i32
      sched.write %d, %B[%c + %b + %t] : memref<16xi32>
    }
  }
  return
}

func.func @tile(%A: memref<2x2xi32>, %B: memref<2x2xi32>, %C: memref<2x2xi32>) {
  %z = arith.constant 0 : i32
  sched.kernel @tile grid [1, 1, 1] block [32, 1, 1] {
    sched.for (%w in 1 by 1 : warp) {
      %acc = sched.alloc : memref<2x2xi32, #gpu.address_space<private>>
      sched.copy (%r, %c) in (2, 2) %z to %acc[%r, %c] : i32 to memref<2x2xi32, #gpu.address_space<private>>
      sched.for (%i in 2 by 1 dim 0 : mma, %j in 2 by 1 dim 1 : mma, %k in 2 by 1 dim 2 : mma pw add) {
        %a = sched.read %A[%i, %k] : memref<2x2xi32>
        %b = sched.read %B[%k, %j] : memref<2x2xi32>
        %p = arith.muli %a, %b : i32
        sched.write %p, %acc[%i, %j] combine add : memref<2x2xi32, #gpu.address_space<private>>
      }
      sched.copy (%r, %c) in (2, 2) %acc[%r, %c] to %C[%r, %c] : memref<2x2xi32, #gpu.address_space<private>> to memref<2x2xi32>
    }
  }
  return
}

func.func @check() -> i32 {
  %A = memref.alloc() : memref<16xi32>
  %B = memref.alloc() : memref<16xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %A[%i] : memref<16xi32>
  }
  func.call @double(%A, %B) : (memref<16xi32>, memref<16xi32>) -> ()
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> i32 {
    %x = memref.load %B[%i] : memref<16xi32>
    %t = arith.addi %s, %x : i32
    scf.yield %t : i32
  }
  %P = memref.alloc() : memref<2x2xi32>
  %Q = memref.alloc() : memref<2x2xi32>
  %R = memref.alloc() : memref<2x2xi32>
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  memref.store %one, %P[%c0, %c0] : memref<2x2xi32>
  memref.store %two, %P[%c0, %c1] : memref<2x2xi32>
  memref.store %one, %P[%c1, %c0] : memref<2x2xi32>
  memref.store %zero, %P[%c1, %c1] : memref<2x2xi32>
  memref.store %two, %Q[%c0, %c0] : memref<2x2xi32>
  memref.store %one, %Q[%c0, %c1] : memref<2x2xi32>
  memref.store %one, %Q[%c1, %c0] : memref<2x2xi32>
  memref.store %zero, %Q[%c1, %c1] : memref<2x2xi32>
  func.call @tile(%P, %Q, %R) : (memref<2x2xi32>, memref<2x2xi32>, memref<2x2xi32>) -> ()
  // [4 1; 2 1]: minus 8 in all.
  %r0 = memref.load %R[%c0, %c0] : memref<2x2xi32>
  %r1 = memref.load %R[%c0, %c1] : memref<2x2xi32>
  %r2 = memref.load %R[%c1, %c0] : memref<2x2xi32>
  %r3 = memref.load %R[%c1, %c1] : memref<2x2xi32>
  %s1 = arith.addi %r0, %r1 : i32
  %s2 = arith.addi %r2, %r3 : i32
  %s3 = arith.addi %s1, %s2 : i32
  %eight = arith.constant 8 : i32
  %s4 = arith.subi %s3, %eight : i32
  %all = arith.addi %sum, %s4 : i32
  return %all : i32
}
