// test: round-trip
// Reductions, folds and scans: empty, one-sized, of each type, by operators of one's own, in order.

func.func @product(%x: !array.of<@n x f64>) -> f64 {
  %0 = array.reduce mul %x as %a {
    array.yield %a
  }
  return %0 : f64
}
// eval: @product([0.5, 4.0, -3.0]) == -6.0
// eval: @product([]) == 1.0

func.func @least(%x: !array.of<@n x i8>) -> i8 {
  %0 = array.reduce min %x as %a {
    array.yield %a
  }
  return %0 : i8
}
// eval: @least([5, -7, 0]) == -7
// eval: @least([]) == 127

func.func @all(%x: !array.of<@n x i1>) -> i1 {
  %0 = array.reduce and %x as %a {
    array.yield %a
  }
  return %0 : i1
}
// eval: @all([true, true]) == true
// eval: @all([true, false]) == false
// eval: @all([]) == true

func.func @any(%x: !array.of<@n x i1>) -> i1 {
  %0 = array.reduce or %x as %a {
    array.yield %a
  }
  return %0 : i1
}
// eval: @any([false, true]) == true
// eval: @any([]) == false

// Sums of bytes wrap around.
func.func @wraps(%x: !array.of<@n x i8>) -> i8 {
  %0 = array.reduce add %x as %a {
    array.yield %a
  }
  return %0 : i8
}
// eval: @wraps([100, 100]) == -56

// The start value is counted once.
func.func @once(%x: !array.of<@n x i32>, %z: i32) -> i32 {
  %0 = array.reduce add init %z free %x as %a {
    array.yield %a
  }
  return %0 : i32
}
// eval: @once([1, 2, 3], 100) == 106
// eval: @once([], 100) == 100

// Of contributions that are arrays each element is reduced for itself; a start value may be an array, too.
func.func @rows_from(%x: !array.of<@n x 2 x i32>, %z: !array.of<2 x i32>) -> !array.of<2 x i32> {
  %0 = array.reduce max init %z %x as %row {
    array.yield %row
  }
  return %0 : !array.of<2 x i32>
}
// eval: @rows_from([[1, 9], [5, 2]], [4, 4]) == [5, 9]
// eval: @rows_from([], [4, -4]) == [4, -4]

func.func @three_at_once(%x: !array.of<@n x i32>) -> tuple<i32, i32, i32> {
  %0 = array.reduce add, min, max %x as %a {
    array.yield %a, %a, %a
  }
  return %0 : tuple<i32, i32, i32>
}
// eval: @three_at_once([3, -1, 5]) == [7, -1, 5]

// Associative, not commutative: the order of elements is kept.
func.func private @first(%a: i32, %b: i32) -> i32 attributes {sched.operator = {associative, exact, identity = [0 : i32]}} {
  %zero = arith.constant 0 : i32
  %none = arith.cmpi eq, %a, %zero : i32
  %r = arith.select %none, %b, %a : i32
  return %r : i32
}
func.func @first_of(%x: !array.of<@n x i32>) -> i32 {
  %0 = array.reduce @first %x as %a {
    array.yield %a
  }
  return %0 : i32
}
// eval: @first_of([0, 0, 7, 3]) == 7
// eval: @first_of([0, 0]) == 0
// eval: @first_of([]) == 0

// A product of 2×2 matrices as an operator on four numbers.
func.func private @matrices(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32, %g: i32, %h: i32) -> (i32, i32, i32, i32)
    attributes {sched.operator = {associative, exact, identity = [1 : i32, 0 : i32, 0 : i32, 1 : i32]}} {
  %ae = arith.muli %a, %e : i32
  %bg = arith.muli %b, %g : i32
  %af = arith.muli %a, %f : i32
  %bh = arith.muli %b, %h : i32
  %ce = arith.muli %c, %e : i32
  %dg = arith.muli %d, %g : i32
  %cf = arith.muli %c, %f : i32
  %dh = arith.muli %d, %h : i32
  %0 = arith.addi %ae, %bg : i32
  %1 = arith.addi %af, %bh : i32
  %2 = arith.addi %ce, %dg : i32
  %3 = arith.addi %cf, %dh : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}
func.func @steps(%x: !array.of<@n x i32>) -> tuple<i32, i32, i32, i32> {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %0 = array.reduce @matrices %x as %a {
    array.yield %a, %one, %one, %zero
  }
  return %0 : tuple<i32, i32, i32, i32>
}
// Continuants: 2 + 1/(3 + 1/4) is 30/13.
// eval: @steps([2, 3, 4]) == [30, 7, 13, 3]
// eval: @steps([]) == [1, 0, 0, 1]

