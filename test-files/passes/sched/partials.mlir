// Tasks that merge into one buffer: a part for each iteration, merged in order after the join. The first one brings a buffer
// of its own, which the part replaces; the second merges element by element; the third by a function that does not commute.
// test: opt --pipeline="func.func(sched-legalize)"
// test: opt --pipeline="func.func(sched-legalize,sched-to-scf,canonicalize,cse,promote-buffers,canonicalize,cse)"
// eval: @check() == 0
// eval: @word() == 1234567

// CHECK-LABEL: func.func @split
// CHECK: sched.alloc : memref<4x6x10xi32>
// CHECK: sched.for step 1 at 1 (%k1 in 32 by 8 dim 2 : task) {
// CHECK-NOT: memref<6x10xi32, "l2">
// CHECK: pw add
func.func @split(%A: memref<6x32xi32>, %B: memref<32x10xi32>, %C: memref<6x10xi32>) {
  %z = arith.constant 0 : i32
  sched.for step 1 at 1 (%k1 in 32 by 8 dim 2 : task pw add via partials) {
    %Cp = sched.alloc step 1 at 1 : memref<6x10xi32, "l2">
    sched.copy (%i, %j) in (6, 10) %z to %Cp[%i, %j] : i32 to memref<6x10xi32, "l2">
    sched.for step 2 at 2 (%j2 in 10 by 5 dim 1, %i2 in 6 by 2 dim 0) {
      sched.for step 3 at 3 (%k3 in 8 by 1 dim 2 pw add, %i3 in 2 by 1 dim 0, %j3 in 5 by 1 dim 1) {
        %a = sched.read %A[%i2 + %i3, %k1 + %k3] : memref<6x32xi32>
        %b = sched.read %B[%k1 + %k3, %j2 + %j3] : memref<32x10xi32>
        %p = arith.muli %a, %b : i32
        sched.write %p, %Cp[%i2 + %i3, %j2 + %j3] combine add : memref<6x10xi32, "l2">
      }
    }
    sched.copy step 1 at 1 (%i, %j) in (6, 10) by (seq, vector 2) %Cp[%i, %j] to %C[%i, %j] combine add : memref<6x10xi32, "l2"> to memref<6x10xi32>
  }
  return
}

// Rows in parts of their own: the box of an iteration is two rows.
// CHECK-LABEL: func.func @rows
// CHECK: sched.alloc : memref<3x4x2x10xi32>
func.func @rows(%A: memref<6x32xi32>, %B: memref<32x10xi32>, %C: memref<6x10xi32>) {
  sched.for (%i1 in 6 by 2 dim 0 : task, %k1 in 32 by 8 dim 2 : task pw add) {
    sched.for (%k3 in 8 by 1 dim 2 pw add, %i3 in 2 by 1 dim 0, %j3 in 10 by 1 dim 1) {
      %a = sched.read %A[%i1 + %i3, %k1 + %k3] : memref<6x32xi32>
      %b = sched.read %B[%k1 + %k3, %j3] : memref<32x10xi32>
      %p = arith.muli %a, %b : i32
      sched.write %p, %C[%i1 + %i3, %j3] combine add : memref<6x10xi32>
    }
  }
  return
}

// 10 a + b for one digit b.
func.func private @append(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative}} {
  %c10 = arith.constant 10 : i32
  %s = arith.muli %a, %c10 : i32
  %r = arith.addi %s, %b : i32
  return %r : i32
}
func.func @digits(%A: memref<7xi32>, %w: memref<1xi32>) {
  sched.for (%i in 7 by 1 dim 0 : task pw @append via partials) {
    %a = sched.read %A[%i] : memref<7xi32>
    sched.write %a, %w[0] combine @append : memref<1xi32>
  }
  return
}

func.func @word() -> i32 {
  %A = memref.alloc() : memref<7xi32>
  %w = memref.alloc() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  memref.store %zero, %w[%c0] : memref<1xi32>
  scf.for %i = %c0 to %c7 step %c1 {
    %n = arith.addi %i, %c1 : index
    %k = arith.index_cast %n : index to i32
    memref.store %k, %A[%i] : memref<7xi32>
  }
  func.call @digits(%A, %w) : (memref<7xi32>, memref<1xi32>) -> ()
  %r = memref.load %w[%c0] : memref<1xi32>
  return %r : i32
}

// Both products from what is in C before, and the differences from one computed here.
func.func @check() -> i32 {
  %A = memref.alloc() : memref<6x32xi32>
  %B = memref.alloc() : memref<32x10xi32>
  %C = memref.alloc() : memref<6x10xi32>
  %D = memref.alloc() : memref<6x10xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %hundred = arith.constant 100 : i32
  scf.for %k = %c0 to %c32 step %c1 {
    scf.for %i = %c0 to %c6 step %c1 {
      %x = arith.muli %i, %c7 : index
      %y = arith.addi %x, %k : index
      %r = arith.remui %y, %c5 : index
      %v = arith.index_cast %r : index to i32
      memref.store %v, %A[%i, %k] : memref<6x32xi32>
    }
    scf.for %j = %c0 to %c10 step %c1 {
      %x = arith.muli %j, %c3 : index
      %y = arith.addi %x, %k : index
      %r = arith.remui %y, %c7 : index
      %v = arith.index_cast %r : index to i32
      memref.store %v, %B[%k, %j] : memref<32x10xi32>
    }
  }
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      memref.store %hundred, %C[%i, %j] : memref<6x10xi32>
      memref.store %hundred, %D[%i, %j] : memref<6x10xi32>
    }
  }
  func.call @split(%A, %B, %C) : (memref<6x32xi32>, memref<32x10xi32>, memref<6x10xi32>) -> ()
  func.call @rows(%A, %B, %D) : (memref<6x32xi32>, memref<32x10xi32>, memref<6x10xi32>) -> ()
  %wrong = scf.for %i = %c0 to %c6 step %c1 iter_args(%w = %zero) -> i32 {
    %row = scf.for %j = %c0 to %c10 step %c1 iter_args(%v = %w) -> i32 {
      %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%s = %hundred) -> i32 {
        %a = memref.load %A[%i, %k] : memref<6x32xi32>
        %b = memref.load %B[%k, %j] : memref<32x10xi32>
        %p = arith.muli %a, %b : i32
        %t = arith.addi %s, %p : i32
        scf.yield %t : i32
      }
      %c = memref.load %C[%i, %j] : memref<6x10xi32>
      %d = memref.load %D[%i, %j] : memref<6x10xi32>
      %e = arith.subi %c, %sum : i32
      %f = arith.subi %d, %sum : i32
      %g = arith.ori %e, %f : i32
      %h = arith.ori %g, %v : i32
      scf.yield %h : i32
    }
    scf.yield %row : i32
  }
  return %wrong : i32
}
