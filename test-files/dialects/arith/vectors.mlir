// test: opt --pipeline="func.func(canonicalize)"

// Every kind of op works element by element.
func.func @ints(%a: vector<3xi32>, %b: vector<3xi32>) -> (vector<3xi32>, vector<3xi32>, vector<3xi1>) {
  %s = arith.addi %a, %b : vector<3xi32>
  %m = arith.maxsi %a, %b : vector<3xi32>
  %c = arith.cmpi slt, %a, %b : vector<3xi32>
  return %s, %m, %c : vector<3xi32>, vector<3xi32>, vector<3xi1>
}
// eval: @ints([1, -2, 3], [3, 2, -1]) == [4, 0, 2], [3, 2, 3], [1, 1, 0]

func.func @floats(%a: vector<2xf32>, %b: vector<2xf32>) -> (vector<2xf32>, vector<2xi1>, vector<2xf32>) {
  %s = arith.mulf %a, %b : vector<2xf32>
  %c = arith.cmpf ogt, %a, %b : vector<2xf32>
  %n = arith.negf %a : vector<2xf32>
  return %s, %c, %n : vector<2xf32>, vector<2xi1>, vector<2xf32>
}
// eval: @floats([1.5, 2.0], [2.0, 0.5]) == [3.0, 1.0], [0, 1], [-1.5, -2.0]

// A vector of conditions chooses elements, one condition the whole.
func.func @select(%c: vector<2xi1>, %one: i1, %a: vector<2xi32>, %b: vector<2xi32>) -> (vector<2xi32>, vector<2xi32>) {
  %r = arith.select %c, %a, %b : vector<2xi1>, vector<2xi32>
  %s = arith.select %one, %a, %b : vector<2xi32>
  return %r, %s : vector<2xi32>, vector<2xi32>
}
// eval: @select([true, false], false, [1, 2], [3, 4]) == [1, 4], [3, 4]

func.func @casts(%a: vector<2xi8>, %f: vector<2xf32>) -> (vector<2xi32>, vector<2xindex>, vector<2xi16>, vector<2xf64>, vector<2xi32>) {
  %e = arith.extsi %a : vector<2xi8> to vector<2xi32>
  %i = arith.index_cast %e : vector<2xi32> to vector<2xindex>
  %t = arith.trunci %e : vector<2xi32> to vector<2xi16>
  %d = arith.extf %f : vector<2xf32> to vector<2xf64>
  %k = arith.fptosi %f : vector<2xf32> to vector<2xi32>
  return %e, %i, %t, %d, %k : vector<2xi32>, vector<2xindex>, vector<2xi16>, vector<2xf64>, vector<2xi32>
}
// eval: @casts([-1, 5], [2.5, -3.5]) == [-1, 5], [-1, 5], [-1, 5], [2.5, -3.5], [2, -3]

func.func @extended(%a: vector<2xi8>, %b: vector<2xi8>) -> (vector<2xi8>, vector<2xi1>, vector<2xi8>, vector<2xi8>) {
  %s, %c = arith.addui_extended %a, %b : vector<2xi8>, vector<2xi1>
  %l, %h = arith.mulsi_extended %a, %b : vector<2xi8>
  return %s, %c, %l, %h : vector<2xi8>, vector<2xi1>, vector<2xi8>, vector<2xi8>
}
// eval: @extended([-1, 100], [2, 2]) == [1, 102], [1, 0], [-2, -56], [-1, 0]

func.func @math(%a: vector<2xf64>, %b: vector<2xi32>) -> (vector<2xf64>, vector<2xi32>, vector<2xf64>, vector<2xi1>) {
  %q = math.sqrt %a : vector<2xf64>
  %c = math.ctpop %b : vector<2xi32>
  %f = math.fma %a, %a, %a : vector<2xf64>
  %n = math.isnan %a : vector<2xf64>
  return %q, %c, %f, %n : vector<2xf64>, vector<2xi32>, vector<2xf64>, vector<2xi1>
}
// eval: @math([4.0, 9.0], [7, 8]) == [2.0, 3.0], [3, 1], [20.0, 90.0], [0, 0]

func.func @rows(%a: vector<2x2xi32>) -> vector<2x2xi32> {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %r = arith.shli %a, %c : vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// eval: @rows([1, 1, 1, 1]) == [2, 4, 8, 16]

// Division traps where one element does.
func.func @divide(%a: vector<2xi32>, %b: vector<2xi32>) -> vector<2xi32> {
  %r = arith.divsi %a, %b : vector<2xi32>
  return %r : vector<2xi32>
}
// eval: @divide([7, -7], [2, 2]) == [3, -3]
// eval: @divide([7, -7], [2, 0]) == trap E0301
