// test: round-trip

func.func @zip(%x: !array.of<@n x @m x i32>, %y: !array.of<@n x @m x i1>) -> !array.of<@n x @m x tuple<i32, i1>> {
  %0 = array.zip_nd 2 %x, %y
  return %0 : !array.of<@n x @m x tuple<i32, i1>>
}
// eval: @zip([[1, 2], [3, 4]], [[true, false], [false, true]]) == [[[1, true], [2, false]], [[3, false], [4, true]]]

func.func @zip_3(%x: !array.of<@n x @m x @k x i32>, %y: !array.of<@n x @m x @k x i32>) -> !array.of<@n x @m x @k x tuple<i32, i32>> {
  %0 = array.zip_nd 3 %x, %y
  return %0 : !array.of<@n x @m x @k x tuple<i32, i32>>
}
// eval: @zip_3([[[1], [2]]], [[[3], [4]]]) == [[[[1, 3]], [[2, 4]]]]

func.func @join(%x: !array.of<@n x @m x 2 x i32>) -> !array.of<2 * @m * @n x i32> {
  %0 = array.join_nd 3 %x
  return %0 : !array.of<2 * @m * @n x i32>
}
// eval: @join([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]) == [1, 2, 3, 4, 5, 6, 7, 8]

func.func @join_1(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.join_nd 1 %x
  return %0 : !array.of<@n x i32>
}
// eval: @join_1([1, 2]) == [1, 2]

func.func @transpose(%x: !array.of<@a x @b x @c x i32>) -> !array.of<@c x @a x @b x i32> {
  %0 = array.transpose_nd [2, 0, 1] %x
  return %0 : !array.of<@c x @a x @b x i32>
}
// eval: @transpose([[[1, 2, 3], [4, 5, 6]]]) == [[[1, 4]], [[2, 5]], [[3, 6]]]

func.func @transpose_4(%x: !array.of<@a x @b x @c x @d x i32>) -> !array.of<@c x @a x @d x @b x i32> {
  %0 = array.transpose_nd [2, 0, 3, 1] %x
  return %0 : !array.of<@c x @a x @d x @b x i32>
}
// eval: @transpose_4([[[[1, 2, 3]], [[4, 5, 6]]]]) == [[[[1, 4], [2, 5], [3, 6]]]]

func.func @split(%x: !array.of<@n x @m x i32>) -> !array.of<@n / 2 x @m / 3 x 2 x 3 x i32> {
  %0 = array.split_nd [2, 3] %x
  return %0 : !array.of<@n / 2 x @m / 3 x 2 x 3 x i32>
}
// eval: @split([[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]) == [[[[1, 2, 3], [7, 8, 9]], [[4, 5, 6], [10, 11, 12]]]]

// map transpose ∘ slide ∘ map slide
func.func @slide(%x: !array.of<@n x @m x i32>) -> !array.of<(@n - 2) floordiv 2 + 1 x @m - 1 x 2 x 2 x i32> {
  %0 = array.slide_nd [2, 2] by [2, 1] %x
  return %0 : !array.of<(@n - 2) floordiv 2 + 1 x @m - 1 x 2 x 2 x i32>
}
// eval: @slide([[1, 2, 3], [4, 5, 6]]) == [[[[1, 2], [4, 5]], [[2, 3], [5, 6]]]]

func.func @slide_strict(%x: !array.of<@n x @m x i32>) -> !array.of<(@n - 2) / 2 + 1 x @m - 1 x 2 x 2 x i32> {
  %0 = array.slide_nd strict [2, 2] by [2, 1] %x
  return %0 : !array.of<(@n - 2) / 2 + 1 x @m - 1 x 2 x 2 x i32>
}
// eval: @slide_strict([[1, 2, 3], [4, 5, 6]]) == [[[[1, 2], [4, 5]], [[2, 3], [5, 6]]]]
// eval: @slide_strict([[1, 2, 3], [4, 5, 6], [7, 8, 9]]) == trap

func.func @slide_3(%x: !array.of<2 x 2 x 3 x i32>) -> !array.of<1 x 2 x 2 x 2 x 1 x 2 x i32> {
  %0 = array.slide_nd [2, 1, 2] by [1, 1, 1] %x
  return %0 : !array.of<1 x 2 x 2 x 2 x 1 x 2 x i32>
}
// eval: @slide_3([[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]) == [[[[[[1, 2]], [[7, 8]]], [[[2, 3]], [[8, 9]]]], [[[[4, 5]], [[10, 11]]], [[[5, 6]], [[11, 12]]]]]]

