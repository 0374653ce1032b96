// test: opt --pipeline="func.func(scf-ascending-places,canonicalize)"

// The first of the greatest: equal values need no comparison of places, in the loop and behind it.
func.func @largest(%x: memref<9xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i32
  %eight = arith.constant 8 : i32
  %first = memref.load %x[%c0] : memref<9xf32>
  %v, %p = scf.for %i = %c1 to %c8 step %c1 iter_args(%a = %first, %place = %none) -> (f32, i32) {
    %b = memref.load %x[%i] : memref<9xf32>
    %here = arith.index_cast %i : index to i32
    %more = arith.cmpf ogt, %b, %a : f32
    %equal = arith.cmpf oeq, %b, %a : f32
    %least = arith.minsi %place, %here : i32
    %kept = arith.select %equal, %least, %place : i32
    %value = arith.select %more, %b, %a : f32
    %next = arith.select %more, %here, %kept : i32
    scf.yield %value, %next : f32, i32
  }
  %b = memref.load %x[%c8] : memref<9xf32>
  %more = arith.cmpf ogt, %b, %v : f32
  %before = arith.cmpi slt, %p, %eight : i32
  %same = arith.select %before, %p, %eight : i32
  %next = arith.select %more, %eight, %same : i32
  return %next : i32
}
// check: func.func @largest
// not: arith.minsi
// not: arith.cmpi
// check: return

// Lanes: each has places of its own.
func.func @lanes(%x: memref<64xf32>) -> vector<4xi32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %first = vector.load %x[%c0] : memref<64xf32>, vector<4xf32>
  %lane = vector.step : vector<4xindex>
  %none = arith.index_cast %lane : vector<4xindex> to vector<4xi32>
  %v, %p = scf.for %i = %c4 to %c64 step %c4 iter_args(%a = %first, %place = %none) -> (vector<4xf32>, vector<4xi32>) {
    %b = vector.load %x[%i] : memref<64xf32>, vector<4xf32>
    %all = vector.broadcast %i : index to vector<4xindex>
    %sum = arith.addi %all, %lane : vector<4xindex>
    %here = arith.index_cast %sum : vector<4xindex> to vector<4xi32>
    %more = arith.cmpf ogt, %b, %a : vector<4xf32>
    %later = arith.cmpi sgt, %here, %place : vector<4xi32>
    %least = arith.select %later, %place, %here : vector<4xi1>, vector<4xi32>
    %value = arith.select %more, %b, %a : vector<4xi1>, vector<4xf32>
    %next = arith.select %more, %here, %least : vector<4xi1>, vector<4xi32>
    scf.yield %value, %next : vector<4xf32>, vector<4xi32>
  }
  return %p : vector<4xi32>
}
// check: func.func @lanes
// not: arith.cmpi
// check: return

// What starts beyond the first place, goes down, wraps or is unknown stays.
func.func @others(%n: index, %start: i32, %test: i1) -> (i32, i32, i8, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %zero = arith.constant 0 : i32
  %small = arith.constant -1 : i8
  %less = arith.constant -1 : i32
  %a, %b, %c, %d = scf.for %i = %c0 to %c200 step %c1 iter_args(%p = %zero, %q = %zero, %r = %small, %s = %start) -> (i32, i32, i8, i32) {
    %here = arith.index_cast %i : index to i32
    %down = arith.subi %zero, %here : i32
    %byte = arith.trunci %here : i32 to i8
    %p1 = arith.minsi %p, %here : i32
    %q1 = arith.minsi %q, %down : i32
    %r1 = arith.minsi %r, %byte : i8
    %s1 = arith.minsi %s, %here : i32
    %p2 = arith.select %test, %p1, %here : i32
    %q2 = arith.select %test, %q1, %down : i32
    %r2 = arith.select %test, %r1, %byte : i8
    %s2 = arith.select %test, %s1, %here : i32
    scf.yield %p2, %q2, %r2, %s2 : i32, i32, i8, i32
  }
  return %a, %b, %c, %d : i32, i32, i8, i32
}
// check: func.func @others
// check: arith.minsi
// check: arith.minsi
// check: arith.minsi
// check: arith.minsi
// eval: @others(4, 1000, true) == (0, -199, -128, 0)

// Unsigned tests of a place and the greatest of both
func.func @tests(%test: i1) -> (i32, i1, i32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c30 = arith.constant 30 : index
  %less = arith.constant -1 : i32
  %no = arith.constant false
  %a, %b, %c = scf.for %i = %c0 to %c30 step %c3 iter_args(%p = %less, %was = %no, %most = %less) -> (i32, i1, i32) {
    %here = arith.index_cast %i : index to i32
    %greater = arith.maxsi %p, %here : i32
    %unsigned = arith.cmpi ult, %p, %here : i32
    %place = arith.select %test, %here, %p : i32
    scf.yield %place, %unsigned, %greater : i32, i1, i32
  }
  return %a, %b, %c : i32, i1, i32
}
// check: func.func @tests
// not: arith.maxsi
// check: arith.cmpi ult
// eval: @tests(true) == (27, true, 27)
// eval: @tests(false) == (-1, false, 27)
