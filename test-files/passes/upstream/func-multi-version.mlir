// Each function once per level; calls stay within a version; private functions are nobody's choice.
// test: opt --pipeline="func-multi-version"
// check: @twice(%x: i32) -> i32 attributes {terrace.target = "x86-64-v2", terrace.versions = [@twice_x86_64_v4, @twice_x86_64_v3]}
// check: private @twice_x86_64_v3(
// next: call @double_x86_64_v3_0(
// check: private @twice_x86_64_v4(
// next: call @double_x86_64_v4(
// check: private @double(%x: i32) -> i32 attributes {terrace.target = "x86-64-v2"} {
// test: opt --pipeline="func-multi-version{targets=x86-64-v3},scf-parallel-to-calls"
// check: @twice(%x: i32) -> i32 attributes {terrace.target = "x86-64-v2", terrace.versions = [@twice_x86_64_v3]}
// check: private @double_x86_64_v3_x86_64_v3_parallel_0({{…}} attributes {terrace.target = "x86-64-v3"}
// check: func.func @chosen(%x: i32) -> i32 attributes {terrace.target = "x86-64-v4"} {
// test: opt --pipeline="func-multi-version{targets=}"
// check: @twice(%x: i32) -> i32 attributes {terrace.target = "x86-64-v2"} {
// eval: @twice(3) == 12

func.func @twice(%x: i32) -> i32 {
  %y = func.call @double(%x) : (i32) -> i32
  %z = func.call @double(%y) : (i32) -> i32
  return %z : i32
}

func.func private @double(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}

// A name that is taken
func.func @double_x86_64_v3(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %one, %m[%i] : memref<?xf32>
  }
  return
}

// Somebody said already
func.func @chosen(%x: i32) -> i32 attributes {terrace.target = "x86-64-v4"} {
  return %x : i32
}
