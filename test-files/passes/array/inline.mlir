// test: opt --pipeline="array-inline, symbol-dce"
// Functions that patterns call become part of them, with patterns of their own.

// check: func.func @chunks_of_all
// not: func.call
// check: array.split 2
func.func @chunks_of_all(%x: !array.of<@n x @m x i32>) -> !array.of<@n x @m / 2 x 2 x i32> attributes {array.bind = {m = 4}} {
  %0 = array.map @chunks %x
  return %0 : !array.of<@n x @m / 2 x 2 x i32>
}
// eval: @chunks_of_all([[1, 2, 3, 4]]) == [[[1, 2], [3, 4]]]
func.func private @chunks(%w: !array.of<@m x i32>) -> !array.of<@m / 2 x 2 x i32> {
  %0 = array.map @same %w
  %1 = array.split 2 %0
  return %1 : !array.of<@m / 2 x 2 x i32>
}
func.func private @same(%a: i32) -> i32 {
  return %a : i32
}
// check: func.func @swapped
// not: func.call
// next: array.zip
// next: array.map
// next: array.yield %arg1, %arg0
func.func @swapped(%x: !array.of<@n x i32>, %y: !array.of<@n x i1>) -> !array.of<@n x tuple<i1, i32>> {
  %0 = array.map @swap (array.zip %x, %y)
  return %0 : !array.of<@n x tuple<i1, i32>>
}
// eval: @swapped([1, 2], [true, false]) == [[true, 1], [false, 2]]
func.func private @swap(%a: i32, %b: i1) -> (i1, i32) {
  return %b, %a : i1, i32
}
// not: @swap(
