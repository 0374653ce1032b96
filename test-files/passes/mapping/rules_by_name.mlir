// test: opt --pipeline="func.func(array-map{rules=paper point=0})"
// test: opt --pipeline="func.func(array-map{rules=8 point=0})"
// Only the paper's rules, on the maps of the text: D may not be sequential in C (8), and A, an outermost map, may be fused. All
// rules of Terrace see two loops, A and B.

// check: array.map "A"
func.func @tiled(%X: !array.of<48 x i32>, %y: i32, %z: i32) -> !array.of<48 x i32> {
  %0 = array.split 12 %X
  %1 = array.map "A" %0 as %p {
    %2 = array.split 4 %p
    // check: array.map "C" %{{…}} : seq as
    %3 = array.map "C" %2 as %q {
      // next: array.map "D" %{{…}} : fused as
      %4 = array.map "D" %q as %e {
        %m = arith.muli %e, %y : i32
        array.yield %m
      }
      array.yield %4
    }
    %6 = array.join %3
    %7 = array.map "B" %6 as %e {
      %s = arith.addi %e, %z : i32
      array.yield %s
    }
    array.yield %7
  }
  %9 = array.join %1
  return %9 : !array.of<48 x i32>
}
