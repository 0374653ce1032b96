// test: opt --pipeline="func.func(canonicalize)"

// rule: extract_of_extract
func.func @extract(%v: vector<2x3x4xi32>, %i: index) -> i32 {
  %a = vector.extract %v[%i] : vector<3x4xi32> from vector<2x3x4xi32>
  %b = vector.extract %a[1, %i] : i32 from vector<3x4xi32>
  return %b : i32
}
// check: func.func @extract
// next: %b = vector.extract %v[%i, 1, %i] : i32 from vector<2x3x4xi32>

// A vector that stands for its element is left alone.
func.func @stands_for(%v: vector<4xi32>) -> i32 {
  %a = vector.extract %v[3] : vector<1xi32> from vector<4xi32>
  %b = vector.extract %a[0] : i32 from vector<1xi32>
  return %b : i32
}
// check: func.func @stands_for
// next: %a = vector.extract %v[3]
// next: %b = vector.extract %a[0]

// rule: extract_of_from_elements
func.func @elements(%x: i32, %y: i32) -> i32 {
  %a = vector.from_elements %x, %x, %x, %y : vector<2x2xi32>
  %b = vector.extract %a[1, 1] : i32 from vector<2x2xi32>
  return %b : i32
}
// check: func.func @elements
// next: return %y

// rule: extract_of_broadcast
func.func @repeated(%v: vector<1x4xi32>, %x: i32) -> (vector<4xi32>, vector<2x4xi32>, i32) {
  %a = vector.broadcast %v : vector<1x4xi32> to vector<3x2x4xi32>
  %b = vector.extract %a[2, 1] : vector<4xi32> from vector<3x2x4xi32>
  %c = vector.extract %a[2] : vector<2x4xi32> from vector<3x2x4xi32>
  %d = vector.broadcast %x : i32 to vector<2x2xi32>
  %e = vector.extract %d[1, 1] : i32 from vector<2x2xi32>
  return %b, %c, %e : vector<4xi32>, vector<2x4xi32>, i32
}
// check: func.func @repeated
// next: %b = vector.extract %v[0] : vector<4xi32> from vector<1x4xi32>
// next: %c = vector.broadcast %v : vector<1x4xi32> to vector<2x4xi32>
// next: return %b, %c, %x

// rule: extract_of_shuffle
func.func @shuffled(%a: vector<2xi32>, %b: vector<3xi32>) -> (i32, i32) {
  %s = vector.shuffle %a, %b [4, 0] : vector<2xi32>, vector<3xi32>
  %x = vector.extract %s[0] : i32 from vector<2xi32>
  %y = vector.extract %s[1] : i32 from vector<2xi32>
  return %x, %y : i32, i32
}
// check: func.func @shuffled
// next: %x = vector.extract %b[2] : i32 from vector<3xi32>
// next: %y = vector.extract %a[0] : i32 from vector<2xi32>

// rule: extract_of_transpose, transpose_of_transpose
func.func @transposed(%v: vector<2x3x4xi32>) -> (i32, vector<4xi32>, vector<4x2x3xi32>) {
  %a = vector.transpose %v, [1, 0, 2] : vector<2x3x4xi32> to vector<3x2x4xi32>
  %x = vector.extract %a[2, 1, 3] : i32 from vector<3x2x4xi32>
  %y = vector.extract %a[2, 1] : vector<4xi32> from vector<3x2x4xi32>
  %z = vector.transpose %a, [2, 1, 0] : vector<3x2x4xi32> to vector<4x2x3xi32>
  return %x, %y, %z : i32, vector<4xi32>, vector<4x2x3xi32>
}
// check: func.func @transposed
// next: %x = vector.extract %v[1, 2, 3] : i32 from vector<2x3x4xi32>
// next: %y = vector.extract %v[1, 2] : vector<4xi32> from vector<2x3x4xi32>
// next: %z = vector.transpose %v, [2, 0, 1] : vector<2x3x4xi32> to vector<4x2x3xi32>

// rule: extract_of_shape_cast, shape_cast_of_shape_cast
func.func @cast(%v: vector<2x6xi32>) -> (i32, vector<12xi32>) {
  %a = vector.shape_cast %v : vector<2x6xi32> to vector<3x4xi32>
  %x = vector.extract %a[2, 1] : i32 from vector<3x4xi32>
  %b = vector.shape_cast %a : vector<3x4xi32> to vector<12xi32>
  return %x, %b : i32, vector<12xi32>
}
// check: func.func @cast
// next: %x = vector.extract %v[1, 3] : i32 from vector<2x6xi32>
// next: %b = vector.shape_cast %v : vector<2x6xi32> to vector<12xi32>

// rule: extract_beside_insert, insert_over_insert
func.func @insert(%v: vector<2x2xi32>, %x: i32, %w: vector<2xi32>) -> (i32, vector<2x2xi32>) {
  %a = vector.insert %x, %v [0, 1] : i32 into vector<2x2xi32>
  %b = vector.extract %a[1, 1] : i32 from vector<2x2xi32>
  %c = vector.insert %w, %a [0] : vector<2xi32> into vector<2x2xi32>
  return %b, %c : i32, vector<2x2xi32>
}
// check: func.func @insert
// next: %b = vector.extract %v[1, 1] : i32 from vector<2x2xi32>
// next: %c = vector.insert %w, %v [0] : vector<2xi32> into vector<2x2xi32>

// rule: extract_of_strided_slice
func.func @slice(%v: vector<4x8xi32>) -> i32 {
  %a = vector.extract_strided_slice %v {offsets = [1, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xi32> to vector<2x4xi32>
  %x = vector.extract %a[1, 3] : i32 from vector<2x4xi32>
  return %x : i32
}
// check: func.func @slice
// next: %x = vector.extract %v[2, 5] : i32 from vector<4x8xi32>

// rule: broadcast_of_broadcast, transpose_of_scalar_broadcast, shape_cast_of_scalar_broadcast, from_elements_of_one_value
func.func @splats(%x: i32) -> (vector<2x3xi32>, vector<3x2xi32>, vector<6xi32>, vector<2xi32>) {
  %a = vector.broadcast %x : i32 to vector<3xi32>
  %b = vector.broadcast %a : vector<3xi32> to vector<2x3xi32>
  %c = vector.transpose %b, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %d = vector.shape_cast %b : vector<2x3xi32> to vector<6xi32>
  %e = vector.from_elements %x, %x : vector<2xi32>
  return %b, %c, %d, %e : vector<2x3xi32>, vector<3x2xi32>, vector<6xi32>, vector<2xi32>
}
// check: func.func @splats
// next: %b = vector.broadcast %x : i32 to vector<2x3xi32>
// next: %c = vector.broadcast %x : i32 to vector<3x2xi32>
// next: %d = vector.broadcast %x : i32 to vector<6xi32>
// next: %e = vector.broadcast %x : i32 to vector<2xi32>

// rule: reduction_of_one_element
func.func @reduction(%v: vector<1xi32>) -> i32 {
  %r = vector.reduction <maxsi>, %v : vector<1xi32> into i32
  return %r : i32
}
// check: func.func @reduction
// next: %r = vector.extract %v[0] : i32 from vector<1xi32>
