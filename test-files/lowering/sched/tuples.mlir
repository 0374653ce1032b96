// An operator on tuples merges what loops give at each level: in order, unrolled, in lanes, by tasks, by threads of a block.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize)"

// Maps x ↦ a·x + b, one after the other: associative, and order shows.
func.func private @compose(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32)
    attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32]}} {
  %ac = arith.muli %a, %c : i32
  %ad = arith.muli %a, %d : i32
  %r = arith.addi %ad, %b : i32
  return %ac, %r : i32, i32
}

func.func @in_order(%A: memref<6xi32>, %a: memref<i32>, %b: memref<i32>) {
  %r:2 = sched.for (%i in 6 by 1 dim 0 pw @compose) -> (i32, i32) {
    %x = sched.read %A[%i] : memref<6xi32>
    %n = arith.index_cast %i : index to i32
    sched.yield %x, %n : i32, i32
  }
  sched.write %r#0, %a[] : memref<i32>
  sched.write %r#1, %b[] : memref<i32>
  return
}
// check: func.func @in_order
// check: func.call @compose

func.func @unrolled_lanes(%A: memref<6xi32>, %a: memref<i32>, %b: memref<i32>) {
  %r:2 = sched.for (%i in 6 by 3 dim 0 : unroll pw @compose) -> (i32, i32) {
    %s:2 = sched.for (%j in 3 by 1 dim 0 : vector pw @compose) -> (i32, i32) {
      %x = sched.read %A[%i + %j] : memref<6xi32>
      %k = arith.addi %i, %j : index
      %n = arith.index_cast %k : index to i32
      sched.yield %x, %n : i32, i32
    }
    sched.yield %s#0, %s#1 : i32, i32
  }
  sched.write %r#0, %a[] : memref<i32>
  sched.write %r#1, %b[] : memref<i32>
  return
}
// check: func.func @unrolled_lanes

// Each task leaves its tuple; after the join the parts follow the initial values in order.
func.func @tasks(%A: memref<6xi32>, %a: memref<i32>, %b: memref<i32>) {
  %one = arith.constant 3 : i32
  %two = arith.constant 7 : i32
  %r:2 = sched.for (%i in 6 by 2 dim 0 : task pw @compose init(%one, %two)) -> (i32, i32) {
    %s:2 = sched.for (%j in 2 by 1 dim 0 pw @compose) -> (i32, i32) {
      %x = sched.read %A[%i + %j] : memref<6xi32>
      sched.yield %x, %x : i32, i32
    }
    sched.yield %s#0, %s#1 : i32, i32
  }
  sched.write %r#0, %a[] : memref<i32>
  sched.write %r#1, %b[] : memref<i32>
  return
}
// check: func.func @tasks
// check: scf.parallel
// check: scf.for
// check: func.call @compose

// One buffer of the block for each component, and one barrier a round.
#sm = #gpu.address_space<global>
func.func @threads(%A: memref<64xi32, #sm>, %a: memref<i32, #sm>, %b: memref<i32, #sm>) {
  sched.kernel @k grid [1, 1, 1] block [64, 1, 1] {
    %r:2 = sched.for (%i in 64 by 1 dim 0 : thread.x pw @compose via shared) -> (i32, i32) {
      %x = sched.read %A[%i] : memref<64xi32, #sm>
      %n = arith.index_cast %i : index to i32
      sched.yield %x, %n : i32, i32
    }
    sched.write %r#0, %a[] : memref<i32, #sm>
    sched.write %r#1, %b[] : memref<i32, #sm>
  }
  return
}
// check: func.func @threads
// check: gpu.barrier

// Each of them on the numbers n² − 3.
func.func @check() -> (i32, i32, i32, i32, i32, i32) {
  %A = memref.alloc() : memref<6xi32>
  %a = memref.alloc() : memref<i32>
  %b = memref.alloc() : memref<i32>
  %three = arith.constant 3 : i32
  sched.for (%i in 6 by 1) {
    %n = arith.index_cast %i : index to i32
    %square = arith.muli %n, %n : i32
    %x = arith.subi %square, %three : i32
    sched.write %x, %A[%i] : memref<6xi32>
  }
  func.call @in_order(%A, %a, %b) : (memref<6xi32>, memref<i32>, memref<i32>) -> ()
  %0 = memref.load %a[] : memref<i32>
  %1 = memref.load %b[] : memref<i32>
  func.call @unrolled_lanes(%A, %a, %b) : (memref<6xi32>, memref<i32>, memref<i32>) -> ()
  %2 = memref.load %a[] : memref<i32>
  %3 = memref.load %b[] : memref<i32>
  func.call @tasks(%A, %a, %b) : (memref<6xi32>, memref<i32>, memref<i32>) -> ()
  %4 = memref.load %a[] : memref<i32>
  %5 = memref.load %b[] : memref<i32>
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, i32, i32
}
// eval: @check() == (10296, 2511, 10296, 2511, 30888, 32434)
