// test: round-trip
module {
  func.func @f(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> {
    %0 = array.split @s0 %X
    %1 = array.map "A" %0 as %arg0 {
      %2 = array.split @s1 %arg0
      %3 = array.map "C" %2 as %arg1 {
        %5 = array.map "D" %arg1 as %e {
          %m = arith.muli %e, %y : i32
          %s = arith.addi %m, %z : i32
          array.yield %s
        }
        array.yield %5
      }
      %4 = array.join %3
      array.yield %4
    }
    %o = array.join %1
    return %o : !array.of<@n x i32>
  }
}
