// test: opt --pipeline='func.func(array-rewrite{strategy="(at(in_order) splitReduce(4))?; (at(uneven) splitReduce(4))?; (at(unknown) splitReduce(4))?; (at(not_commutative) splitReduceStrided(2))?; (at(commutative) splitReduceStrided(2))?; (at(kept_in_order) splitReduce(2))?; (at(two_uses) mapFusion)?; (at(one_use) mapFusion)?; (at(other_level) mapFusion)?; (at(three) splitJoin(3))?; (at(seven) splitJoin(3))?; (at(windows) slideTiling(5, 3))?; (at(too_small) slideTiling(2, 1))?; (at(gaps) slideTiling(8, 6))?"})'
// rule: splitReduceStrided, splitReduce, mapFusion, splitJoin, slideTiling
// Rules whose conditions do not hold change nothing; next to each stands one whose conditions do.

// The order of the source is one left fold.
func.func @in_order(%x: !array.of<4 * @n x f32>) -> f32 {
  %in_order = array.reduce add source %x as %a {
    array.yield %a
  }
  return %in_order : f32
}
// check: func.func @in_order
// next: %in_order = array.reduce add source %x as %a {
// eval: @in_order([1.0, 2.0, 3.0, 4.0]) == 10.0

// Parts that do not divide.
func.func @uneven(%x: !array.of<4 * @n + 2 x i32>) -> i32 {
  %uneven = array.reduce add %x as %a {
    array.yield %a
  }
  return %uneven : i32
}
// check: func.func @uneven
// next: %uneven = array.reduce add %x as %a {
// eval: @uneven([1, 2]) == 3

// A size of which nothing is known.
func.func @unknown(%x: !array.of<@n x i32>) -> i32 {
  %unknown = array.reduce add %x as %a {
    array.yield %a
  }
  return %unknown : i32
}
// check: func.func @unknown
// next: %unknown = array.reduce add %x as %a {
// eval: @unknown([1, 2, 3]) == 6

func.func private @first(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, exact, identity = [0 : i32]}} {
  %zero = arith.constant 0 : i32
  %none = arith.cmpi eq, %a, %zero : i32
  %r = arith.select %none, %b, %a : i32
  return %r : i32
}

// Strided parts come in another order.
func.func @not_commutative(%x: !array.of<2 * @n x i32>) -> i32 {
  %not_commutative = array.reduce @first %x as %a {
    array.yield %a
  }
  return %not_commutative : i32
}
// check: func.func @not_commutative
// next: %not_commutative = array.reduce @first %x as %a {
// eval: @not_commutative([0, 5, 3, 0]) == 5

func.func @commutative(%x: !array.of<2 * @n x i32>) -> i32 {
  %commutative = array.reduce max %x as %a {
    array.yield %a
  }
  return %commutative : i32
}
// check: func.func @commutative
// next: %0 = array.split 2 %x
// next: %1 = array.transpose %0
// eval: @commutative([0, 5, 3, 0]) == 5

// Parts that follow each other keep the order.
func.func @kept_in_order(%x: !array.of<2 * @n x i32>) -> i32 {
  %kept_in_order = array.reduce @first %x as %a {
    array.yield %a
  }
  return %kept_in_order : i32
}
// check: func.func @kept_in_order
// next: %0 = array.split 2 %x
// next: %1 = array.map %0 as
// eval: @kept_in_order([0, 0, 0, 7]) == 7
// eval: @kept_in_order([0, 5, 3, 0]) == 5

// What is used elsewhere, too, is computed once.
func.func @two_uses(%x: !array.of<@n x i32>) -> (!array.of<@n x i32>, !array.of<@n x i32>) {
  %t = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  %two_uses = array.map %t as %a {
    %c = arith.addi %a, %a : i32
    array.yield %c
  }
  return %t, %two_uses : !array.of<@n x i32>, !array.of<@n x i32>
}
// check: func.func @two_uses
// next: %t = array.map %x as %a {
// check: %two_uses = array.map %t as %a {
// eval: @two_uses([1, 2]) == ([1, 4], [2, 8])

func.func @one_use(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %t = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  %one_use = array.map %t as %a {
    %c = arith.addi %a, %a : i32
    array.yield %c
  }
  return %one_use : !array.of<@n x i32>
}
// check: func.func @one_use
// next: %one_use = array.map %x as
// eval: @one_use([1, 2]) == [2, 8]

// Maps at different levels are different loops.
func.func @other_level(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %t = array.map %x : thread.x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  %other_level = array.map %t : seq as %a {
    %c = arith.addi %a, %a : i32
    array.yield %c
  }
  return %other_level : !array.of<@n x i32>
}
// check: func.func @other_level
// next: %t = array.map %x : thread.x as %a {
// check: %other_level = array.map %t : seq as %a {
// eval: @other_level([1, 2]) == [2, 8]

func.func @three(%x: !array.of<6 x i8>) -> !array.of<6 x i8> {
  %three = array.map %x as %a {
    %c = arith.addi %a, %a : i8
    array.yield %c
  }
  return %three : !array.of<6 x i8>
}
// check: func.func @three
// next: %0 = array.split 3 %x
// eval: @three([1, 2, 3, 4, 5, 100]) == [2, 4, 6, 8, 10, -56]

// 3 does not divide a prime.
func.func @seven(%x: !array.of<7 x i8>) -> !array.of<7 x i8> {
  %seven = array.map %x as %a {
    %c = arith.addi %a, %a : i8
    array.yield %c
  }
  return %seven : !array.of<7 x i8>
}
// check: func.func @seven
// next: %seven = array.map %x as %a {
// eval: @seven([1, 2, 3, 4, 5, 6, 7]) == [2, 4, 6, 8, 10, 12, 14]

// Tiles of 5 by 3 hold windows of 3: u - v = n - s, v divides what is left.
func.func @windows(%x: !array.of<3 * @n + 5 x i32>) -> !array.of<3 * @n + 3 x 3 x i32> {
  %windows = array.slide 3 by 1 %x
  return %windows : !array.of<3 * @n + 3 x 3 x i32>
}
// check: func.func @windows
// next: %0 = array.slide strict 5 by 3 %x
// eval: @windows([1, 2, 3, 4, 5]) == [[1, 2, 3], [2, 3, 4], [3, 4, 5]]

// Tiles smaller than a window.
func.func @too_small(%x: !array.of<@n + 5 x i32>) -> !array.of<@n + 3 x 3 x i32> {
  %too_small = array.slide 3 by 1 %x
  return %too_small : !array.of<@n + 3 x 3 x i32>
}
// check: func.func @too_small
// next: %too_small = array.slide 3 by 1 %x

// The printed rule leaves out that v divides what is left (F6): here it does not.
func.func @gaps(%x: !array.of<10 x i32>) -> !array.of<8 x 3 x i32> {
  %gaps = array.slide 3 by 1 %x
  return %gaps : !array.of<8 x 3 x i32>
}
// check: func.func @gaps
// next: %gaps = array.slide 3 by 1 %x
// eval: @gaps([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) == [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7], [6, 7, 8], [7, 8, 9]]
