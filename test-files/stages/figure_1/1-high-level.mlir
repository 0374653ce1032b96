// test: round-trip
// Figure 1 of the paper on mapping parallelism, one file for each of its stages: what is to be computed; tiled, with open sizes;
// with parameters for levels too; sizes and levels chosen; with vectors; loops; the host's program with its kernel; kernels.
// Each file beside it is what the step before makes of it; the steps are in `tools/filetest/tests/stages.rs`.

func.func @f(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> {
  %o = array.map "all" %X as %e {
    %m = arith.muli %e, %y : i32
    %s = arith.addi %m, %z : i32
    array.yield %s
  }
  return %o : !array.of<@n x i32>
}
