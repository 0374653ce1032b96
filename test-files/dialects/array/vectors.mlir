// test: round-trip
// Vectors of a number of lanes that is not decided: arithmetic works on them.

func.func @twice(%x: !array.of<@n x i32>) -> !array.of<@n x i32> attributes {array.bind = {v = 2}} {
  %0 = array.as_vector @v %x
  %1 = array.map %0 as %a {
    %2 = arith.addi %a, %a : !array.vector<@v x i32>
    array.yield %2
  }
  %3 = array.as_scalar %1
  return %3 : !array.of<@n x i32>
}
// eval: @twice([1, 2, 3, 4]) == [2, 4, 6, 8]
// eval: @twice([1, 2, 3]) == trap E0684

func.func @dot(%x: !array.of<@n x f32>, %y: !array.of<@n x f32>, %z: f32) -> f32 attributes {array.bind = {v = 2}} {
  %0 = array.as_vector @v %x
  %1 = array.as_vector @v %y
  %2 = array.reduce add init %z (array.zip %0, %1) as %a, %b {
    %3 = arith.mulf %a, %b : !array.vector<@v x f32>
    %4 = vector.reduction <add>, %3 : !array.vector<@v x f32> into f32
    array.yield %4
  }
  return %2 : f32
}
// eval: @dot([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 2.0, 2.0], 0.5) == 17.5

// Sums of vectors, lane by lane, from a start value that fills them; comparisons give vectors of i1.
func.func @sums(%x: !array.of<@n x i32>, %z: i32) -> (!array.vector<@v x i32>, !array.of<@n / @v x !array.vector<@v x i1>>) attributes {array.bind = {v = 2}} {
  %0 = array.as_vector @v %x
  %1 = array.reduce add init %z %0 as %a {
    array.yield %a
  }
  %2 = array.map %0 as %a {
    %3 = arith.cmpi slt, %a, %a : !array.vector<@v x i32>
    array.yield %3
  }
  return %1, %2 : !array.vector<@v x i32>, !array.of<@n / @v x !array.vector<@v x i1>>
}
// eval: @sums([1, 2, 3, 4], 10) == ([14, 16], [[false, false], [false, false]])
