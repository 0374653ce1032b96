// test: opt --pipeline='func.func(array-rewrite{strategy="(at(copied) copyAsMaps(copy, 2))?; (at(kept) copyAsMaps)?; (at(A) rename(B))?; (at(sum) unroll; at(other) unroll(0))?"},array-count)'
// rule: copyAsMaps, rename, unroll

// Copies as maps, names, loops written out.

func.func @copyAsMaps(%x: !array.of<@n x 4 x i32>) -> !array.of<4 x @n x i32> {
  %y = array.transpose %x
  %z = array.transpose %y
  %copied = array.place #gpu.address_space<workgroup> %z
  %t = array.transpose %copied
  return %t : !array.of<4 x @n x i32>
}
// check: func.func @copyAsMaps
// next: %y = array.transpose %x
// next: %z = array.transpose %y
// next: %0 = array.map "copy" %z as %arg0 {
// next: %1 = array.as_vector 2 %arg0
// next: %2 = array.map "copy" %1 as %arg1 {
// next: %4 = array.place #gpu.address_space<private> %arg1
// next: array.yield %4
// next: }
// next: %3 = array.as_scalar %2
// next: array.yield %3
// next: }
// next: %copied = array.place #gpu.address_space<workgroup> %0
// next: %t = array.transpose %copied
// next: return %t : !array.of<4 x @n x i32>
// next: }
// eval: @copyAsMaps([[1, 2, 3, 4], [5, 6, 7, 8]]) == [[1, 5], [2, 6], [3, 7], [4, 8]]

// Maps write it already.
func.func @kept(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %y = array.map %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  %kept = array.place #gpu.address_space<workgroup> %y
  return %kept : !array.of<@n x i32>
}
// check: func.func @kept
// next: %y = array.map %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %kept = array.place #gpu.address_space<workgroup> %y
// next: return %kept : !array.of<@n x i32>
// next: }
// eval: @kept([1, 2]) == [1, 4]

func.func @rename(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %y = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %y : !array.of<@n x i32>
}
// check: func.func @rename
// next: %y = array.map "B" %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: return %y : !array.of<@n x i32>
// next: }
// eval: @rename([1, 2]) == [1, 4]

func.func @unroll(%x: !array.of<@n x i32>, %y: !array.of<@n x i32>) -> (i32, i32) {
  %sum = array.reduce add %x as %a {
    array.yield %a
  }
  %other = array.reduce mul %y as %a {
    array.yield %a
  }
  return %sum, %other : i32, i32
}
// check: func.func @unroll
// next: %sum = array.reduce add : unroll %x as %a {
// next: array.yield %a
// next: }
// next: %other = array.reduce mul : seq %y as %a {
// next: array.yield %a
// next: }
// next: return %sum, %other : i32, i32
// next: }
// eval: @unroll([1, 2, 4], [2, 3, 5]) == (7, 30)
