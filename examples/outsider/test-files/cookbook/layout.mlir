// test: opt

// A user's layout op is interpreted like those of the dialect.
func.func @read(%x: !array.of<7 x i32>) -> !array.of<5 x 3 x i32> {
  %r = shop.rotate 3 %x
  %w = array.slide 3 by 1 %r
  return %w : !array.of<5 x 3 x i32>
}
// check: func.func @read
// eval: @read([0, 1, 2, 3, 4, 5, 6]) == [[3, 4, 5], [4, 5, 6], [5, 6, 0], [6, 0, 1], [0, 1, 2]]

func.func @written(%x: !array.of<5 x 2 x i32>) -> !array.of<2 x 5 x i32> {
  %y = array.map %x as %row {
    %d = array.map %row as %a {
      %0 = arith.addi %a, %a : i32
      array.yield %0
    }
    array.yield %d
  }
  %r = shop.rotate 2 %y
  %t = array.transpose %r
  return %t : !array.of<2 x 5 x i32>
}
// check: func.func @written
// eval: @written([[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]) == [[8, 12, 16, 0, 4], [10, 14, 18, 2, 6]]

func.func @symbolic(%x: !array.of<@n x i32>) -> !array.of<@n x i32> attributes {array.bind = {k = 2, n = 5}} {
  %r = shop.rotate @k %x
  return %r : !array.of<@n x i32>
}
// check: func.func @symbolic
// eval: @symbolic([0, 1, 2, 3, 4]) == [2, 3, 4, 0, 1]
