// test: round-trip
// What layout ops compute, on sizes that are worked out by hand. Symbols are bound by the lengths of arguments.

// join of split is the same type, whatever the sizes.
func.func @split_join(%x: !array.of<@n x i32>) -> !array.of<@n x i32> attributes {array.bind = {m = 3}} {
  %0 = array.split @m %x
  %1 = array.join %0
  return %1 : !array.of<@n x i32>
}
// eval: @split_join([1, 2, 3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6]
// eval: @split_join([]) == []

func.func @split(%x: !array.of<@n x i32>) -> !array.of<@n / @m x @m x i32> attributes {array.bind = {m = 3}} {
  %0 = array.split @m %x
  return %0 : !array.of<@n / @m x @m x i32>
}
// eval: @split([1, 2, 3, 4, 5, 6]) == [[1, 2, 3], [4, 5, 6]]

func.func @transpose(%x: !array.of<@n x @m x i32>) -> !array.of<@m x @n x i32> {
  %0 = array.transpose %x
  return %0 : !array.of<@m x @n x i32>
}
// eval: @transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]

func.func @slide(%x: !array.of<@n x i32>) -> !array.of<(@n - 3) floordiv 2 + 1 x 3 x i32> {
  %0 = array.slide 3 by 2 %x
  return %0 : !array.of<(@n - 3) floordiv 2 + 1 x 3 x i32>
}
// eval: @slide([1, 2, 3, 4, 5, 6]) == [[1, 2, 3], [3, 4, 5]]

func.func @slide_strict(%x: !array.of<@n x i32>) -> !array.of<(@n - 3) / 2 + 1 x 3 x i32> {
  %0 = array.slide strict 3 by 2 %x
  return %0 : !array.of<(@n - 3) / 2 + 1 x 3 x i32>
}
// eval: @slide_strict([1, 2, 3, 4, 5]) == [[1, 2, 3], [3, 4, 5]]

func.func @pad(%x: !array.of<@n x i32>, %z: i32) -> !array.of<@n + 3 x i32> {
  %0 = array.pad 1, 2 value %z %x
  return %0 : !array.of<@n + 3 x i32>
}
// eval: @pad([1, 2], 9) == [9, 1, 2, 9, 9]

func.func @pad_rows(%x: !array.of<@n x 2 x i32>, %z: i32) -> !array.of<@n + 1 x 2 x i32> {
  %0 = array.pad 0, 1 value %z %x
  return %0 : !array.of<@n + 1 x 2 x i32>
}
// eval: @pad_rows([[1, 2]], 9) == [[1, 2], [9, 9]]

func.func @crop(%x: !array.of<@n x i32>, %z: i32) -> !array.of<@n x i32> {
  %0 = array.pad -1, 1 value %z %x
  return %0 : !array.of<@n x i32>
}
// eval: @crop([1, 2, 3], 9) == [2, 3, 9]

func.func @clamp(%x: !array.of<@n x i32>) -> !array.of<@n + 3 x i32> {
  %0 = array.pad 2, 1 clamp %x
  return %0 : !array.of<@n + 3 x i32>
}
// eval: @clamp([1, 2]) == [1, 1, 1, 2, 2]

func.func @wrap(%x: !array.of<@n x i32>) -> !array.of<@n + 3 x i32> {
  %0 = array.pad 2, 1 wrap %x
  return %0 : !array.of<@n + 3 x i32>
}
// eval: @wrap([1, 2, 3]) == [2, 3, 1, 2, 3, 1]

func.func @mirror(%x: !array.of<@n x i32>) -> !array.of<@n + 3 x i32> {
  %0 = array.pad 2, 1 mirror %x
  return %0 : !array.of<@n + 3 x i32>
}
// eval: @mirror([1, 2, 3]) == [3, 2, 1, 2, 3, 2]

func.func @slice(%x: !array.of<@n + 3 x i32>) -> !array.of<@n x i32> {
  %0 = array.slice 1, @n %x
  return %0 : !array.of<@n x i32>
}
// eval: @slice([1, 2, 3, 4, 5]) == [2, 3]

func.func @reorder(%x: !array.of<6 x i32>) -> !array.of<6 x i32> {
  %0 = array.reorder strided 2 %x
  return %0 : !array.of<6 x i32>
}
// eval: @reorder([0, 1, 2, 3, 4, 5]) == [0, 2, 4, 1, 3, 5]

// A strided order is that of the transposed parts, and its inverse the order strided by the rest.
func.func @reorder_is_transpose(%x: !array.of<6 x i32>) -> !array.of<6 x i32> {
  %0 = array.split 2 %x
  %1 = array.transpose %0
  %2 = array.join %1
  %3 = array.reorder strided 3 %2
  return %3 : !array.of<6 x i32>
}
// eval: @reorder_is_transpose([0, 1, 2, 3, 4, 5]) == [0, 1, 2, 3, 4, 5]

