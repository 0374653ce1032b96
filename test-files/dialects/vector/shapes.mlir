// test: opt --pipeline="func.func(canonicalize)"

func.func @undone(%v: vector<2x4xf32>, %x: vector<4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<4xf32>) {
  %t = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %a = vector.transpose %t, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  %s = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
  %b = vector.shape_cast %s : vector<8xf32> to vector<2x4xf32>
  %c = vector.shuffle %v, %a [2, 3] : vector<2x4xf32>, vector<2x4xf32>
  %d = vector.shuffle %x, %x [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  return %a, %b, %c, %d : vector<2x4xf32>, vector<2x4xf32>, vector<2x4xf32>, vector<4xf32>
}
// check: func.func @undone
// next: return %v, %v, %v, %x

func.func @constants() -> (vector<3xf32>, vector<2x2xi32>, vector<2x3xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %d = arith.constant dense<[4.0, 5.0]> : vector<2xf32>
  %a = vector.shuffle %c, %d [0, 4, 2] : vector<3xf32>, vector<2xf32>
  %e = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %b = vector.shape_cast %e : vector<4xi32> to vector<2x2xi32>
  %f = arith.constant dense<2.0> : vector<3x2xf32>
  %g = vector.transpose %f, [1, 0] : vector<3x2xf32> to vector<2x3xf32>
  return %a, %b, %g : vector<3xf32>, vector<2x2xi32>, vector<2x3xf32>
}
// check: func.func @constants
// check: arith.constant dense<2.000000e+00> : vector<2x3xf32>

func.func @transpose(%v: vector<6xi32>) -> vector<3x2xi32> {
  %a = vector.shape_cast %v : vector<6xi32> to vector<2x3xi32>
  %b = vector.transpose %a, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  return %b : vector<3x2xi32>
}
// eval: @transpose([1, 2, 3, 4, 5, 6]) == [1, 4, 2, 5, 3, 6]

func.func @rotate(%v: vector<6xi32>) -> vector<6xi32> {
  %a = vector.shape_cast %v : vector<6xi32> to vector<1x2x3xi32>
  %b = vector.transpose %a, [2, 0, 1] : vector<1x2x3xi32> to vector<3x1x2xi32>
  %c = vector.shape_cast %b : vector<3x1x2xi32> to vector<6xi32>
  return %c : vector<6xi32>
}
// eval: @rotate([1, 2, 3, 4, 5, 6]) == [1, 4, 2, 5, 3, 6]

func.func @shuffle(%a: vector<2xi32>, %b: vector<3xi32>) -> vector<4xi32> {
  %r = vector.shuffle %a, %b [4, 0, 2, 1] : vector<2xi32>, vector<3xi32>
  return %r : vector<4xi32>
}
// eval: @shuffle([1, 2], [3, 4, 5]) == [5, 1, 3, 2]
