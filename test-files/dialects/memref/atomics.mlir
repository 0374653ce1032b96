// test: opt --pipeline="func.func(canonicalize)"
// test: round-trip

func.func @floats(%x: f32, %y: f32) -> (f32, f32) {
  %m = memref.alloc() : memref<f32>
  memref.store %x, %m[] : memref<f32>
  %old = memref.atomic_rmw maximumf %y, %m[] : (f32, memref<f32>) -> f32
  %new = memref.load %m[] : memref<f32>
  return %old, %new : f32, f32
}
// check: func.func @floats
// eval: @floats(1.0, 2.0) == (1.0, 2.0)
// eval: @floats(3.0, 2.0) == (3.0, 3.0)

func.func @ints(%x: i8, %y: i8) -> (i8, i8, i8, i8) {
  %m = memref.alloc() : memref<i8>
  memref.store %x, %m[] : memref<i8>
  %a = memref.atomic_rmw addi %y, %m[] : (i8, memref<i8>) -> i8
  %b = memref.atomic_rmw minu %y, %m[] : (i8, memref<i8>) -> i8
  %c = memref.atomic_rmw assign %x, %m[] : (i8, memref<i8>) -> i8
  %d = memref.load %m[] : memref<i8>
  return %a, %b, %c, %d : i8, i8, i8, i8
}
// eval: @ints(100, 100) == (100, -56, 100, 100)
// eval: @ints(1, -1) == (1, 0, 0, 1)

// Any function of the element; the element before comes out.
func.func @generic(%x: i32, %y: i32) -> (i32, i32) {
  %m = memref.alloc() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  %old = memref.generic_atomic_rmw %m[] : memref<i32> {
  ^bb0(%is: i32):
    %p = arith.muli %is, %y : i32
    memref.atomic_yield %p : i32
  }
  %new = memref.load %m[] : memref<i32>
  return %old, %new : i32, i32
}
// eval: @generic(6, 7) == (6, 42)
