// Open parameters of a schedule: an order of loops, a buffer that may be there, a level. Their text is what they mean until then.
// test: opt --pipeline="func.func(sched-decide{values=p=2.0.1,b=0,m=task})"
// eval: @check() == 0

// CHECK-LABEL: func.func @product
// CHECK-NOT: sched.alloc
// CHECK: sched.for (%k in 6 by 1 dim 2 pw add, %i in 4 by 1 dim 0, %j in 5 by 1 dim 1) {
// CHECK: sched.read %B[%k, %j1 + %j]
func.func @product(%A: memref<4x6xi32>, %B: memref<6x10xi32>, %C: memref<4x10xi32>) {
  %z = arith.constant 0 : i32
  sched.copy (%i, %j) in (4, 10) %z to %C[%i, %j] : i32 to memref<4x10xi32>
  // CHECK: sched.for (%j1 in 10 by 5 dim 1 : task) {
  sched.for (%j1 in 10 by 5 dim 1 : @m) {
    %t = sched.alloc when @b : memref<5x6xi32, "l1">
    sched.copy (%k, %j) in (6, 5) %B[%k, %j1 + %j] to %t[%j, %k] when @b : memref<6x10xi32> to memref<5x6xi32, "l1">
    sched.for (%i in 4 by 1 dim 0 perm @p, %j in 5 by 1 dim 1, %k in 6 by 1 dim 2 pw add) {
      %a = sched.read %A[%i, %k] : memref<4x6xi32>
      %b = sched.read %t[%j, %k] : memref<5x6xi32, "l1">
      %q = arith.muli %a, %b : i32
      sched.write %q, %C[%i, %j1 + %j] combine add : memref<4x10xi32>
    }
  }
  return
}

func.func @check() -> i32 {
  %A = memref.alloc() : memref<4x6xi32>
  %B = memref.alloc() : memref<6x10xi32>
  %C = memref.alloc() : memref<4x10xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  scf.for %k = %c0 to %c6 step %c1 {
    scf.for %i = %c0 to %c4 step %c1 {
      %x = arith.muli %i, %c7 : index
      %y = arith.addi %x, %k : index
      %r = arith.remui %y, %c5 : index
      %v = arith.index_cast %r : index to i32
      memref.store %v, %A[%i, %k] : memref<4x6xi32>
    }
    scf.for %j = %c0 to %c10 step %c1 {
      %x = arith.muli %j, %c3 : index
      %y = arith.addi %x, %k : index
      %r = arith.remui %y, %c7 : index
      %v = arith.index_cast %r : index to i32
      memref.store %v, %B[%k, %j] : memref<6x10xi32>
    }
  }
  func.call @product(%A, %B, %C) : (memref<4x6xi32>, memref<6x10xi32>, memref<4x10xi32>) -> ()
  %wrong = scf.for %i = %c0 to %c4 step %c1 iter_args(%w = %zero) -> i32 {
    %row = scf.for %j = %c0 to %c10 step %c1 iter_args(%v = %w) -> i32 {
      %sum = scf.for %k = %c0 to %c6 step %c1 iter_args(%s = %zero) -> i32 {
        %a = memref.load %A[%i, %k] : memref<4x6xi32>
        %b = memref.load %B[%k, %j] : memref<6x10xi32>
        %p = arith.muli %a, %b : i32
        %t = arith.addi %s, %p : i32
        scf.yield %t : i32
      }
      %c = memref.load %C[%i, %j] : memref<4x10xi32>
      %e = arith.subi %c, %sum : i32
      %h = arith.ori %e, %v : i32
      scf.yield %h : i32
    }
    scf.yield %row : i32
  }
  return %wrong : i32
}
