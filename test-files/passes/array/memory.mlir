// test: opt --pipeline='func.func(array-rewrite{strategy="(at(toPrivate) toPrivate)?; (at(toLocal) toLocal)?; (at(toGlobal) toGlobal)?; (at(placePlace) placePlace)?; (at(introduceReuse) introduceReuse(local))?"})'
// rule: toPrivate, toLocal, toGlobal, placePlace, introduceReuse

// Places.

func.func @toPrivate(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %toPrivate = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %toPrivate : !array.of<@n x i32>
}
// check: func.func @toPrivate
// next: %toPrivate = array.map "A" %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %toPrivate_0 = array.place #gpu.address_space<private> %toPrivate
// next: return %toPrivate_0 : !array.of<@n x i32>
// next: }

func.func @toLocal(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %toLocal = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %toLocal : !array.of<@n x i32>
}
// check: func.func @toLocal
// next: %toLocal = array.map "A" %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %toLocal_0 = array.place #gpu.address_space<workgroup> %toLocal
// next: return %toLocal_0 : !array.of<@n x i32>
// next: }
// eval: @toLocal([1, 2]) == [1, 4]

func.func @toGlobal(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %toGlobal = array.map "A" %x as %a {
    %c = arith.muli %a, %a : i32
    array.yield %c
  }
  return %toGlobal : !array.of<@n x i32>
}
// check: func.func @toGlobal
// next: %toGlobal = array.map "A" %x as %a {
// next: %c = arith.muli %a, %a : i32
// next: array.yield %c
// next: }
// next: %toGlobal_0 = array.place #gpu.address_space<global> %toGlobal
// next: return %toGlobal_0 : !array.of<@n x i32>
// next: }

func.func @placePlace(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %t = array.place #gpu.address_space<private> %x
  %placePlace = array.place #gpu.address_space<private> %t
  return %placePlace : !array.of<@n x i32>
}
// check: func.func @placePlace
// next: %t = array.place #gpu.address_space<private> %x
// next: return %t : !array.of<@n x i32>
// next: }

func.func @introduceReuse(%x: !array.of<@n x 4 x i32>) -> !array.of<@n x i32> {
  %introduceReuse = array.map "A" %x as %row {
    %s = array.reduce add %row as %a {
      array.yield %a
    }
    array.yield %s
  }
  return %introduceReuse : !array.of<@n x i32>
}
// check: func.func @introduceReuse
// next: %introduceReuse = array.map "A" %x as %arg0 {
// next: %0 = array.place #gpu.address_space<workgroup> %arg0
// next: %s = array.reduce add %0 as %a {
// next: array.yield %a
// next: }
// next: array.yield %s
// next: }
// next: return %introduceReuse : !array.of<@n x i32>
// next: }
