// test: round-trip
// Layouts of odd, prime, one-sized and empty arrays, of every kind of element.

func.func @split_prime(%x: !array.of<7 x i32>) -> !array.of<1 x 7 x i32> {
  %0 = array.split 7 %x
  return %0 : !array.of<1 x 7 x i32>
}
// eval: @split_prime([1, 2, 3, 4, 5, 6, 7]) == [[1, 2, 3, 4, 5, 6, 7]]

func.func @split_by_one(%x: !array.of<@rows x i8>) -> !array.of<@rows x 1 x i8> {
  %0 = array.split 1 %x
  return %0 : !array.of<@rows x 1 x i8>
}
// eval: @split_by_one([1, -2, 127]) == [[1], [-2], [127]]
// eval: @split_by_one([]) == []

func.func @split_empty(%x: !array.of<5 * @m x i32>) -> !array.of<@m x 5 x i32> {
  %0 = array.split 5 %x
  return %0 : !array.of<@m x 5 x i32>
}
// eval: @split_empty([]) == []
// eval: @split_empty([1, 2, 3, 4, 5]) == [[1, 2, 3, 4, 5]]
// eval: @split_empty([1, 2, 3]) == trap E0308 "3 elements are no whole number of parts of 5"

func.func @join_three(%x: !array.of<@a x @b x @c x i1>) -> !array.of<@a * @b * @c x i1> {
  %0 = array.join %x
  %1 = array.join %0
  return %1 : !array.of<@a * @b * @c x i1>
}
// eval: @join_three([[[true, false]], [[false, false]], [[true, true]]]) == [true, false, false, false, true, true]

// From within or from without: the order of two joins does not matter.
func.func @join_inner_first(%x: !array.of<@a x @b x @c x i32>) -> !array.of<@a * @b * @c x i32> {
  %0 = array.map %x as %plane {
    %1 = array.join %plane
    array.yield %1
  }
  %2 = array.join %0
  return %2 : !array.of<@a * @b * @c x i32>
}
// eval: @join_inner_first([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]) == [1, 2, 3, 4, 5, 6, 7, 8]

func.func @transpose_twice(%x: !array.of<@height x @width x f16>) -> !array.of<@height x @width x f16> {
  %0 = array.transpose %x
  %1 = array.transpose %0
  return %1 : !array.of<@height x @width x f16>
}
// eval: @transpose_twice([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]

func.func @transpose_line(%x: !array.of<1 x @n x i32>) -> !array.of<@n x 1 x i32> {
  %0 = array.transpose %x
  return %0 : !array.of<@n x 1 x i32>
}
// eval: @transpose_line([[1, 2, 3]]) == [[1], [2], [3]]

// The two outermost dimensions change places, others go along.
func.func @transpose_planes(%x: !array.of<2 x 3 x 2 x i32>) -> !array.of<3 x 2 x 2 x i32> {
  %0 = array.transpose %x
  return %0 : !array.of<3 x 2 x 2 x i32>
}
// eval: @transpose_planes([[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]) == [[[1, 2], [7, 8]], [[3, 4], [9, 10]], [[5, 6], [11, 12]]]

func.func @window_of_all(%x: !array.of<5 x i32>) -> !array.of<1 x 5 x i32> {
  %0 = array.slide 5 by 3 %x
  return %0 : !array.of<1 x 5 x i32>
}
// eval: @window_of_all([1, 2, 3, 4, 5]) == [[1, 2, 3, 4, 5]]

// Steps larger than windows leave elements out.
func.func @gaps(%x: !array.of<8 x i32>) -> !array.of<3 x 2 x i32> {
  %0 = array.slide 2 by 3 %x
  return %0 : !array.of<3 x 2 x i32>
}
// eval: @gaps([1, 2, 3, 4, 5, 6, 7, 8]) == [[1, 2], [4, 5], [7, 8]]

// A slide that need not come out even leaves the tail out; a strict one is refused.
func.func @tail(%x: !array.of<@n x i32>) -> !array.of<(@n - 2) floordiv 3 + 1 x 2 x i32> {
  %0 = array.slide 2 by 3 %x
  return %0 : !array.of<(@n - 2) floordiv 3 + 1 x 2 x i32>
}
// eval: @tail([1, 2, 3, 4, 5, 6]) == [[1, 2], [4, 5]]
// eval: @tail([1, 2]) == [[1, 2]]
// eval: @tail([1]) == trap

func.func @strict_tail(%x: !array.of<@n x i32>) -> !array.of<(@n - 2) / 3 + 1 x 2 x i32> {
  %0 = array.slide strict 2 by 3 %x
  return %0 : !array.of<(@n - 2) / 3 + 1 x 2 x i32>
}
// eval: @strict_tail([1, 2, 3, 4, 5]) == [[1, 2], [4, 5]]
// eval: @strict_tail([1, 2, 3, 4, 5, 6]) == trap

// Windows of one element are the elements.
func.func @windows_of_one(%x: !array.of<@n + 1 x i32>) -> !array.of<@n + 1 x 1 x i32> {
  %0 = array.slide 1 by 1 %x
  return %0 : !array.of<@n + 1 x 1 x i32>
}
// eval: @windows_of_one([4, 5]) == [[4], [5]]

func.func @pad_nothing(%x: !array.of<@n x i32>, %z: i32) -> !array.of<@n x i32> {
  %0 = array.pad 0, 0 value %z %x
  return %0 : !array.of<@n x i32>
}
// eval: @pad_nothing([1, 2], 9) == [1, 2]

