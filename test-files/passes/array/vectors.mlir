// test: opt --pipeline='func.func(array-rewrite{strategy="vectorizeMaps(4)"})'
// rule: vectorize

// Maps of functions of numbers, wherever they stand; where 4 does not divide the size they stay.
func.func @maps(%x: !array.of<2 x 4 x f32>, %y: !array.of<3 x f32>, %k: f32) -> (!array.of<2 x 4 x f32>, !array.of<3 x f32>) {
  %0 = array.map "rows" %x as %row {
    %1 = array.map "elements" %row as %a {
      %2 = arith.mulf %a, %k : f32
      array.yield %2
    }
    array.yield %1
  }
  %3 = array.map "three" %y as %a {
    %4 = arith.addf %a, %k : f32
    array.yield %4
  }
  return %0, %3 : !array.of<2 x 4 x f32>, !array.of<3 x f32>
}
// check: func.func @maps
// next: %0 = array.map "rows" %x as %row {
// next: %2 = array.as_vector 4 %row
// next: %3 = array.map "elements" %2 as %arg0 {
// next: %5 = vector.broadcast %k : f32 to vector<4xf32>
// next: %6 = arith.mulf %arg0, %5 : vector<4xf32>
// next: array.yield %6
// next: }
// next: %4 = array.as_scalar %3
// next: array.yield %4
// next: }
// next: %1 = array.map "three" %y as %a {
// next: %2 = arith.addf %a, %k : f32
// next: array.yield %2
// next: }
// next: return %0, %1 : !array.of<2 x 4 x f32>, !array.of<3 x f32>
// next: }
// eval: @maps([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], [1.0, 2.0, 3.0], 2.0) == ([[2.0, 4.0, 6.0, 8.0], [10.0, 12.0, 14.0, 16.0]], [3.0, 4.0, 5.0])
