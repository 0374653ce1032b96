// test: round-trip
// Listing 3 of the paper on mapping parallelism: parts in parts. Each file beside it is what the step before makes of it; the
// steps are in `tools/filetest/tests/stages.rs`.

func.func @tiled(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> attributes {array.bind = {n = 64, s0 = 16, s1 = 4}} {
  %parts = array.split @s0 %X
  %o = array.map "A" %parts as %c {
    %inner = array.split @s1 %c
    %products = array.map "C" %inner as %d {
      %line = array.map "D" %d as %e {
        %m = arith.muli %e, %y : i32
        array.yield %m
      }
      array.yield %line
    }
    %all = array.join %products
    %sums = array.map "B" %all as %e {
      %s = arith.addi %e, %z : i32
      array.yield %s
    }
    array.yield %sums
  }
  %out = array.join %o
  return %out : !array.of<@n x i32>
}
