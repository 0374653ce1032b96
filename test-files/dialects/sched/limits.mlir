// Several limits on one loop, all of which bind: two tiles that do not divide are cut off on the innermost loop.
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize)"
// eval: @check() == 20

func.func @count(%out: memref<20xi32>) {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  sched.copy (%x) in (20) %z to %out[%x] : i32 to memref<20xi32>
  sched.for (%a in 20 by 8 dim 0 pw add, %b in 8 by 3 dim 0 pw add, %c in 3 by 1 limit [20 - %a - %b, 8 - %b] dim 0 pw add) {
    sched.write %one, %out[%a + %b + %c] combine add : memref<20xi32>
  }
  return
}

// Each element once: the sum of (2 - v) * v.
func.func @check() -> i32 {
  %out = memref.alloc() : memref<20xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  func.call @count(%out) : (memref<20xi32>) -> ()
  %sum = scf.for %i = %c0 to %c20 step %c1 iter_args(%s = %zero) -> i32 {
    %v = memref.load %out[%i] : memref<20xi32>
    %d = arith.subi %two, %v : i32
    %p = arith.muli %d, %v : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
