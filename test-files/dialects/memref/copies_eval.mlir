// Copies between layouts, of nothing, of one element, and onto itself.
// test: opt --pipeline="func.func(canonicalize)"

func.func @to_columns(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %a = memref.alloca() : memref<2x3xi32>
  vector.transfer_write %all, %a[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xi32>, memref<2x3xi32>
  %b = memref.alloca() : memref<3x2xi32>
  %t = memref.transpose %b (i, j) -> (j, i) : memref<3x2xi32> to memref<2x3xi32, strided<[1, 2]>>
  memref.copy %a, %t : memref<2x3xi32> to memref<2x3xi32, strided<[1, 2]>>
  %r = memref.load %b[%i, %j] : memref<3x2xi32>
  return %r : i32
}
// eval: @to_columns(0, 0) == 1
// eval: @to_columns(0, 1) == 4
// eval: @to_columns(2, 0) == 3
// eval: @to_columns(2, 1) == 6

// From every other element into neighbors.
func.func @gathered(%i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %all = arith.constant dense<[10, 11, 12, 13, 14, 15, 16]> : vector<7xi32>
  %a = memref.alloca() : memref<7xi32>
  vector.store %all, %a[%c0] : memref<7xi32>, vector<7xi32>
  %s = memref.subview %a[0] [4] [2] : memref<7xi32> to memref<4xi32, strided<[2]>>
  %b = memref.alloca() : memref<4xi32>
  memref.copy %s, %b : memref<4xi32, strided<[2]>> to memref<4xi32>
  %r = memref.load %b[%i] : memref<4xi32>
  return %r : i32
}
// eval: @gathered(0) == 10
// eval: @gathered(3) == 16

func.func @scalar(%x: f64) -> f64 {
  %a = memref.alloca() : memref<f64>
  %b = memref.alloca() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  memref.copy %a, %b : memref<f64> to memref<f64>
  %r = memref.load %b[] : memref<f64>
  return %r : f64
}
// eval: @scalar(-0.0) == -0.0
// eval: @scalar(0x7FF8000000000001) == 0x7FF8000000000001

// No element moves; nothing is read or written.
func.func @nothing(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<0xi32>
  %b = memref.alloca() : memref<0xi32>
  %m = memref.alloca() : memref<1xi32>
  memref.store %x, %m[%c0] : memref<1xi32>
  memref.copy %a, %b : memref<0xi32> to memref<0xi32>
  %r = memref.load %m[%c0] : memref<1xi32>
  return %r : i32
}
// eval: @nothing(0, 7) == 7

func.func @dynamic(%n: index, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xi32>
  %b = memref.alloc(%n) : memref<?xi32>
  scf.for %k = %c0 to %n step %c1 {
    %v = arith.index_cast %k : index to i32
    memref.store %v, %a[%k] : memref<?xi32>
  }
  memref.copy %a, %b : memref<?xi32> to memref<?xi32>
  %r = memref.load %b[%i] : memref<?xi32>
  memref.dealloc %a : memref<?xi32>
  memref.dealloc %b : memref<?xi32>
  return %r : i32
}
// eval: @dynamic(1, 0) == 0
// eval: @dynamic(17, 16) == 16
// eval: @dynamic(3, 3) == trap E0308
// eval: @dynamic(0, 0) == trap E0308

// A buffer onto itself stays as it is.
func.func @itself(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloca() : memref<1xi32>
  memref.store %x, %a[%c0] : memref<1xi32>
  memref.copy %a, %a : memref<1xi32> to memref<1xi32>
  %r = memref.load %a[%c0] : memref<1xi32>
  return %r : i32
}
// eval: @itself(9) == 9

func.func @bits(%x: i1, %y: i1) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<2xi1>
  %b = memref.alloca() : memref<2xi1>
  memref.store %x, %a[%c0] : memref<2xi1>
  memref.store %y, %a[%c1] : memref<2xi1>
  memref.copy %a, %b : memref<2xi1> to memref<2xi1>
  %p = memref.load %b[%c0] : memref<2xi1>
  %q = memref.load %b[%c1] : memref<2xi1>
  return %p, %q : i1, i1
}
// eval: @bits(true, false) == (true, false)
// eval: @bits(false, true) == (false, true)
