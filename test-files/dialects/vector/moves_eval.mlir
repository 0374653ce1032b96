// Elements that change places: transposed, shuffled, cut out, put in, one rank to another.
// test: opt --pipeline="func.func(canonicalize)"

func.func @transposed(%v: vector<2x3xi32>) -> vector<3x2xi32> {
  %r = vector.transpose %v, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  return %r : vector<3x2xi32>
}
// eval: @transposed([1, 2, 3, 4, 5, 6]) == [1, 4, 2, 5, 3, 6]

func.func @turned(%v: vector<2x1x3xi32>) -> (vector<3x2x1xi32>, vector<1x3x2xi32>) {
  %r = vector.transpose %v, [2, 0, 1] : vector<2x1x3xi32> to vector<3x2x1xi32>
  %s = vector.transpose %v, [1, 2, 0] : vector<2x1x3xi32> to vector<1x3x2xi32>
  return %r, %s : vector<3x2x1xi32>, vector<1x3x2xi32>
}
// eval: @turned([1, 2, 3, 4, 5, 6]) == ([1, 4, 2, 5, 3, 6], [1, 4, 2, 5, 3, 6])

// Three times round is where it was.
func.func @round(%v: vector<2x3x1xi32>) -> vector<2x3x1xi32> {
  %a = vector.transpose %v, [1, 2, 0] : vector<2x3x1xi32> to vector<3x1x2xi32>
  %b = vector.transpose %a, [1, 2, 0] : vector<3x1x2xi32> to vector<1x2x3xi32>
  %c = vector.transpose %b, [1, 2, 0] : vector<1x2x3xi32> to vector<2x3x1xi32>
  return %c : vector<2x3x1xi32>
}
// check: func.func @round(%v: vector<2x3x1xi32>)
// next: return %v
// eval: @round([6, 5, 4, 3, 2, 1]) == [6, 5, 4, 3, 2, 1]

func.func @shuffled(%a: vector<3xi32>, %b: vector<2xi32>) -> (vector<5xi32>, vector<1xi32>, vector<4xi32>) {
  %r = vector.shuffle %a, %b [4, 3, 2, 1, 0] : vector<3xi32>, vector<2xi32>
  %s = vector.shuffle %a, %b [3] : vector<3xi32>, vector<2xi32>
  %t = vector.shuffle %a, %b [0, 0, -1, 4] : vector<3xi32>, vector<2xi32>
  return %r, %s, %t : vector<5xi32>, vector<1xi32>, vector<4xi32>
}
// eval: @shuffled([1, 2, 3], [4, 5]) == ([5, 4, 3, 2, 1], [4], [1, 1, poison, 5])

// Whole rows are shuffled, not elements.
func.func @shuffled_rows(%a: vector<2x2xi32>, %b: vector<1x2xi32>) -> vector<3x2xi32> {
  %r = vector.shuffle %a, %b [2, 1, 0] : vector<2x2xi32>, vector<1x2xi32>
  return %r : vector<3x2xi32>
}
// eval: @shuffled_rows([1, 2, 3, 4], [5, 6]) == [5, 6, 3, 4, 1, 2]

func.func @taken(%v: vector<2x3xi32>, %i: index, %j: index) -> (i32, vector<3xi32>, i32) {
  %r = vector.extract %v[1, 2] : i32 from vector<2x3xi32>
  %s = vector.extract %v[0] : vector<3xi32> from vector<2x3xi32>
  %t = vector.extract %v[%i, %j] : i32 from vector<2x3xi32>
  return %r, %s, %t : i32, vector<3xi32>, i32
}
// eval: @taken([1, 2, 3, 4, 5, 6], 0, 0) == (6, [1, 2, 3], 1)
// eval: @taken([1, 2, 3, 4, 5, 6], 1, 1) == (6, [1, 2, 3], 5)

func.func @put(%v: vector<2x2xi32>, %x: i32, %w: vector<2xi32>, %i: index) -> (vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>) {
  %r = vector.insert %x, %v [1, 0] : i32 into vector<2x2xi32>
  %s = vector.insert %w, %v [0] : vector<2xi32> into vector<2x2xi32>
  %t = vector.insert %x, %v [%i, %i] : i32 into vector<2x2xi32>
  return %r, %s, %t : vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>
}
// eval: @put([1, 2, 3, 4], 9, [7, 8], 0) == ([1, 2, 9, 4], [7, 8, 3, 4], [9, 2, 3, 4])
// eval: @put([1, 2, 3, 4], 9, [7, 8], 1) == ([1, 2, 9, 4], [7, 8, 3, 4], [1, 2, 3, 9])

