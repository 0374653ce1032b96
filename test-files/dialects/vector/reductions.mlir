// test: opt --pipeline="func.func(canonicalize)"

func.func @rows(%v: vector<6xi32>, %acc: vector<2xi32>) -> vector<2xi32> {
  %a = vector.shape_cast %v : vector<6xi32> to vector<2x3xi32>
  %r = vector.multi_reduction <add>, %a, %acc [1] : vector<2x3xi32> to vector<2xi32>
  return %r : vector<2xi32>
}
// eval: @rows([1, 2, 3, 4, 5, 6], [10, 20]) == [16, 35]

func.func @all(%v: vector<6xi32>, %acc: i32) -> i32 {
  %a = vector.shape_cast %v : vector<6xi32> to vector<2x3xi32>
  %r = vector.multi_reduction <maxsi>, %a, %acc [0, 1] : vector<2x3xi32> to i32
  return %r : i32
}
// eval: @all([1, 2, 3, -4, 5, -6], 4) == 5

func.func @outer(%a: vector<2xi32>, %b: vector<3xi32>) -> vector<2x3xi32> {
  %acc = arith.constant dense<[[1, 1, 1], [2, 2, 2]]> : vector<2x3xi32>
  %r = vector.outerproduct %a, %b, %acc : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
// eval: @outer([1, 2], [3, 4, 5]) == [4, 5, 6, 8, 10, 12]

func.func @scaled(%a: vector<2xf32>, %x: f32, %acc: vector<2xf32>) -> vector<2xf32> {
  %p = vector.outerproduct %a, %x : vector<2xf32>, f32
  %r = vector.outerproduct %p, %x, %acc {kind = #vector.kind<maxnumf>} : vector<2xf32>, f32
  return %r : vector<2xf32>
}
// eval: @scaled([1.0, 2.0], 2.0, [5.0, 5.0]) == [5.0, 8.0]
