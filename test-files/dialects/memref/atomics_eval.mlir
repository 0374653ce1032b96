// Each kind of atomic update: what it gives is the element before, what it leaves is the combination.
// test: opt --pipeline="func.func(canonicalize)"

func.func @ints(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32, i32) {
  %m = memref.alloca() : memref<i32>
  memref.store %a, %m[] : memref<i32>
  %p = memref.atomic_rmw addi %b, %m[] : (i32, memref<i32>) -> i32
  %q = memref.load %m[] : memref<i32>
  %r = memref.atomic_rmw muli %b, %m[] : (i32, memref<i32>) -> i32
  %s = memref.load %m[] : memref<i32>
  %t = memref.atomic_rmw assign %b, %m[] : (i32, memref<i32>) -> i32
  %u = memref.load %m[] : memref<i32>
  return %p, %q, %r, %s, %t, %u : i32, i32, i32, i32, i32, i32
}
// eval: @ints(5, 3) == (5, 8, 8, 24, 24, 3)
// eval: @ints(2147483647, 1) == (2147483647, -2147483648, -2147483648, -2147483648, -2147483648, 1)

func.func @orders(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
  %m = memref.alloca() : memref<4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %a, %m[%c0] : memref<4xi32>
  memref.store %a, %m[%c1] : memref<4xi32>
  memref.store %a, %m[%c2] : memref<4xi32>
  memref.store %a, %m[%c3] : memref<4xi32>
  %p = memref.atomic_rmw maxs %b, %m[%c0] : (i32, memref<4xi32>) -> i32
  %q = memref.atomic_rmw mins %b, %m[%c1] : (i32, memref<4xi32>) -> i32
  %r = memref.atomic_rmw maxu %b, %m[%c2] : (i32, memref<4xi32>) -> i32
  %s = memref.atomic_rmw minu %b, %m[%c3] : (i32, memref<4xi32>) -> i32
  %w = memref.load %m[%c0] : memref<4xi32>
  %x = memref.load %m[%c1] : memref<4xi32>
  %y = memref.load %m[%c2] : memref<4xi32>
  %z = memref.load %m[%c3] : memref<4xi32>
  return %w, %x, %y, %z : i32, i32, i32, i32
}
// eval: @orders(-1, 1) == (1, -1, -1, 1)
// eval: @orders(1, 2) == (2, 1, 2, 1)
// eval: @orders(-2147483648, 2147483647) == (2147483647, -2147483648, -2147483648, 2147483647)

func.func @bits(%a: i32, %b: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %a, %m[%c0] : memref<2xi32>
  memref.store %a, %m[%c1] : memref<2xi32>
  %p = memref.atomic_rmw ori %b, %m[%c0] : (i32, memref<2xi32>) -> i32
  %q = memref.atomic_rmw andi %b, %m[%c1] : (i32, memref<2xi32>) -> i32
  %x = memref.load %m[%c0] : memref<2xi32>
  %y = memref.load %m[%c1] : memref<2xi32>
  return %x, %y : i32, i32
}
// eval: @bits(12, 10) == (14, 8)
// eval: @bits(-1, 0) == (-1, 0)

func.func @floats(%a: f32, %b: f32) -> (f32, f32, f32) {
  %m = memref.alloca() : memref<f32>
  memref.store %a, %m[] : memref<f32>
  %p = memref.atomic_rmw addf %b, %m[] : (f32, memref<f32>) -> f32
  %q = memref.atomic_rmw mulf %b, %m[] : (f32, memref<f32>) -> f32
  %r = memref.load %m[] : memref<f32>
  return %p, %q, %r : f32, f32, f32
}
// eval: @floats(1.5, 2.0) == (1.5, 3.5, 7.0)
// eval: @floats(-0.0, 0.0) == (-0.0, 0.0, 0.0)

func.func @float_orders(%a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xf32>
  memref.store %a, %m[%c0] : memref<2xf32>
  memref.store %a, %m[%c1] : memref<2xf32>
  %p = memref.atomic_rmw maximumf %b, %m[%c0] : (f32, memref<2xf32>) -> f32
  %q = memref.atomic_rmw minimumf %b, %m[%c1] : (f32, memref<2xf32>) -> f32
  %x = memref.load %m[%c0] : memref<2xf32>
  %y = memref.load %m[%c1] : memref<2xf32>
  return %x, %y : f32, f32
}
// eval: @float_orders(1.0, -2.5) == (1.0, -2.5)
// eval: @float_orders(0x7FC00000, 1.0) == (0x7FC00000, 0x7FC00000)

// The region says what is written; the sum saturates here.
func.func @saturating(%a: i8, %b: i8) -> (i8, i8) {
  %m = memref.alloca() : memref<i8>
  memref.store %a, %m[] : memref<i8>
  %old = memref.generic_atomic_rmw %m[] : memref<i8> {
  ^bb0(%now: i8):
    %top = arith.constant 127 : i8
    %x = arith.extsi %now : i8 to i16
    %y = arith.extsi %b : i8 to i16
    %s = arith.addi %x, %y : i16
    %t = arith.extsi %top : i8 to i16
    %c = arith.minsi %s, %t : i16
    %r = arith.trunci %c : i16 to i8
    memref.atomic_yield %r : i8
  }
  %new = memref.load %m[] : memref<i8>
  return %old, %new : i8, i8
}
// eval: @saturating(100, 20) == (100, 120)
// eval: @saturating(100, 100) == (100, 127)
// eval: @saturating(-100, 1) == (-100, -99)
