// test: opt --pipeline=""
// What may be written and is printed in one form: ops among operands, symbols of functions, LIFT's names of levels and
// spaces.

// check: func.func @nested
// next: array.join %w
// next: array.join %k
// next: array.zip
// next: array.reduce add init %z
func.func @nested(%w: !array.of<2 x 2 x i32>, %k: !array.of<2 x 2 x i32>, %z: i32) -> i32 {
  %s = array.reduce add init %z (array.zip (array.join %w), (array.join %k)) as %l, %r {
    %m = arith.muli %l, %r : i32
    array.yield %m
  }
  return %s : i32
}
// eval: @nested([[1, 2], [3, 4]], [[1, 1], [1, 2]], 100) == 114

// Inside of a region, with a function of their own, and as the value of a yield.
// check: func.func @inside
func.func @inside(%x: !array.of<@n x @m x i32>) -> !array.of<@m x @n x i32> {
  %0 = array.map %x as %row {
    array.yield (array.map (array.map %row as %a {
      %1 = arith.addi %a, %a : i32
      array.yield %1
    }) as %b {
      %2 = arith.addi %b, %b : i32
      array.yield %2
    })
  }
  %3 = array.transpose %0
  return %3 : !array.of<@m x @n x i32>
}
// eval: @inside([[1, 2], [3, 4]]) == [[4, 12], [8, 16]]

// A function of the file, which may stand behind.
// check: func.func @symbol
// next: array.map "A" %x : thread.x as %arg0 {
// next: func.call @twice(%arg0)
// next: array.yield
func.func @symbol(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.map "A" @twice %x : thread.x
  return %0 : !array.of<@n x i32>
}
// eval: @symbol([1, 2]) == [2, 4]
func.func private @twice(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}

// Tuples come apart, several results make one.
func.func @symbol_of_tuples(%x: !array.of<@n x i32>, %y: !array.of<@n x i1>) -> !array.of<@n x tuple<i1, i32>> {
  %0 = array.map @swap (array.zip %x, %y)
  return %0 : !array.of<@n x tuple<i1, i32>>
}
// eval: @symbol_of_tuples([1, 2], [true, false]) == [[true, 1], [false, 2]]
func.func private @swap(%a: i32, %b: i1) -> (i1, i32) {
  return %b, %a : i1, i32
}

// check: func.func @levels
// next: array.map %x : global.y as %row
// next: array.map %row : block.x as
// check: array.map %x : thread.z as
// check: array.map {{.*}} : seq as
// check: array.map {{.*}} : unroll as
// check: array.map {{.*}} : task as
func.func @levels(%x: !array.of<@n x @m x i32>) -> !array.of<@n x @m x i32> {
  %0 = array.mapGlb(1) %x as %row {
    %1 = array.mapWrg(0) %row as %a {
      array.yield %a
    }
    array.yield %1
  }
  %2 = array.mapLcl(2) %x as %row {
    %3 = array.mapSeq %row as %a {
      array.yield %a
    }
    %4 = array.mapSeqUnroll %3 as %a {
      array.yield %a
    }
    array.yield %4
  }
  %5 = array.mapPar %2 as %row {
    array.yield %row
  }
  return %5 : !array.of<@n x @m x i32>
}
// eval: @levels([[1, 2]]) == [[1, 2]]

// check: func.func @others
// next: array.slide strict 2 by 1 %x
// next: array.map
// next: array.reduce add : seq
// check: array.reduce add : unroll
// check: array.place #gpu.address_space<global>
// next: array.place #gpu.address_space<workgroup>
// next: array.place #gpu.address_space<private>
// next: array.as_vector 2
// next: array.as_scalar
func.func @others(%x: !array.of<5 x i32>) -> !array.of<4 x i32> {
  %0 = array.slideStrict 2 by 1 %x
  %1 = array.map %0 as %w {
    %2 = array.reduceSeq add %w as %a {
      array.yield %a
    }
    %3 = array.reduceSeqUnroll add %w as %a {
      array.yield %a
    }
    %4 = arith.addi %2, %3 : i32
    array.yield %4
  }
  %5 = array.toGlobal %1
  %6 = array.toLocal %5
  %7 = array.toPrivate %6
  %8 = array.asVector 2 %7
  %9 = array.asScalar %8
  return %9 : !array.of<4 x i32>
}
// eval: @others([1, 2, 3, 4, 5]) == [6, 10, 14, 18]

// Sizes under a name, which may stand behind.
// check: func.func @named(%x: !array.of<@C * @K^2 x i32>) -> !array.of<@C * @K^2 / @om x @om x i32>
// next: array.split @om %x
func.func @named(%x: !array.of<#ws x i32>) -> !array.of<#nch x @om x i32> attributes {array.bind = {K = 2, om = 2}} {
  %0 = array.split #ws / #nch %x
  return %0 : !array.of<#ws / @om x @om x i32>
}
// eval: @named([1, 2, 3, 4]) == [[1, 2], [3, 4]]
#nch = #array.nat<#ws / @om>
#ws = #array.nat<@K^2 * @C>
