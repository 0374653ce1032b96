// test: opt --pipeline="array-parametrize{device=openmp tags=type}"
// What types ask of sizes that are open stands in the space, with the op that asks.

// check: tune.space @tiled_levels for @tiled on "openmp" {
// next: tune.size @n
// next: tune.size @s0
// next: tune.size @s1 = 4
// next: tune.param @m.A "A" in {seq, task}
// next: tune.param @m.B "B" in {seq, fused, task}
// next: tune.constraint "split" type : 1 <= @s0 because "size of parts"
// next: tune.constraint "split" type : @s0 divides @n because "size of parts"
// next: tune.constraint "split" type : @s1 divides @s0 because "size of parts"
func.func @tiled(%X: !array.of<@n x i32>) -> !array.of<@n x i32> attributes {array.bind = {s1 = 4}} {
  %0 = array.split @s0 %X
  %1 = array.map "A" %0 as %c {
    %2 = array.split @s1 %c
    %3 = array.join %2
    %4 = array.map "B" %3 as %e {
      %5 = arith.muli %e, %e : i32
      array.yield %5
    }
    array.yield %4
  }
  %9 = array.join %1
  return %9 : !array.of<@n x i32>
}
