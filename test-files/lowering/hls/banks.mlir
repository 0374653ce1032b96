// Banks of what is written by hand: nothing of it takes long, overflows or panics.
// test: opt --pipeline="hls-pipeline"

// Banks of another rank than the array has are none.
func.func @other_rank(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1, 1>} : memref<4xf32>
  scf.for %r = %c0 to %c4 step %c1 {
    %a = memref.load %A[%c0] : memref<4xf32>
    memref.store %a, %t[%r] : memref<4xf32>
  } {terrace.unroll}
  return
}
// check: func.func @other_rank
// check: %t = memref.alloca() {terrace.partition = array<i64: 1, 1>} : memref<4xf32>

// Arithmetic that is shared is followed so far only: each copy may be of another element.
func.func @shared(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
  scf.for %r = %c0 to %c4 step %c1 {
    %x0 = arith.addi %r, %r : index
    %x1 = arith.addi %x0, %x0 : index
    %x2 = arith.addi %x1, %x1 : index
    %x3 = arith.addi %x2, %x2 : index
    %x4 = arith.addi %x3, %x3 : index
    %x5 = arith.addi %x4, %x4 : index
    %x6 = arith.addi %x5, %x5 : index
    %x7 = arith.addi %x6, %x6 : index
    %x8 = arith.addi %x7, %x7 : index
    %x9 = arith.addi %x8, %x8 : index
    %x10 = arith.addi %x9, %x9 : index
    %x11 = arith.addi %x10, %x10 : index
    %x12 = arith.addi %x11, %x11 : index
    %x13 = arith.addi %x12, %x12 : index
    %x14 = arith.addi %x13, %x13 : index
    %x15 = arith.addi %x14, %x14 : index
    %x16 = arith.addi %x15, %x15 : index
    %x17 = arith.addi %x16, %x16 : index
    %x18 = arith.addi %x17, %x17 : index
    %x19 = arith.addi %x18, %x18 : index
    %x20 = arith.addi %x19, %x19 : index
    %x21 = arith.addi %x20, %x20 : index
    %x22 = arith.addi %x21, %x21 : index
    %x23 = arith.addi %x22, %x22 : index
    %x24 = arith.addi %x23, %x23 : index
    %x25 = arith.addi %x24, %x24 : index
    %x26 = arith.addi %x25, %x25 : index
    %x27 = arith.addi %x26, %x26 : index
    %x28 = arith.addi %x27, %x27 : index
    %x29 = arith.addi %x28, %x28 : index
    %x30 = arith.addi %x29, %x29 : index
    %x31 = arith.addi %x30, %x30 : index
    %x32 = arith.addi %x31, %x31 : index
    %x33 = arith.addi %x32, %x32 : index
    %x34 = arith.addi %x33, %x33 : index
    %x35 = arith.addi %x34, %x34 : index
    %x36 = arith.addi %x35, %x35 : index
    %x37 = arith.addi %x36, %x36 : index
    %x38 = arith.addi %x37, %x37 : index
    %x39 = arith.addi %x38, %x38 : index
    %a = memref.load %A[%c0] : memref<4xf32>
    memref.store %a, %t[%x39] : memref<4xf32>
  } {terrace.unroll}
  return
}
// check: func.func @shared
// check: %t = memref.alloca() {terrace.partition = array<i64: 4>} : memref<4xf32>

// A place beyond 64 bits is not known.
func.func @beyond(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %end = arith.constant 9223372036854775807 : index
  %step = arith.constant 4611686018427387904 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<4xf32>
  scf.for %r = %c0 to %end step %step {
    %x = arith.muli %r, %c4 : index
    %a = memref.load %A[%c0] : memref<4xf32>
    memref.store %a, %t[%x] : memref<4xf32>
  } {terrace.unroll}
  return
}
// check: func.func @beyond
// check: %t = memref.alloca() {terrace.partition = array<i64: 2>} : memref<4xf32>
