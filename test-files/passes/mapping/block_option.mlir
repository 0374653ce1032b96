// test: opt --pipeline="array-map{mapping=A=L1,B=L0 block=16,4 grid=2 tags=beyond}"
// Threads of a block and blocks of a grid may be said where a mapping is chosen; what the program says goes before.

// check: func.func @rows{{…}} attributes {array.block = [16, 4, 0], array.grid = [2, 0, 0]}
// check: array.map "A" %x : thread.y as
func.func @rows(%x: !array.of<10 x 40 x i32>) -> !array.of<10 x 40 x i32> {
  %o = array.map "A" %x as %a {
    %p = array.map "B" %a as %b {
      %d = arith.addi %b, %b : i32
      array.yield %d
    }
    array.yield %p
  }
  return %o : !array.of<10 x 40 x i32>
}

// check: func.func @own{{…}} attributes {array.block = [8, 4, 0], array.grid = [2, 0, 0]}
func.func @own(%x: !array.of<10 x 40 x i32>) -> !array.of<10 x 40 x i32> attributes {array.block = [8, 0]} {
  %o = array.map "A" %x as %a {
    %p = array.map "B" %a as %b {
      %d = arith.addi %b, %b : i32
      array.yield %d
    }
    array.yield %p
  }
  return %o : !array.of<10 x 40 x i32>
}
