// test: round-trip
// What functions over arrays compute.

func.func @map(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.map "A" %x : global.x as %a {
    %1 = arith.addi %a, %a : i32
    array.yield %1
  }
  return %0 : !array.of<@n x i32>
}
// eval: @map([1, 2, 3]) == [2, 4, 6]
// eval: @map([]) == []

// Tuples come apart, and several values make one. The level may be a parameter, or `fused`.
func.func @tuples(%x: !array.of<@n x i32>, %y: !array.of<@n x i1>) -> !array.of<@n x tuple<i1, i32>> {
  %0 = array.zip %x, %y
  %1 = array.map %0 : @level as %a, %b {
    array.yield %b, %a
  }
  %2 = array.map %1 : fused as %a, %b {
    array.yield %a, %b
  }
  return %2 : !array.of<@n x tuple<i1, i32>>
}
// eval: @tuples([1, 2], [true, false]) == [[true, 1], [false, 2]]

// Functions see what is around them.
func.func @nested(%x: !array.of<@n x @m x i32>, %y: !array.of<@n x i32>) -> !array.of<@n x @m x i32> {
  %0 = array.zip %x, %y
  %1 = array.map %0 as %row, %b {
    %2 = array.map %row as %a {
      %3 = arith.addi %a, %b : i32
      array.yield %3
    }
    array.yield %2
  }
  return %1 : !array.of<@n x @m x i32>
}
// eval: @nested([[1, 2], [3, 4]], [10, 20]) == [[11, 12], [23, 24]]

func.func @dot(%x: !array.of<@n x i32>, %y: !array.of<@n x i32>, %z: i32) -> i32 {
  %0 = array.zip %x, %y
  %1 = array.reduce add init %z source : seq %0 as %a, %b {
    %2 = arith.muli %a, %b : i32
    array.yield %2
  }
  return %1 : i32
}
// eval: @dot([1, 2], [3, 4], 100) == 111
// eval: @dot([], [], 100) == 100

// Without elements and start value: the identity.
func.func @greatest(%x: !array.of<@n x i8>) -> i8 {
  %0 = array.reduce max %x as %a {
    array.yield %a
  }
  return %0 : i8
}
// eval: @greatest([3, 7, -2]) == 7
// eval: @greatest([]) == -128

// Operators work on each number; a start value that is a number fills the array.
func.func @columns(%x: !array.of<@n x @m x i32>, %z: i32) -> !array.of<@m x i32> {
  %0 = array.reduce add init %z %x as %row {
    array.yield %row
  }
  return %0 : !array.of<@m x i32>
}
// eval: @columns([[1, 2], [3, 4]], 10) == [14, 16]

func.func @sum_and_greatest(%x: !array.of<@n x i32>) -> tuple<i32, i32> {
  %0 = array.reduce add, max free %x as %a {
    array.yield %a, %a
  }
  return %0 : tuple<i32, i32>
}
// eval: @sum_and_greatest([1, 3, 2]) == [6, 3]

func.func private @add_seven(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, commutative}} {
  %c = arith.constant 7 : i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %0, %c : i32
  return %1 : i32
}
func.func @by_function(%x: !array.of<@n x i32>) -> i32 {
  %0 = array.reduce @add_seven %x as %a {
    array.yield %a
  }
  return %0 : i32
}
// eval: @by_function([1, 2, 3]) == 20
// eval: @by_function([5]) == 5
// eval: @by_function([]) == trap E0308

// An operator on tuples gets the components of both.
func.func private @greater(%a: i32, %i: index, %b: i32, %j: index) -> (i32, index) attributes {sched.operator = {associative}} {
  %0 = arith.cmpi sgt, %b, %a : i32
  %1 = arith.select %0, %b, %a : i32
  %2 = arith.select %0, %j, %i : index
  return %1, %2 : i32, index
}
func.func @place_of_greatest(%x: !array.of<@n x i32>) -> tuple<i32, index> {
  %0 = array.generate @n as %i {
    array.yield %i
  }
  %1 = array.zip %x, %0
  %2 = array.reduce @greater %1 as %a, %i {
    array.yield %a, %i
  }
  return %2 : tuple<i32, index>
}
// eval: @place_of_greatest([3, 9, 9]) == [9, 1]

func.func @horner(%x: i32, %c: !array.of<@n x i32>, %z: i32) -> i32 {
  %0 = array.fold init %z %c as %acc, %a {
    %1 = arith.muli %acc, %x : i32
    %2 = arith.addi %1, %a : i32
    array.yield %2
  }
  return %0 : i32
}
// eval: @horner(2, [1, 2, 3], 0) == 11

func.func @scan(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.scan add %x as %a {
    array.yield %a
  }
  return %0 : !array.of<@n x i32>
}
// eval: @scan([1, 2, 3]) == [1, 3, 6]

func.func @scan_exclusive(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.scan add exclusive %x as %a {
    array.yield %a
  }
  return %0 : !array.of<@n x i32>
}
// eval: @scan_exclusive([1, 2, 3]) == [0, 1, 3]

func.func @scan_init(%x: !array.of<@n x i32>, %z: i32) -> (!array.of<@n x i32>, !array.of<@n x i32>) {
  %0 = array.scan @add_seven init %z %x as %a {
    array.yield %a
  }
  %1 = array.scan @add_seven init %z exclusive %x as %a {
    array.yield %a
  }
  return %0, %1 : !array.of<@n x i32>, !array.of<@n x i32>
}
// eval: @scan_init([1, 2], 10) == ([18, 27], [10, 18])

func.func @generate() -> !array.of<@n x @n x index> attributes {array.bind = {n = 2}} {
  %0 = array.generate @n : thread.x as %i {
    %1 = array.generate @n as %j {
      %2 = arith.addi %i, %j : index
      array.yield %2
    }
    array.yield %1
  }
  return %0 : !array.of<@n x @n x index>
}
// eval: @generate() == [[0, 1], [1, 2]]

// A multiple, so many times as a symbol says.
func.func @halve(%x: !array.of<@n x i32>) -> !array.of<@n * (1 / 2) ^ @k x i32> attributes {array.bind = {k = 2}} {
  %0 = array.iterate @k init %x as ($l) %v {
    %1 = array.split 2 %v
    %2 = array.map %1 as %pair {
      %3 = array.reduce add %pair as %a {
        array.yield %a
      }
      array.yield %3
    }
    array.yield %2
  }
  return %0 : !array.of<@n * (1 / 2) ^ @k x i32>
}
// eval: @halve([1, 2, 3, 4, 5, 6, 7, 8]) == [10, 26]
// eval: @halve([1, 2, 3, 4, 5, 6]) == trap E0684

// A sum.
func.func @shrink(%x: !array.of<@n x i32>) -> !array.of<@n - @k x i32> attributes {array.bind = {k = 2}} {
  %0 = array.iterate @k init %x as ($l) %v {
    %1 = array.slide 2 by 1 %v
    %2 = array.map %1 as %pair {
      %3 = array.reduce add %pair as %a {
        array.yield %a
      }
      array.yield %3
    }
    array.yield %2
  }
  return %0 : !array.of<@n - @k x i32>
}
// eval: @shrink([1, 2, 3, 4]) == [8, 12]

// A value that stands behind in the text has its type beside it.
func.func @blocks(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  cf.br ^bb2
^bb1:
  %1 = array.join (%0 : !array.of<@n / 2 x 2 x i32>)
  return %1 : !array.of<@n x i32>
^bb2:
  %0 = array.split 2 %x
  cf.br ^bb1
}
// eval: @blocks([1, 2]) == [1, 2]
