// test: opt --pipeline='func.func(array-rewrite{strategy="(at(mapFission) mapFission)?; (at(mapFissionZip) mapFissionZip)?; (at(extractFromMap) extractFromMap)?"})'
// rule: mapFission, mapFissionZip, extractFromMap

// Two maps in place of one.

func.func @mapFission(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %mapFission = array.map "A" %x as %a {
    %b = arith.muli %a, %a : i32
    %c = arith.addi %b, %b : i32
    array.yield %c
  }
  return %mapFission : !array.of<@n x i32>
}
// check: func.func @mapFission
// next: %0 = array.map "A" %x as %a {
// next: %b = arith.muli %a, %a : i32
// next: array.yield %b
// next: }
// next: %mapFission = array.map %0 as %b {
// next: %c = arith.addi %b, %b : i32
// next: array.yield %c
// next: }
// next: return %mapFission : !array.of<@n x i32>
// next: }

func.func @mapFissionZip(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %mapFissionZip = array.map "A" %x as %a {
    %b = arith.muli %a, %a : i32
    %c = arith.addi %b, %a : i32
    array.yield %c
  }
  return %mapFissionZip : !array.of<@n x i32>
}
// check: func.func @mapFissionZip
// next: %0 = array.map "A" %x as %a {
// next: %b = arith.muli %a, %a : i32
// next: array.yield %b
// next: }
// next: %1 = array.zip %x, %0
// next: %mapFissionZip = array.map %1 as %a, %b {
// next: %c = arith.addi %b, %a : i32
// next: array.yield %c
// next: }
// next: return %mapFissionZip : !array.of<@n x i32>
// next: }
// eval: @mapFissionZip([1, 2, 3]) == [2, 6, 12]

func.func @extractFromMap(%x: !array.of<@n x i32>, %y: i32) -> !array.of<@n x i32> {
  %extractFromMap = array.map "A" %x as %a {
    %b = arith.muli %y, %y : i32
    %c = arith.addi %b, %a : i32
    array.yield %c
  }
  return %extractFromMap : !array.of<@n x i32>
}
// check: func.func @extractFromMap
// next: %b = arith.muli %y, %y : i32
// next: %extractFromMap = array.map "A" %x as %a {
// next: %c = arith.addi %b, %a : i32
// next: array.yield %c
// next: }
// next: return %extractFromMap : !array.of<@n x i32>
// next: }