// A box cut out of the middle, and put back elsewhere.
func.func @box(%v: vector<3x4xi32>) -> (vector<2x2xi32>, vector<3x4xi32>) {
  %r = vector.extract_strided_slice %v {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<3x4xi32> to vector<2x2xi32>
  %s = vector.insert_strided_slice %r, %v {offsets = [0, 2], strides = [1, 1]} : vector<2x2xi32> into vector<3x4xi32>
  return %r, %s : vector<2x2xi32>, vector<3x4xi32>
}
// eval: @box([0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23]) == ([11, 12, 21, 22], [0, 1, 11, 12, 10, 11, 21, 22, 20, 21, 22, 23])

func.func @rows_only(%v: vector<3x2xi32>) -> vector<1x2xi32> {
  %r = vector.extract_strided_slice %v {offsets = [2], sizes = [1], strides = [1]} : vector<3x2xi32> to vector<1x2xi32>
  return %r : vector<1x2xi32>
}
// eval: @rows_only([1, 2, 3, 4, 5, 6]) == [5, 6]

func.func @broadcast(%x: i32, %v: vector<2xi32>, %w: vector<2x1xi32>) -> (vector<3xi32>, vector<2x2xi32>, vector<2x3xi32>, vector<i32>) {
  %r = vector.broadcast %x : i32 to vector<3xi32>
  %s = vector.broadcast %v : vector<2xi32> to vector<2x2xi32>
  %t = vector.broadcast %w : vector<2x1xi32> to vector<2x3xi32>
  %u = vector.broadcast %x : i32 to vector<i32>
  return %r, %s, %t, %u : vector<3xi32>, vector<2x2xi32>, vector<2x3xi32>, vector<i32>
}
// eval: @broadcast(5, [1, 2], [3, 4]) == ([5, 5, 5], [1, 2, 1, 2], [3, 3, 3, 4, 4, 4], [5])

func.func @by_turns(%a: vector<2xi32>, %b: vector<2xi32>) -> (vector<4xi32>, vector<2xi32>, vector<2xi32>) {
  %r = vector.interleave %a, %b : vector<2xi32> -> vector<4xi32>
  %e, %o = vector.deinterleave %r : vector<4xi32> -> vector<2xi32>
  return %r, %e, %o : vector<4xi32>, vector<2xi32>, vector<2xi32>
}
// eval: @by_turns([1, 2], [3, 4]) == ([1, 3, 2, 4], [1, 2], [3, 4])

// Only the last dimension is laid by turns.
func.func @by_turns_in_rows(%a: vector<2x1xi32>, %b: vector<2x1xi32>) -> vector<2x2xi32> {
  %r = vector.interleave %a, %b : vector<2x1xi32> -> vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @by_turns_in_rows([1, 2], [3, 4]) == [1, 3, 2, 4]

func.func @reshaped(%v: vector<2x3xi32>) -> (vector<6xi32>, vector<3x2xi32>, vector<1x6x1xi32>) {
  %r = vector.shape_cast %v : vector<2x3xi32> to vector<6xi32>
  %s = vector.shape_cast %v : vector<2x3xi32> to vector<3x2xi32>
  %t = vector.shape_cast %v : vector<2x3xi32> to vector<1x6x1xi32>
  return %r, %s, %t : vector<6xi32>, vector<3x2xi32>, vector<1x6x1xi32>
}
// eval: @reshaped([1, 2, 3, 4, 5, 6]) == ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])

// The low half comes first.
func.func @bits(%v: vector<2xi32>, %w: vector<4xi8>) -> (vector<8xi8>, vector<1xi64>, vector<2xi16>) {
  %r = vector.bitcast %v : vector<2xi32> to vector<8xi8>
  %s = vector.bitcast %v : vector<2xi32> to vector<1xi64>
  %t = vector.bitcast %w : vector<4xi8> to vector<2xi16>
  return %r, %s, %t : vector<8xi8>, vector<1xi64>, vector<2xi16>
}
// eval: @bits([1, 0], [1, 0, 0, 1]) == ([1, 0, 0, 0, 0, 0, 0, 0], [1], [1, 256])
// eval: @bits([-1, 0], [-1, -1, 0, 0]) == ([-1, -1, -1, -1, 0, 0, 0, 0], [4294967295], [-1, 0])
// eval: @bits([0, 1], [0, -128, 1, 2]) == ([0, 0, 0, 0, 1, 0, 0, 0], [4294967296], [-32768, 513])
