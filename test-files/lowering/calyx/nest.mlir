// A nest is a static group that lets iterations begin; loads sink to what takes them; two accesses of one array take its two ports.
// test: opt --emit=calyx

func.func @f(%A: memref<6xi8>, %C: memref<6xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %t = memref.alloca() {terrace.partition = array<i64: 1>} : memref<6xi16>
  // Read: loaded, extended, stored a cycle later.
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %A[%i] : memref<6xi8>
    %b = arith.extsi %a : i8 to i16
    memref.store %b, %t[%i] : memref<6xi16>
  } {terrace.pipeline = 1 : i64}
  // A sum that waits for itself: two cycles from one iteration to the next.
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %t[%i] : memref<6xi16>
    %s = memref.load %t[%c0] : memref<6xi16>
    %b = arith.addi %a, %s : i16
    memref.store %b, %t[%c0] : memref<6xi16>
  } {terrace.pipeline = 1 : i64}
  scf.for %i = %c0 to %c6 step %c1 {
    %a = memref.load %t[%i] : memref<6xi16>
    memref.store %a, %C[%i] : memref<6xi16>
  } {terrace.pipeline = 1 : i64}
  return
}
// check: component main(
// check: t_0_b0_0 = terrace_memory(16, 6, 3);
// check: static<7> group nest_0 {
// next: issue_0.in = %[0:6] ? 1'd1;
// next: reading.in = 1'd1;
// check: group nest_1 {
// next: phase_0.out
// check: static<7> group nest_2 {
// next: issue_2.in = %[0:6] ? 1'd1;
// next: writing.in = 1'd1;
// check: static seq {
// next: nest_0;
// next: nest_1;
// next: nest_2;
