// Elements taken from what was just put together are the elements themselves, wherever they were put.
// test: opt --pipeline="func.func(canonicalize)"
// rule: extract_of_extract, extract_of_from_elements, extract_of_broadcast, extract_of_shuffle, extract_of_transpose
// rule: extract_of_shape_cast, extract_beside_insert, extract_of_strided_slice, transpose_of_transpose
// rule: shape_cast_of_shape_cast, broadcast_of_broadcast, from_elements_of_one_value, reduction_of_one_element

func.func @in_two_steps(%v: vector<2x3xi32>) -> i32 {
  %row = vector.extract %v[1] : vector<3xi32> from vector<2x3xi32>
  %x = vector.extract %row[2] : i32 from vector<3xi32>
  return %x : i32
}
// check: func.func @in_two_steps
// next: vector.extract %v[1, 2]
// next: return
// eval: @in_two_steps([1, 2, 3, 4, 5, 6]) == 6

func.func @from_elements(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) {
  %v = vector.from_elements %a, %b, %c, %d : vector<2x2xi32>
  %x = vector.extract %v[0, 1] : i32 from vector<2x2xi32>
  %y = vector.extract %v[1, 0] : i32 from vector<2x2xi32>
  return %x, %y : i32, i32
}
// check: func.func @from_elements
// next: return %b, %c
// eval: @from_elements(1, 2, 3, 4) == (2, 3)

func.func @broadcast(%x: i32, %row: vector<3xi32>) -> (i32, i32) {
  %v = vector.broadcast %x : i32 to vector<2x3xi32>
  %w = vector.broadcast %row : vector<3xi32> to vector<2x3xi32>
  %p = vector.extract %v[1, 2] : i32 from vector<2x3xi32>
  %q = vector.extract %w[1, 2] : i32 from vector<2x3xi32>
  return %p, %q : i32, i32
}
// check: func.func @broadcast
// next: vector.extract %row[2]
// next: return %x,
// eval: @broadcast(7, [1, 2, 3]) == (7, 3)

// From the second vector, and poison where nothing was chosen.
func.func @shuffle(%a: vector<2xi32>, %b: vector<2xi32>) -> (i32, i32) {
  %v = vector.shuffle %a, %b [3, 0, 1] : vector<2xi32>, vector<2xi32>
  %x = vector.extract %v[0] : i32 from vector<3xi32>
  %y = vector.extract %v[2] : i32 from vector<3xi32>
  return %x, %y : i32, i32
}
// check: func.func @shuffle
// not: vector.shuffle
// check: return
// eval: @shuffle([1, 2], [3, 4]) == (4, 2)

func.func @transpose(%v: vector<2x3x4xi32>) -> i32 {
  %t = vector.transpose %v, [2, 0, 1] : vector<2x3x4xi32> to vector<4x2x3xi32>
  %x = vector.extract %t[3, 1, 0] : i32 from vector<4x2x3xi32>
  return %x : i32
}
// check: func.func @transpose
// next: vector.extract %v[1, 0, 3]
// next: return
// eval: @transpose([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]) == 15

func.func @shape_cast(%v: vector<2x3xi32>) -> i32 {
  %t = vector.shape_cast %v : vector<2x3xi32> to vector<3x2xi32>
  %x = vector.extract %t[1, 1] : i32 from vector<3x2xi32>
  return %x : i32
}
// check: func.func @shape_cast
// next: vector.extract %v[1, 0]
// next: return
// eval: @shape_cast([1, 2, 3, 4, 5, 6]) == 4

// Beside what was put in, the vector from before; at the place itself, the new element.
func.func @insert(%v: vector<4xi32>, %x: i32) -> (i32, i32) {
  %w = vector.insert %x, %v [1] : i32 into vector<4xi32>
  %p = vector.extract %w[2] : i32 from vector<4xi32>
  %q = vector.extract %w[1] : i32 from vector<4xi32>
  return %p, %q : i32, i32
}
// check: func.func @insert
// next: vector.extract %v[2]
// next: return %p, %x
// eval: @insert([1, 2, 3, 4], 9) == (3, 9)

