// test: opt --pipeline="func.func(array-to-sched)"

// A user's layout op is a view: reads go through its index map.
func.func @read(%x: !array.of<7 x i32>) -> !array.of<5 x 3 x i32> {
  %r = shop.rotate 3 %x
  %w = array.slide 3 by 1 %r
  return %w : !array.of<5 x 3 x i32>
}
// check: func.func @read
// not: shop.rotate
// check: %x[(%d0 + %d1 + 3) mod 7] to %w[%d0, %d1]

// What is computed is written through the inverse.
func.func @written(%x: !array.of<5 x i32>) -> !array.of<5 x i32> {
  %y = array.map %x as %a {
    %0 = arith.addi %a, %a : i32
    array.yield %0
  }
  %r = shop.rotate 2 %y
  return %r : !array.of<5 x i32>
}
// check: func.func @written
// not: shop.rotate
// check: sched.write %1, %r[(%i + 3) mod 5]
