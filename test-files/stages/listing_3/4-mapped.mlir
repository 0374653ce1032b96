// test: round-trip
module {
  func.func @tiled(%X: !array.of<@n x i32>, %y: i32, %z: i32) -> !array.of<@n x i32> attributes {array.bind = {n = 64 : i64, s0 = 16 : i64, s1 = 4 : i64}} {
    %parts = array.split @s0 %X
    %o = array.map "A" %parts : block.x as %c {
      %inner = array.split @s1 %c
      %products = array.map "C" %inner : thread.x as %d {
        %line = array.map "D" %d : seq as %e {
          %m = arith.muli %e, %y : i32
          array.yield %m
        }
        array.yield %line
      }
      %all = array.join %products
      %all_0 = array.place #gpu.address_space<workgroup> %all
      %sums = array.map "B" %all_0 : thread.x as %e {
        %s = arith.addi %e, %z : i32
        array.yield %s
      }
      array.yield %sums
    }
    %out = array.join %o
    return %out : !array.of<@n x i32>
  }
}
