// A loop of one iteration is at no level: it may stand around loops of its own axis, and inside of them. What the others do
// not give out, the first one does.
// test: opt --pipeline="func.func(sched-legalize)"
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse,licm)"
// eval: @check() == 30096

#dm = #gpu.address_space<global>
func.func @around(%out: memref<6x4xi32, #dm>) {
  sched.kernel @around grid [1, 6, 1] block [1, 4, 1] {
    sched.for (%g in 1 by 1 dim 0 : global.y, %b in 6 by 1 dim 1 : block.y, %t in 4 by 1 dim 2 : thread.y) {
      %i = arith.addi %b, %t : index
      %v = arith.index_cast %i : index to i32
      sched.write %v, %out[%b, %t] : memref<6x4xi32, #dm>
    }
  }
  return
}

func.func @inside(%out: memref<6x4xi32, #dm>) {
  %one = arith.constant 1 : i32
  sched.kernel @inside grid [6, 1, 1] block [4, 2, 1] {
    sched.for (%b in 6 by 1 dim 1 : block.x, %g in 1 by 1 dim 0 : global.x) {
      // Threads along x: the first one alone adds.
      sched.write %one, %out[%b, 0] combine add : memref<6x4xi32, #dm>
    }
  }
  sched.kernel @threads grid [6, 1, 1] block [4, 1, 1] {
    sched.for (%b in 6 by 1 dim 1 : block.x, %t in 4 by 1 dim 2 : thread.x, %h in 1 by 1 dim 0 : thread.x) {
      sched.write %one, %out[%b, %t] combine add : memref<6x4xi32, #dm>
    }
  }
  return
}

func.func private @sum(%x: memref<6x4xi32, #dm>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %c6 step %c1 iter_args(%s = %z) -> (i32) {
    %t = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %s) -> (i32) {
      %v = memref.load %x[%i, %j] : memref<6x4xi32, #dm>
      %u = arith.addi %t, %v : i32
      scf.yield %u : i32
    }
    scf.yield %t : i32
  }
  return %s : i32
}

func.func @check() -> i32 {
  %k = arith.constant 1000 : i32
  %x = memref.alloc() : memref<6x4xi32, #dm>
  func.call @around(%x) : (memref<6x4xi32, #dm>) -> ()
  %a = func.call @sum(%x) : (memref<6x4xi32, #dm>) -> i32
  func.call @inside(%x) : (memref<6x4xi32, #dm>) -> ()
  %b = func.call @sum(%x) : (memref<6x4xi32, #dm>) -> i32
  %d = arith.subi %b, %a : i32
  %m = arith.muli %d, %k : i32
  %s = arith.addi %m, %a : i32
  return %s : i32
}
