// test: opt --pipeline="func.func(canonicalize)"
// rule: subview_const, subview_of_cast

// Numbers in place of operands and casts: a part that stays inside of its buffer says so in its type. One that leaves it
// fails where it runs, as before; it does not become an op that the verifier refuses.

func.func @inside(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<7xf32>
  %s = memref.subview %m[%c1] [%c3] [%c3] : memref<7xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.store %x, %s[%c0] : memref<?xf32, strided<[?], offset: ?>>
  %r = memref.load %m[%c1] : memref<7xf32>
  return %r : f32
}
// 1 + 2 * 3 = 7 is one too far.
// check: func.func @inside
// check: memref.subview %m[%c1] [%c3] [%c3]
// eval: @inside(2.5) == trap E0308

func.func @just_inside(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<8xf32>
  %s = memref.subview %m[%c1] [%c3] [%c3] : memref<8xf32> to memref<?xf32, strided<[?], offset: ?>>
  memref.store %x, %s[%c0] : memref<?xf32, strided<[?], offset: ?>>
  %r = memref.load %m[%c1] : memref<8xf32>
  return %r : f32
}
// check: func.func @just_inside
// check: memref.subview %m[1] [3] [3] : memref<8xf32> to memref<3xf32, strided<[3], offset: 1>>
// eval: @just_inside(2.5) == 2.5

func.func @offset(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %m = memref.alloc() : memref<5xf32>
  %s = memref.subview %m[%c5] [1] [1] : memref<5xf32> to memref<1xf32, strided<[1], offset: ?>>
  memref.store %x, %s[%c0] : memref<1xf32, strided<[1], offset: ?>>
  return %x : f32
}
// check: func.func @offset
// check: memref.subview %m[%c5] [1] [1]
// eval: @offset(2.5) == trap E0308

// Backwards, below the first element.
func.func @backwards(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %back = arith.constant -1 : index
  %m = memref.alloc() : memref<5xf32>
  %s = memref.subview %m[%c3] [5] [%back] : memref<5xf32> to memref<5xf32, strided<[?], offset: ?>>
  memref.store %x, %s[%c0] : memref<5xf32, strided<[?], offset: ?>>
  return %x : f32
}
// check: func.func @backwards
// check: memref.subview %m[%c3] [5] [%back]
// eval: @backwards(2.5) == trap E0308

// The buffer's size becomes known by a cast, or by its allocation.
func.func @cast(%m: memref<4xf32>) -> memref<2xf32, strided<[1], offset: 3>> {
  %k = memref.cast %m : memref<4xf32> to memref<?xf32>
  %s = memref.subview %k[3] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 3>>
  return %s : memref<2xf32, strided<[1], offset: 3>>
}
// check: func.func @cast
// check: memref.subview %k[3] [2] [1] : memref<?xf32>

func.func @cast_inside(%m: memref<5xf32>) -> memref<2xf32, strided<[1], offset: 3>> {
  %k = memref.cast %m : memref<5xf32> to memref<?xf32>
  %s = memref.subview %k[3] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 3>>
  return %s : memref<2xf32, strided<[1], offset: 3>>
}
// check: func.func @cast_inside
// check: memref.subview %m[3] [2] [1] : memref<5xf32>

func.func @alloc(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%c2) : memref<?xf32>
  %s = memref.subview %m[%c2] [%c2] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.store %x, %s[%c0] : memref<?xf32, strided<[1], offset: ?>>
  return %x : f32
}
// check: func.func @alloc
// check: memref.subview
// eval: @alloc(2.5) == trap E0308

// Sizes that the casts forgot differ: the copy stays one of buffers of any size.
func.func @copy() {
  %m = memref.alloc() : memref<5xf32>
  %n = memref.alloc() : memref<3xf32>
  %a = memref.cast %m : memref<5xf32> to memref<?xf32>
  %b = memref.cast %n : memref<3xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
}
// check: func.func @copy
// check: memref.copy
// eval: @copy() == trap E0308