func.func @pad(%x: !array.of<@n x @m x i32>, %z: i32) -> !array.of<@n + 1 x @m + 3 x i32> {
  %0 = array.pad_nd [(1, 0), (1, 2)] value %z %x
  return %0 : !array.of<@n + 1 x @m + 3 x i32>
}
// eval: @pad([[1, 2], [3, 4]], 0) == [[0, 0, 0, 0, 0], [0, 1, 2, 0, 0], [0, 3, 4, 0, 0]]

func.func @clamp(%x: !array.of<@n x @m x i32>) -> !array.of<@n + 1 x @m + 2 x i32> {
  %0 = array.pad_nd [(1, 0), (1, 1)] clamp %x
  return %0 : !array.of<@n + 1 x @m + 2 x i32>
}
// eval: @clamp([[1, 2], [3, 4]]) == [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4]]

func.func @crop(%x: !array.of<@n + 1 x @m + 2 x i32>) -> !array.of<@n x @m x i32> {
  %0 = array.crop_nd [(1, 0), (1, 1)] %x
  return %0 : !array.of<@n x @m x i32>
}
// eval: @crop([[1, 2, 3, 4], [5, 6, 7, 8]]) == [[6, 7]]

func.func @parts(%x: !array.of<@n + 3 x i32>) -> (!array.of<@n x i32>, !array.of<3 x i32>, !array.of<@n + 2 x i32>) {
  %0 = array.crop 1, 2 %x
  %1 = array.take 3 %x
  %2 = array.drop 1 %x
  return %0, %1, %2 : !array.of<@n x i32>, !array.of<3 x i32>, !array.of<@n + 2 x i32>
}
// eval: @parts([1, 2, 3, 4]) == ([2], [1, 2, 3], [2, 3, 4])

func.func @map(%x: !array.of<@n x @m x i32>, %c: i32) -> !array.of<@n x @m x i32> {
  %0 = array.map_nd 2 %x : block.x, thread.x as %a {
    %1 = arith.addi %a, %c : i32
    array.yield %1
  }
  return %0 : !array.of<@n x @m x i32>
}
// eval: @map([[1, 2], [3, 4]], 10) == [[11, 12], [13, 14]]

// Macros in macros; tuples come apart.
func.func @map_of_zip(%x: !array.of<@n x @m x i32>, %y: !array.of<@n x @m x i32>) -> !array.of<@n x @m x i32> {
  %0 = array.zip_nd 2 %x, %y
  %1 = array.map_nd 2 %0 as %a, %b {
    %2 = array.let %a as %p {
      %3 = arith.muli %p, %b : i32
      array.yield %3
    }
    array.yield %2
  }
  return %1 : !array.of<@n x @m x i32>
}
// eval: @map_of_zip([[1, 2], [3, 4]], [[10, 20], [30, 40]]) == [[10, 40], [90, 160]]

func.func @map2(%x: !array.of<@n x i32>, %y: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.map2 %x, %y : thread.x as %a, %b {
    %1 = arith.subi %a, %b : i32
    array.yield %1
  }
  return %0 : !array.of<@n x i32>
}
// eval: @map2([5, 6], [1, 2]) == [4, 4]

func.func @reduce(%x: !array.of<@n x @m x i32>, %z: i32) -> i32 {
  %0 = array.reduce_nd 2 add init %z source : seq %x as %a {
    array.yield %a
  }
  return %0 : i32
}
// eval: @reduce([[1, 2], [3, 4]], 100) == 110
// eval: @reduce([], 100) == 100

func.func @dot(%x: !array.of<@n x i32>, %y: !array.of<@n x i32>, %z: i32) -> (i32, i32) {
  %0 = array.dot %x, %y
  %1 = array.dot init %z free : seq %x, %y
  return %0, %1 : i32, i32
}
// eval: @dot([1, 2], [3, 4], 100) == (11, 111)

// A value in memory; a tuple comes apart, and several results make one.
func.func @let(%x: tuple<i32, i1>) -> tuple<i1, i32> {
  %0 = array.let %x as %a, %b {
    array.yield %b, %a
  }
  %1 = array.let "local" %0 as %c, %d {
    array.yield %c, %d
  }
  return %1 : tuple<i1, i32>
}
// eval: @let([7, true]) == [true, 7]