func.func @slice(%v: vector<5xi32>) -> i32 {
  %s = vector.extract_strided_slice %v {offsets = [2], sizes = [3], strides = [1]} : vector<5xi32> to vector<3xi32>
  %x = vector.extract %s[1] : i32 from vector<3xi32>
  return %x : i32
}
// check: func.func @slice
// next: vector.extract %v[3]
// next: return
// eval: @slice([1, 2, 3, 4, 5]) == 4

func.func @back(%v: vector<2x3xi32>) -> (vector<2x3xi32>, vector<2x3xi32>) {
  %a = vector.transpose %v, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %b = vector.transpose %a, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  %c = vector.shape_cast %v : vector<2x3xi32> to vector<6xi32>
  %d = vector.shape_cast %c : vector<6xi32> to vector<2x3xi32>
  return %b, %d : vector<2x3xi32>, vector<2x3xi32>
}
// check: func.func @back(%v: vector<2x3xi32>)
// next: return %v, %v
// eval: @back([1, 2, 3, 4, 5, 6]) == ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])

// Two permutations are one.
func.func @permuted_twice(%v: vector<1x2x3xi32>) -> vector<2x1x3xi32> {
  %a = vector.transpose %v, [2, 0, 1] : vector<1x2x3xi32> to vector<3x1x2xi32>
  %b = vector.transpose %a, [2, 1, 0] : vector<3x1x2xi32> to vector<2x1x3xi32>
  return %b : vector<2x1x3xi32>
}
// check: func.func @permuted_twice
// next: vector.transpose %v, [1, 0, 2]
// next: return
// eval: @permuted_twice([1, 2, 3, 4, 5, 6]) == [1, 2, 3, 4, 5, 6]

// Two casts are one, whatever shape lies in between.
func.func @cast_twice(%v: vector<2x6xi32>) -> vector<3x4xi32> {
  %a = vector.shape_cast %v : vector<2x6xi32> to vector<12xi32>
  %b = vector.shape_cast %a : vector<12xi32> to vector<3x4xi32>
  return %b : vector<3x4xi32>
}
// check: func.func @cast_twice
// next: vector.shape_cast %v : vector<2x6xi32> to vector<3x4xi32>
// next: return
// eval: @cast_twice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

// One size in between: the cast through a transposed shape is not the transposition.
func.func @not_back(%v: vector<2x3xi32>) -> vector<2x3xi32> {
  %a = vector.transpose %v, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %b = vector.shape_cast %a : vector<3x2xi32> to vector<2x3xi32>
  return %b : vector<2x3xi32>
}
// check: func.func @not_back
// check: vector.transpose
// check: vector.shape_cast
// eval: @not_back([1, 2, 3, 4, 5, 6]) == [1, 4, 2, 5, 3, 6]

func.func @wider(%x: i32) -> vector<2x2x3xi32> {
  %a = vector.broadcast %x : i32 to vector<3xi32>
  %b = vector.broadcast %a : vector<3xi32> to vector<2x2x3xi32>
  return %b : vector<2x2x3xi32>
}
// check: func.func @wider
// next: vector.broadcast %x : i32 to vector<2x2x3xi32>
// next: return
// eval: @wider(4) == [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]

func.func @one_value(%x: i32) -> vector<3xi32> {
  %a = vector.from_elements %x, %x, %x : vector<3xi32>
  return %a : vector<3xi32>
}
// check: func.func @one_value
// next: vector.broadcast %x : i32 to vector<3xi32>
// eval: @one_value(-1) == [-1, -1, -1]

func.func @one_element(%v: vector<1xi32>) -> i32 {
  %a = vector.reduction <add>, %v : vector<1xi32> into i32
  return %a : i32
}
// check: func.func @one_element
// next: vector.extract %v[0]
// next: return
// eval: @one_element([5]) == 5

// Behind an accumulator there is something to combine.
func.func @one_element_more(%v: vector<1xi32>, %x: i32) -> i32 {
  %b = vector.reduction <minsi>, %v, %x : vector<1xi32> into i32
  return %b : i32
}
// eval: @one_element_more([5], 3) == 3
// eval: @one_element_more([-5], 3) == -5
