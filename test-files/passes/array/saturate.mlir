// test: opt --pipeline='func.func(array-saturate{rules="mapFusion | vectorize(4) | asVectorAsScalar"})'
// rule: mapFusion, vectorize

// Two chains of two maps, the second of which is no function of vectors. Before a cheap function it is fused, before a dear one
// that one is in vectors: no order of the two rules does both.
func.func @chains(%x: !array.of<64 x i32>, %t: !array.of<4 x i32>) -> (!array.of<64 x i32>, !array.of<64 x i32>) {
  %cheap = array.map %x as %a {
    %c = arith.addi %a, %a : i32
    array.yield %c
  }
  %one = array.map %cheap as %a {
    %s = array.reduce add %t as %b {
      %m = arith.muli %a, %b : i32
      array.yield %m
    }
    array.yield %s
  }
  %dear = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    %d = arith.muli %c, %a : i32
    %e = arith.muli %d, %c : i32
    %g = arith.xori %e, %d : i32
    %h = arith.muli %g, %e : i32
    array.yield %h
  }
  %two = array.map %dear as %a {
    %s = array.reduce add %t as %b {
      %m = arith.muli %a, %b : i32
      array.yield %m
    }
    array.yield %s
  }
  return %one, %two : !array.of<64 x i32>, !array.of<64 x i32>
}
// check: func.func @chains
// next: %0 = array.as_vector 4 %x
// next: %1 = array.map %0 as %arg0 {
// next: %5 = arith.muli %arg0, %arg0 : vector<4xi32>
// next: %6 = arith.muli %5, %arg0 : vector<4xi32>
// next: %7 = arith.muli %6, %5 : vector<4xi32>
// next: %8 = arith.xori %7, %6 : vector<4xi32>
// next: %9 = arith.muli %8, %7 : vector<4xi32>
// next: array.yield %9
// next: }
// next: %2 = array.as_scalar %1
// next: %3 = array.map %2 as %arg0 {
// next: %5 = array.reduce add %t as %arg1 {
// next: %6 = arith.muli %arg0, %arg1 : i32
// next: array.yield %6
// next: }
// next: array.yield %5
// next: }
// next: %4 = array.map %x as %arg0 {
// next: %5 = arith.addi %arg0, %arg0 : i32
// next: %6 = array.reduce add %t as %arg1 {
// next: %7 = arith.muli %5, %arg1 : i32
// next: array.yield %7
// next: }
// next: array.yield %6
// next: }
// next: return %4, %3 : !array.of<64 x i32>, !array.of<64 x i32>
// next: }

// A sum that does not depend on the element is outside of the map, once; equal ones are one.
func.func @invariant(%x: !array.of<8 x i32>, %t: !array.of<4 x i32>) -> !array.of<8 x i32> {
  %y = array.map %x as %a {
    %c = arith.addi %a, %a : i32
    array.yield %c
  }
  %z = array.map %y as %a {
    %s = array.reduce add %t as %b {
      array.yield %b
    }
    %r = array.reduce add %t as %b {
      array.yield %b
    }
    %u = arith.addi %s, %r : i32
    %c = arith.muli %a, %u : i32
    array.yield %c
  }
  return %z : !array.of<8 x i32>
}
// check: func.func @invariant
// next: %0 = array.as_vector 4 %x
// next: %1 = array.reduce add %t as %arg0 {
// next: array.yield %arg0
// next: }
// next: %2 = arith.addi %1, %1 : i32
// next: %3 = vector.broadcast %2 : i32 to vector<4xi32>
// next: %4 = array.map %0 as %arg0 {
// next: %6 = arith.addi %arg0, %arg0 : vector<4xi32>
// next: %7 = arith.muli %6, %3 : vector<4xi32>
// next: array.yield %7
// next: }
// next: %5 = array.as_scalar %4
// next: return %5 : !array.of<8 x i32>
// next: }
// eval: @invariant([1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 1, 2]) == [20, 40, 60, 80, 100, 120, 140, 160]

// Nothing is cheaper: the program stays, with its names.
func.func @as_it_is(%x: !array.of<8 x i32>) -> !array.of<8 x i32> {
  %kept = array.map "K" %x as %element {
    %value = arith.divsi %element, %element : i32
    array.yield %value
  }
  return %kept : !array.of<8 x i32>
}
// check: func.func @as_it_is
// next: %kept = array.map "K" %x as %element {
// next: %value = arith.divsi %element, %element : i32
// next: array.yield %value
// next: }
// next: return %kept : !array.of<8 x i32>
// next: }
