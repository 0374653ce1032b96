// test: opt --pipeline='func.func(array-rewrite{strategy="(at(toPrivate) toPrivate)?; (at(toLocal) toLocal)?; (at(toGlobal) toGlobal)?; (at(placePlace) placePlace)?; (at(introduceReuse) introduceReuse(local))?; (at(introduceReuseOf) introduceReuseOf(1, global))?"})'
// rule: toPrivate, toLocal, toGlobal, placePlace, introduceReuse, introduceReuseOf

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

func.func @introduceReuseOf(%x: !array.of<@n x 4 x i32>, %y: !array.of<@n x 4 x i32>) -> i32 {
  %introduceReuseOf = array.reduce add (array.zip %x, %y) as %a, %b {
    %s = array.reduce add (array.zip %a, %b) as %c, %d {
      %m = arith.muli %c, %d : i32
      array.yield %m
    }
    array.yield %s
  }
  return %introduceReuseOf : i32
}
// check: func.func @introduceReuseOf
// next: %0 = array.zip %x, %y
// next: %introduceReuseOf = array.reduce add %0 as %a, %arg0 {
// next: %1 = array.place #gpu.address_space<global> %arg0
// next: %2 = array.zip %a, %1
// next: %s = array.reduce add %2 as %c, %d {
// next: %m = arith.muli %c, %d : i32
// next: array.yield %m
// next: }
// next: array.yield %s
// next: }
// next: return %introduceReuseOf : i32
// next: }