func.func @pad_empty(%x: !array.of<@n x i32>, %z: i32) -> !array.of<@n + 2 x i32> {
  %0 = array.pad 1, 1 value %z %x
  return %0 : !array.of<@n + 2 x i32>
}
// eval: @pad_empty([], 9) == [9, 9]

// Borders on both sides by the nearest element; of one element all are it.
func.func @clamp_one(%x: !array.of<1 x i32>) -> !array.of<4 x i32> {
  %0 = array.pad 1, 2 clamp %x
  return %0 : !array.of<4 x i32>
}
// eval: @clamp_one([7]) == [7, 7, 7, 7]

// Around more than once.
func.func @wrap_around(%x: !array.of<2 x i32>) -> !array.of<7 x i32> {
  %0 = array.pad 3, 2 wrap %x
  return %0 : !array.of<7 x i32>
}
// eval: @wrap_around([1, 2]) == [2, 1, 2, 1, 2, 1, 2]

// A mirror reaches as far as there are elements, and does not repeat the last one.
func.func @mirror_all(%x: !array.of<3 x i32>) -> !array.of<7 x i32> {
  %0 = array.pad 2, 2 mirror %x
  return %0 : !array.of<7 x i32>
}
// eval: @mirror_all([1, 2, 3]) == [3, 2, 1, 2, 3, 2, 1]

func.func @slice_nothing(%x: !array.of<@n x i32>) -> !array.of<0 x i32> {
  %0 = array.slice 0, 0 %x
  return %0 : !array.of<0 x i32>
}
// eval: @slice_nothing([1, 2]) == []

func.func @slice_last(%x: !array.of<@n + 1 x bf16>) -> !array.of<1 x bf16> {
  %0 = array.slice @n, 1 %x
  return %0 : !array.of<1 x bf16>
}
// eval: @slice_last([1.0, 2.0, 3.0]) == [3.0]

func.func @reorder_by_all(%x: !array.of<5 x i32>) -> !array.of<5 x i32> {
  %0 = array.reorder strided 5 %x
  return %0 : !array.of<5 x i32>
}
// eval: @reorder_by_all([1, 2, 3, 4, 5]) == [1, 2, 3, 4, 5]

func.func @reorder_by_one(%x: !array.of<5 x i32>) -> !array.of<5 x i32> {
  %0 = array.reorder strided 1 %x
  return %0 : !array.of<5 x i32>
}
// eval: @reorder_by_one([1, 2, 3, 4, 5]) == [1, 2, 3, 4, 5]

// y[i] = x[i div (n/s) + s · (i mod (n/s))], and the order strided by n/s takes it back.
func.func @there_and_back(%x: !array.of<15 x i32>) -> (!array.of<15 x i32>, !array.of<15 x i32>) {
  %0 = array.reorder strided 3 %x
  %1 = array.reorder strided 5 %0
  return %0, %1 : !array.of<15 x i32>, !array.of<15 x i32>
}
// eval: @there_and_back([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]) == ([0, 3, 6, 9, 12, 1, 4, 7, 10, 13, 2, 5, 8, 11, 14], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])

func.func @concat_empty(%x: !array.of<@n x i32>, %y: !array.of<@m x i32>) -> !array.of<@m + @n x i32> {
  %0 = array.concat %x, %y
  return %0 : !array.of<@m + @n x i32>
}
// eval: @concat_empty([], [1]) == [1]
// eval: @concat_empty([1], []) == [1]
// eval: @concat_empty([], []) == []

func.func @zip_three(%x: !array.of<@n x f64>, %y: !array.of<@n x i8>, %z: !array.of<@n x index>) -> !array.of<@n x tuple<f64, i8, index>> {
  %0 = array.zip %x, %y, %z
  return %0 : !array.of<@n x tuple<f64, i8, index>>
}
// eval: @zip_three([0.5], [-1], [7]) == [[0.5, -1, 7]]

// Of an array of pairs of rows both rows come apart.
func.func @unzip_rows(%x: !array.of<@n x 2 x i32>, %y: !array.of<@n x 3 x i1>) -> (!array.of<@n x 2 x i32>, !array.of<@n x 3 x i1>) {
  %0 = array.zip %x, %y
  %a, %b = array.unzip %0
  return %a, %b : !array.of<@n x 2 x i32>, !array.of<@n x 3 x i1>
}
// eval: @unzip_rows([[1, 2]], [[true, false, true]]) == ([[1, 2]], [[true, false, true]])

func.func @last_of_each(%x: !array.of<@n x 3 x i32>) -> !array.of<@n x i32> {
  %c2 = arith.constant 2 : index
  %0 = array.map %x as %row {
    %1 = array.at %row[%c2]
    array.yield %1
  }
  return %0 : !array.of<@n x i32>
}
// eval: @last_of_each([[1, 2, 3], [4, 5, 6]]) == [3, 6]

func.func @lanes_of_all(%x: !array.of<6 x i32>) -> !array.of<1 x vector<6xi32>> {
  %0 = array.as_vector 6 %x
  return %0 : !array.of<1 x vector<6xi32>>
}
// eval: @lanes_of_all([1, 2, 3, 4, 5, 6]) == [[1, 2, 3, 4, 5, 6]]

// Vectors before the reorder: groups of lanes stay together.
func.func @groups_of_lanes(%x: !array.of<12 x i32>) -> !array.of<12 x i32> {
  %0 = array.as_vector 2 %x
  %1 = array.reorder strided 3 %0
  %2 = array.as_scalar %1
  return %2 : !array.of<12 x i32>
}
// eval: @groups_of_lanes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) == [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]
