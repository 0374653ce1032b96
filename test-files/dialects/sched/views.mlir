// Views of one memory whose elements are not the same: no race.
// test: opt

// check: func.func @columns(
func.func @columns(%A: memref<32x2xf32>) {
  %even = memref.subview %A[0, 0] [32, 1] [1, 1] : memref<32x2xf32> to memref<32xf32, strided<[2]>>
  %odd = memref.subview %A[0, 1] [32, 1] [1, 1] : memref<32x2xf32> to memref<32xf32, strided<[2], offset: 1>>
  sched.for (%i in 32 by 1 dim 0 : task) {
    %a = sched.read %even[31 - %i] : memref<32xf32, strided<[2]>>
    sched.write %a, %odd[%i] : memref<32xf32, strided<[2], offset: 1>>
  }
  return
}

// Each task has a view of its own.
// check: func.func @own_rows(
func.func @own_rows(%A: memref<64xf32>, %x: f32) {
  %c2 = arith.constant 2 : index
  sched.for (%i in 32 by 1 dim 0 : task) {
    %at = arith.muli %i, %c2 : index
    %v = memref.subview %A[%at] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1], offset: ?>>
    sched.write %x, %v[0] : memref<2xf32, strided<[1], offset: ?>>
    sched.write %x, %v[1] : memref<2xf32, strided<[1], offset: ?>>
  }
  return
}

// The same element by another name, in the same task.
// check: func.func @in_place(
func.func @in_place(%A: memref<64xf32>, %at: index) {
  %v = memref.subview %A[%at] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
  %w = memref.subview %A[%at] [16] [2] : memref<64xf32> to memref<16xf32, strided<[2], offset: ?>>
  sched.for (%i in 16 by 1 dim 0 : task) {
    %a = sched.read %v[2 * %i] : memref<32xf32, strided<[1], offset: ?>>
    %b = arith.addf %a, %a : f32
    sched.write %b, %w[%i] : memref<16xf32, strided<[2], offset: ?>>
  }
  return
}

// Fields of records.
// check: func.func @fields(
func.func @fields(%A: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %id = memref.view %A[%c0][] : memref<256xi8> to memref<16x4xi32>
  %w = memref.view %A[%c8][] : memref<256xi8> to memref<15x2xf64>
  sched.for (%i in 15 by 1 dim 0 : task) {
    %n = sched.read %id[14 - %i, 1] : memref<16x4xi32>
    %x = arith.sitofp %n : i32 to f64
    sched.write %x, %w[%i, 0] : memref<15x2xf64>
  }
  return
}

// One long row as rows.
// check: func.func @rows(
func.func @rows(%A: memref<64xf32>) {
  %r = memref.expand_shape %A [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  sched.for (%i in 8 by 1 dim 0 : task, %j in 8 by 1 dim 1) {
    %a = sched.read %A[8 * %i + %j] : memref<64xf32>
    sched.write %a, %r[%i, %j] : memref<8x8xf32>
  }
  return
}

// Sums that may wrap around differ as their integers do.
// check: func.func @unknown(
func.func @unknown(%A: memref<64xf32>, %B: memref<64xf32>, %n: index, %x: f32) {
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %m = arith.muli %n, %c64 : index
  sched.for (%i in 8 by 1 dim 0 : task) {
    %s = arith.addi %n, %i : index
    %t = arith.addi %s, %c3 : index
    sched.write %x, %A[%t] : memref<64xf32>
    %u = arith.addi %m, %i : index
    %v = arith.subi %u, %c3 : index
    sched.write %x, %B[%v] : memref<64xf32>
  }
  return
}

// Sums that are promised not to wrap around, and one that does on the way to where it does not.
// check: func.func @promised(
func.func @promised(%A: memref<64xf32>, %B: memref<64xf32>, %n: index, %x: f32) {
  %c3 = arith.constant 3 : index
  sched.for (%i in 8 by 1 dim 0 : task) {
    %m = arith.muli %i, %c3 : index
    %s = arith.addi %m, %n overflow<nsw> : index
    %o = arith.floordivsi %s, %c3 : index
    sched.write %x, %A[%o] : memref<64xf32>
    %t = arith.addi %i, %n : index
    %p = arith.subi %t, %n : index
    sched.write %x, %B[%p] : memref<64xf32>
  }
  return
}
