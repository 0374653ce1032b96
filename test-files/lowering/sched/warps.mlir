// Warps and lanes: ids from the numbers of threads; lanes exchange what they merge, warps meet in shared memory.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse)"
// eval: @check_rows() == 8128.0
// eval: @check_digits() == 12345
// eval: @check_all() == 496

// Each warp sums a row, each lane a part of it.
func.func @rows(%A: memref<4x32xf32>, %out: memref<4xf32>) {
  sched.kernel @rows grid [2, 1, 1] block [64, 1, 1] {
    sched.for (%b in 4 by 2 dim 0 : block.x) {
      sched.for (%w in 2 by 1 dim 0 : warp) {
        %s = sched.for (%l in 32 by 1 dim 1 : lane pw add) -> f32 {
          %a = sched.read %A[%b + %w, %l] : memref<4x32xf32>
          sched.yield %a : f32
        }
        sched.write %s, %out[%b + %w] : memref<4xf32>
      }
    }
  }
  return
}

// Twenty lanes of a warp, an operator that does not commute: 10 a + b, cut to five digits.
func.func private @digits(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, identity = -1 : i32}} {
  %none = arith.constant -1 : i32
  %ten = arith.constant 10 : i32
  %no_a = arith.cmpi eq, %a, %none : i32
  %no_b = arith.cmpi eq, %b, %none : i32
  %c100 = arith.constant 100 : i32
  %c1000 = arith.constant 1000 : i32
  %c10 = arith.constant 10 : i32
  %c1 = arith.constant 1 : i32
  %two = arith.cmpi sge, %b, %c10 : i32
  %three = arith.cmpi sge, %b, %c100 : i32
  %four = arith.cmpi sge, %b, %c1000 : i32
  %p2 = arith.select %two, %c100, %c10 : i32
  %p3 = arith.select %three, %c1000, %p2 : i32
  %c10000 = arith.constant 10000 : i32
  %p4 = arith.select %four, %c10000, %p3 : i32
  %scaled = arith.muli %a, %p4 : i32
  %sum = arith.addi %scaled, %b : i32
  %left = arith.select %no_b, %a, %sum : i32
  %all = arith.select %no_a, %b, %left : i32
  return %all : i32
}
func.func @joined(%A: memref<5xi32>, %out: memref<1xi32>) {
  sched.kernel @joined grid [1, 1, 1] block [32, 1, 1] {
    sched.for (%w in 1 by 1 : warp) {
      %s = sched.for (%l in 5 by 1 dim 0 : lane pw @digits) -> i32 {
        %a = sched.read %A[%l] : memref<5xi32>
        sched.yield %a : i32
      }
      sched.write %s, %out[0] : memref<1xi32>
    }
  }
  return
}

// All threads of a block: lanes of each warp first, then one value per warp in shared memory.
func.func @all(%A: memref<64xi32>, %out: memref<1xi32>) {
  sched.kernel @all grid [1, 1, 1] block [64, 1, 1] {
    %s = sched.for (%t in 64 by 1 dim 0 : thread.x pw add via shuffle) -> i32 {
      %a = sched.read %A[%t] : memref<64xi32>
      sched.yield %a : i32
    }
    sched.write %s, %out[0] : memref<1xi32>
  }
  return
}

func.func @check_rows() -> f32 {
  %A = memref.alloc() : memref<4x32xf32>
  %out = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c32 step %c1 {
      %row = arith.muli %i, %c32 : index
      %n = arith.addi %row, %j : index
      %k = arith.index_cast %n : index to i32
      %x = arith.sitofp %k : i32 to f32
      memref.store %x, %A[%i, %j] : memref<4x32xf32>
    }
  }
  func.call @rows(%A, %out) : (memref<4x32xf32>, memref<4xf32>) -> ()
  %z = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> f32 {
    %x = memref.load %out[%i] : memref<4xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

func.func @check_digits() -> i32 {
  %A = memref.alloc() : memref<5xi32>
  %out = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %n = arith.addi %i, %c1 : index
    %k = arith.index_cast %n : index to i32
    memref.store %k, %A[%i] : memref<5xi32>
  }
  func.call @joined(%A, %out) : (memref<5xi32>, memref<1xi32>) -> ()
  %r = memref.load %out[%c0] : memref<1xi32>
  return %r : i32
}

func.func @check_all() -> i32 {
  %A = memref.alloc() : memref<64xi32>
  %out = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %zero, %A[%i] : memref<64xi32>
  }
  scf.for %i = %c0 to %c32 step %c1 {
    %k = arith.index_cast %i : index to i32
    memref.store %k, %A[%i] : memref<64xi32>
  }
  func.call @all(%A, %out) : (memref<64xi32>, memref<1xi32>) -> ()
  %r = memref.load %out[%c0] : memref<1xi32>
  return %r : i32
}
