// test: opt --pipeline='func.func(array-rewrite{strategy="(at(mapMapInterchange) mapMapInterchange)?; (at(mapMapInterchangeZip) mapMapInterchangeZip)?; (at(mapReduceInterchange) mapReduceInterchange)?; (at(mapReduceInterchangeZip) mapReduceInterchangeZip)?; (at(reduceMapInterchange) reduceMapInterchange)?; (at(transposeBothSides) transposeBothSides)?"})'
// rule: mapMapInterchange, mapMapInterchangeZip, mapReduceInterchange, mapReduceInterchangeZip, reduceMapInterchange, transposeBothSides

// What is outside goes inside.

func.func @mapMapInterchange(%x: !array.of<@n x i32>, %y: !array.of<@m x i32>) -> !array.of<@n x @m x i32> {
  %mapMapInterchange = array.map "A" %x as %a {
    %r = array.map "B" %y as %b {
      %c = arith.muli %a, %b : i32
      array.yield %c
    }
    array.yield %r
  }
  return %mapMapInterchange : !array.of<@n x @m x i32>
}
// check: func.func @mapMapInterchange
// next: %0 = array.map "B" %y as %b {
// next: %1 = array.map "A" %x as %a {
// next: %c = arith.muli %a, %b : i32
// next: array.yield %c
// next: }
// next: array.yield %1
// next: }
// next: %mapMapInterchange = array.transpose %0
// next: return %mapMapInterchange : !array.of<@n x @m x i32>
// next: }

func.func @mapMapInterchangeZip(%x: !array.of<@n x @m x i32>, %w: !array.of<@m x i32>) -> !array.of<@n x @m x i32> {
  %mapMapInterchangeZip = array.map "A" %x as %row {
    %t = array.zip %row, %w
    %r = array.map "B" %t as %a, %b {
      %c = arith.muli %a, %b : i32
      array.yield %c
    }
    array.yield %r
  }
  return %mapMapInterchangeZip : !array.of<@n x @m x i32>
}
// check: func.func @mapMapInterchangeZip
// next: %0 = array.transpose %x
// next: %1 = array.zip %0, %w
// next: %2 = array.map "B" %1 as %arg0, %b {
// next: %3 = array.map "A" %arg0 as %a {
// next: %c = arith.muli %a, %b : i32
// next: array.yield %c
// next: }
// next: array.yield %3
// next: }
// next: %mapMapInterchangeZip = array.transpose %2
// next: return %mapMapInterchangeZip : !array.of<@n x @m x i32>
// next: }

func.func @mapReduceInterchange(%x: !array.of<@n x @m x i32>, %z: i32) -> !array.of<@n x i32> {
  %mapReduceInterchange = array.map "A" %x as %row {
    %r = array.reduce add init %z %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  return %mapReduceInterchange : !array.of<@n x i32>
}
// check: func.func @mapReduceInterchange
// next: %0 = array.transpose %x
// next: %mapReduceInterchange = array.reduce add init %z %0 as %arg0 {
// next: %1 = array.map "A" %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %1
// next: }
// next: return %mapReduceInterchange : !array.of<@n x i32>
// next: }
// eval: @mapReduceInterchange([[1, 2], [3, 4]], 1) == [6, 26]

func.func @mapReduceInterchangeZip(%x: !array.of<@n x @m x i32>, %w: !array.of<@m x i32>) -> !array.of<@n x i32> {
  %mapReduceInterchangeZip = array.map "A" %x as %row {
    %t = array.zip %row, %w
    %r = array.reduce add %t as %a, %b {
      %c = arith.muli %a, %b : i32
      array.yield %c
    }
    array.yield %r
  }
  return %mapReduceInterchangeZip : !array.of<@n x i32>
}
// check: func.func @mapReduceInterchangeZip
// next: %0 = array.transpose %x
// next: %1 = array.zip %0, %w
// next: %mapReduceInterchangeZip = array.reduce add %1 as %arg0, %b {
// next: %2 = array.map "A" %arg0 as %a {
// next: %c = arith.muli %a, %b : i32
// next: array.yield %c
// next: }
// next: array.yield %2
// next: }
// next: return %mapReduceInterchangeZip : !array.of<@n x i32>
// next: }

func.func @reduceMapInterchange(%x: !array.of<@n x @m x i32>, %z: !array.of<@m x i32>) -> !array.of<@m x i32> {
  %reduceMapInterchange = array.reduce add init %z %x as %row {
    %r = array.map "A" %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  return %reduceMapInterchange : !array.of<@m x i32>
}
// check: func.func @reduceMapInterchange
// next: %0 = array.transpose %x
// next: %1 = array.zip %0, %z
// next: %reduceMapInterchange = array.map "A" %1 as %arg0, %arg1 {
// next: %2 = array.reduce add init %arg1 %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %2
// next: }
// next: return %reduceMapInterchange : !array.of<@m x i32>
// next: }

func.func @transposeBothSides(%x: !array.of<@n x @m x i32>) -> !array.of<@n x @m x i32> {
  %transposeBothSides = array.map "A" %x as %row {
    %r = array.map "B" %row as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %r
  }
  return %transposeBothSides : !array.of<@n x @m x i32>
}
// check: func.func @transposeBothSides
// next: %0 = array.transpose %x
// next: %1 = array.map "B" %0 as %arg0 {
// next: %2 = array.map "A" %arg0 as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %2
// next: }
// next: %transposeBothSides = array.transpose %1
// next: return %transposeBothSides : !array.of<@n x @m x i32>
// next: }