// A fold is a left fold of anything.
func.func @alternating(%x: !array.of<@n x i32>, %z: i32) -> i32 {
  %0 = array.fold init %z %x as %acc, %a {
    %1 = arith.subi %a, %acc : i32
    array.yield %1
  }
  return %0 : i32
}
// eval: @alternating([1, 2, 3], 10) == -8
// eval: @alternating([], 10) == 10

// Its value may be of another type than the elements.
func.func @count(%x: !array.of<@n x i1>, %z: index) -> index {
  %c1 = arith.constant 1 : index
  %0 = array.fold init %z %x as %acc, %a {
    %1 = arith.addi %acc, %c1 : index
    %2 = arith.select %a, %1, %acc : index
    array.yield %2
  }
  return %0 : index
}
// eval: @count([true, false, true], 0) == 2

func.func @prefixes(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.scan add %x as %a {
    array.yield %a
  }
  return %0 : !array.of<@n x i32>
}
// eval: @prefixes([1, 2, 3]) == [1, 3, 6]
// eval: @prefixes([]) == []

func.func @prefixes_before(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.scan add exclusive %x as %a {
    array.yield %a
  }
  return %0 : !array.of<@n x i32>
}
// eval: @prefixes_before([1, 2, 3]) == [0, 1, 3]

func.func @greatest_so_far(%x: !array.of<@n x i32>, %z: i32) -> !array.of<@n x i32> {
  %0 = array.scan max init %z %x as %a {
    array.yield %a
  }
  return %0 : !array.of<@n x i32>
}
// eval: @greatest_so_far([1, 5, 3], 2) == [2, 5, 5]

func.func @first_so_far(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.scan @first %x as %a {
    array.yield %a
  }
  return %0 : !array.of<@n x i32>
}
// eval: @first_so_far([0, 4, 5]) == [0, 4, 4]

// Reductions inside of maps, over dimensions of different sizes.
func.func @row_sums(%x: !array.of<@rows x @columns x i32>) -> !array.of<@rows x i32> {
  %0 = array.map %x as %row {
    %1 = array.reduce add %row as %a {
      array.yield %a
    }
    array.yield %1
  }
  return %0 : !array.of<@rows x i32>
}
// eval: @row_sums([[1, 2, 3], [4, 5, 6]]) == [6, 15]

// The greatest of sums: a reduction of a reduction.
func.func @greatest_sum(%x: !array.of<@rows x @columns x i32>) -> i32 {
  %0 = array.reduce max %x as %row {
    %1 = array.reduce add %row as %a {
      array.yield %a
    }
    array.yield %1
  }
  return %0 : i32
}
// eval: @greatest_sum([[1, 2], [9, -9], [2, 2]]) == 4

// A product of a matrix, transposed in place, and a vector.
func.func @transposed_product(%A: !array.of<@k x @m x i32>, %x: !array.of<@k x i32>) -> !array.of<@m x i32> {
  %t = array.transpose %A
  %0 = array.map %t as %column {
    %1 = array.zip %column, %x
    %2 = array.reduce add %1 as %a, %b {
      %3 = arith.muli %a, %b : i32
      array.yield %3
    }
    array.yield %2
  }
  return %0 : !array.of<@m x i32>
}
// eval: @transposed_product([[1, 2, 3], [4, 5, 6]], [10, 1]) == [14, 25, 36]

// Rounding is that of a left fold, also of 16 bits.
func.func @halves(%x: !array.of<@n x f16>) -> f16 {
  %0 = array.reduce add source %x as %a {
    array.yield %a
  }
  return %0 : f16
}
// eval: @halves([2048.0, 1.0, 1.0]) == 2048.0
// eval: @halves([1.0, 1.0, 2048.0]) == 2050.0

// Iterations: pairs are added until one is left.
func.func @tree(%x: !array.of<8 x i32>) -> !array.of<1 x i32> {
  %0 = array.iterate 3 init %x as ($l) %v {
    %1 = array.split 2 %v
    %2 = array.map %1 as %pair {
      %3 = array.reduce add %pair as %a {
        array.yield %a
      }
      array.yield %3
    }
    array.yield %2
  }
  return %0 : !array.of<1 x i32>
}
// eval: @tree([1, 2, 3, 4, 5, 6, 7, 8]) == [36]

func.func @no_rounds(%x: !array.of<@n x i32>) -> !array.of<@n x i32> {
  %0 = array.iterate 0 init %x as ($l) %v {
    %1 = array.map %v as %a {
      %2 = arith.addi %a, %a : i32
      array.yield %2
    }
    array.yield %1
  }
  return %0 : !array.of<@n x i32>
}
// eval: @no_rounds([1, 2]) == [1, 2]
