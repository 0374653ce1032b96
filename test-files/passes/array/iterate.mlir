// test: opt --pipeline='func.func(array-rewrite{strategy="(at(iterateId) iterateId)?; (at(iterate1) iterate1)?; (at(iterateSplit) iterateSplit(2))?"})'
// rule: iterateId, iterate1, iterateSplit

// Iterations.

func.func @iterateId(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %iterateId = array.iterate 0 init %x as ($l) %v {
    %t = array.map %v as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %t
  }
  return %iterateId : !array.of<@n x i32>
}
// check: func.func @iterateId
// next: return %x : !array.of<@n x i32>
// next: }

func.func @iterate1(%x: !array.of<2 * @n x i32>) -> !array.of<@n x i32> {
  %iterate1 = array.iterate 1 init %x as ($l) %v {
    %p = array.split 2 %v
    %t = array.map %p as %pair {
      %s = array.reduce add %pair as %a {
        array.yield %a
      }
      array.yield %s
    }
    array.yield %t
  }
  return %iterate1 : !array.of<@n x i32>
}
// check: func.func @iterate1
// next: %p = array.split 2 %x
// next: %t = array.map %p as %pair {
// next: %s = array.reduce add %pair as %a {
// next: array.yield %a
// next: }
// next: array.yield %s
// next: }
// next: return %t : !array.of<@n x i32>
// next: }
// eval: @iterate1([1, 2, 3, 4]) == [3, 7]

func.func @iterateSplit(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %iterateSplit = array.iterate 5 init %x as ($l) %v {
    %t = array.map %v as %a {
      %c = arith.muli %a, %a : i32
      array.yield %c
    }
    array.yield %t
  }
  return %iterateSplit : !array.of<@n x i32>
}
// check: func.func @iterateSplit
// next: %0 = array.iterate 2 init %x as ($l) %v {
// next: %t = array.map %v as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %t
// next: }
// next: %iterateSplit = array.iterate 3 init %0 as ($l) %v {
// next: %t = array.map %v as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: array.yield %t
// next: }
// next: return %iterateSplit : !array.of<@n x i32>
// next: }
