// test: opt --pipeline='func.func(array-rewrite{strategy="at(A) splitJoin(3)"})'

func.func @splitJoin(%x: !array.of<12 x i32>, %y: i32) -> !array.of<12 x i32> {
  %0 = array.map "A" %x as %a {
    %1 = arith.addi %a, %y : i32
    array.yield %1
  }
  return %0 : !array.of<12 x i32>
}
// check: func.func @splitJoin
// next: %0 = array.split 3 %x
// next: %1 = array.map "A" %0 as %arg0 {
// next: %3 = array.map %arg0 as %a {
// next: %4 = arith.addi %a, %y : i32
// next: array.yield %4
// next: }
// next: array.yield %3
// next: }
// next: %2 = array.join %1
// next: return %2 : !array.of<12 x i32>
// next: }
// eval: @splitJoin([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 5) == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