func.func @gather(%x: !array.of<@n x i32>, %i: !array.of<@m x index>) -> !array.of<@m x i32> {
  %0 = array.gather %x at %i
  return %0 : !array.of<@m x i32>
}
// eval: @gather([10, 20, 30], [2, 0, 2, 1]) == [30, 10, 30, 20]
// eval: @gather([10, 20, 30], [3]) == trap

func.func @gather_by(%x: !array.of<2 * @n x i32>) -> !array.of<@n x i32> {
  %0 = array.gather %x by 2 * $i size @n
  return %0 : !array.of<@n x i32>
}
// eval: @gather_by([10, 20, 30, 40]) == [10, 30]

func.func @gather_outside(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.gather %x by 2 * $i size @n
  return %0 : !array.of<@n x i32>
}
// eval: @gather_outside([10]) == [10]
// eval: @gather_outside([10, 20]) == trap E0308

func.func @back(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.reorder by @n - 1 - $i inverse @n - 1 - $i %x
  return %0 : !array.of<@n x i32>
}
// eval: @back([1, 2, 3]) == [3, 2, 1]

func.func @rotate(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.reorder by ($i + 1) mod @n inverse ($i + @n - 1) mod @n %x
  return %0 : !array.of<@n x i32>
}
// eval: @rotate([1, 2, 3]) == [2, 3, 1]

func.func @scatter(%x: !array.of<@m x i32>, %i: !array.of<@m x index>, %y: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.scatter %x at %i into %y
  return %0 : !array.of<@n x i32>
}
// eval: @scatter([10, 20], [2, 0], [1, 2, 3]) == [20, 2, 10]
// eval: @scatter([10, 20], [2, 2], [1, 2, 3]) == trap

func.func @zip(%x: !array.of<@n x i32>, %y: !array.of<@n x i1>) -> !array.of<@n x tuple<i32, i1>> {
  %0 = array.zip %x, %y
  return %0 : !array.of<@n x tuple<i32, i1>>
}
// eval: @zip([1, 2], [true, false]) == [[1, true], [2, false]]
// eval: @zip([1, 2], [true]) == trap

func.func @unzip(%x: !array.of<@n x tuple<i32, i1>>) -> (!array.of<@n x i32>, !array.of<@n x i1>) {
  %a, %b = array.unzip %x
  return %a, %b : !array.of<@n x i32>, !array.of<@n x i1>
}
// eval: @unzip([[1, true], [2, false]]) == ([1, 2], [true, false])

func.func @concat(%x: !array.of<@n x i32>, %y: !array.of<@m x i32>) -> !array.of<@m + @n x i32> {
  %0 = array.concat %x, %y
  return %0 : !array.of<@m + @n x i32>
}
// eval: @concat([1, 2], [3]) == [1, 2, 3]

func.func @at(%x: !array.of<@n x i32>, %i: index) -> i32 {
  %0 = array.at %x[%i]
  return %0 : i32
}
// eval: @at([1, 2], 1) == 2
// eval: @at([1, 2], 2) == trap

func.func @tuples(%x: i32, %y: i1) -> !array.of<1 x i1> {
  %0 = array.tuple %x, %y
  %1 = array.get 1 %0
  %2 = array.single %1
  %3 = array.place "local" %2
  return %3 : !array.of<1 x i1>
}
// eval: @tuples(1, true) == [true]

func.func @vectors(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.as_vector 2 %x
  %1 = array.as_scalar %0
  return %1 : !array.of<@n x i32>
}
// eval: @vectors([1, 2, 3, 4]) == [1, 2, 3, 4]
// eval: @vectors([1, 2, 3]) == trap

func.func @cast(%x: !array.of<@n x i32>) -> !array.of<2 * @m x i32> attributes {array.bind = {m = 2}} {
  %0 = array.cast %x to !array.of<2 * @m x i32>
  return %0 : !array.of<2 * @m x i32>
}
// eval: @cast([1, 2, 3, 4]) == [1, 2, 3, 4]
// eval: @cast([1, 2, 3]) == trap

// Who writes each dimension of a buffer is for schedules.
func.func @place(%x: !array.of<@n x 4 x i32>) -> !array.of<@n x 4 x i32> {
  %0 = array.place #gpu.address_space<workgroup> by (thread.x, vector 4) %x
  %1 = array.place "local" by (@m, vector) %0
  return %1 : !array.of<@n x 4 x i32>
}
// eval: @place([[1, 2, 3, 4]]) == [[1, 2, 3, 4]]
