// test: opt --pipeline="func.func(canonicalize)"
// rule: alloc_const_sizes, copy_nothing, dead_alloc, memref_cast_of_cast, reinterpret_cast_const
// rule: reinterpret_cast_of_view, subview_const, subview_of_all, subview_of_cast

// Constants go into offsets, sizes and strides, and from there into the type.
func.func @constants(%m: memref<8x8xf32>, %s: index) -> (index, memref<?x4xf32, strided<[8, 1], offset: ?>>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %v = memref.subview %m[%c2, %s] [%c2, 4] [1, 1] : memref<8x8xf32> to memref<?x4xf32, strided<[8, 1], offset: ?>>
  %d = memref.dim %v, %c0 : memref<?x4xf32, strided<[8, 1], offset: ?>>
  return %d, %v : index, memref<?x4xf32, strided<[8, 1], offset: ?>>
}
// check: func.func @constants
// next: %d = arith.constant 2 : index
// next: memref.subview %m[2, %s] [2, 4] [1, 1] : memref<8x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
// next: memref.cast

// A dropped dimension is not counted.
func.func @dropped(%m: memref<8x8xf32>, %s: index) -> index {
  %c0 = arith.constant 0 : index
  %v = memref.subview %m[2, %s] [1, %s] [1, 1] : memref<8x8xf32> to memref<?xf32, strided<[1], offset: ?>>
  %d = memref.dim %v, %c0 : memref<?xf32, strided<[1], offset: ?>>
  return %d : index
}
// check: func.func @dropped
// next: return %s : index

// Allocations learn their sizes, users look through casts, what is only written goes.
func.func @allocations(%n: index, %x: f32) -> memref<?xf32> {
  %c8 = arith.constant 8 : index
  %m = memref.alloc(%c8) {alignment = 64 : i64} : memref<?xf32>
  memref.store %x, %m[%n] : memref<?xf32>
  %there = memref.cast %m : memref<?xf32> to memref<8xf32>
  %back = memref.cast %there : memref<8xf32> to memref<?xf32>
  %unread = memref.alloc() : memref<4xf32>
  memref.store %x, %unread[%n] : memref<4xf32>
  memref.dealloc %unread : memref<4xf32>
  return %back : memref<?xf32>
}
// check: func.func @allocations
// next: memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// next: memref.store
// next: memref.cast
// next: return

func.func @copies(%a: memref<4xf32>, %b: memref<?xf32>, %z: memref<0xf32>, %y: memref<0xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.copy %c, %b : memref<?xf32> to memref<?xf32>
  memref.copy %b, %b : memref<?xf32> to memref<?xf32>
  memref.copy %z, %y : memref<0xf32> to memref<0xf32>
  return
}
// check: func.func @copies
// next: memref.copy %a, %b : memref<4xf32> to memref<?xf32>
// next: return

func.func @all_and_cast(%a: memref<8x8xf32>, %i: index) -> (memref<8x8xf32, strided<[8, 1]>>, memref<8x8xf32>, memref<?x4xf32, strided<[?, 1], offset: ?>>) {
  %0 = memref.subview %a[0, 0] [8, 8] [1, 1] : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %1 = memref.subview %a[0, 0] [8, 8] [1, 1] : memref<8x8xf32> to memref<8x8xf32>
  %c = memref.cast %a : memref<8x8xf32> to memref<?x?xf32>
  %2 = memref.subview %c[%i, 0] [%i, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %0, %1, %2 : memref<8x8xf32, strided<[8, 1]>>, memref<8x8xf32>, memref<?x4xf32, strided<[?, 1], offset: ?>>
}
// check: func.func @all_and_cast
// next: memref.cast %a : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>>
// next: memref.subview %a[%i, 0] [%i, 4] [1, 1] : memref<8x8xf32> to memref<?x4xf32, strided<[8, 1], offset: ?>>
// next: memref.cast
// next: return

func.func @readings(%a: memref<8x8xf32>, %i: index) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8x8xf32>, index) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %0 = memref.reinterpret_cast %a to offset: [%c4], sizes: [%c4, %i], strides: [%i, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<8x8xf32>
  %2 = memref.dim %0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %0, %1, %2 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<8x8xf32>, index
}
// check: func.func @readings
// next: arith.constant 4 : index
// next: memref.reinterpret_cast %a to offset: [4], sizes: [4, %i], strides: [%i, 1] : memref<8x8xf32> to memref<4x?xf32, strided<[?, 1], offset: 4>>
// next: memref.cast
// next: return

// The fifth element of the column that starts at row 1, column 2, two rows at a time.
func.func @column(%at: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %m = memref.alloc() : memref<10x10xindex>
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      %row = arith.muli %i, %c10 : index
      %v = arith.addi %row, %j : index
      memref.store %v, %m[%i, %j] : memref<10x10xindex>
    }
  }
  %v = memref.subview %m[1, 2] [4, 1] [2, 1] : memref<10x10xindex> to memref<4xindex, strided<[20], offset: 12>>
  %w = memref.subview %v[%at] [1] [1] : memref<4xindex, strided<[20], offset: 12>> to memref<1xindex, strided<[20], offset: ?>>
  %r = memref.reinterpret_cast %m to offset: [%at], sizes: [10], strides: [10] : memref<10x10xindex> to memref<10xindex, strided<[10], offset: ?>>
  %x = memref.load %w[%c0] : memref<1xindex, strided<[20], offset: ?>>
  %y = memref.load %r[%c1] : memref<10xindex, strided<[10], offset: ?>>
  %z = arith.addi %x, %y : index
  return %z : index
}
// eval: @column(0) == 22
// eval: @column(3) == 85
// eval: @column(4) == trap E0308

// Copies between layouts, and an allocation with one.
func.func @transposed(%i: index, %j: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc()[%c2] : memref<2x3xi32, strided<[1, ?]>>
  %m = memref.alloc() : memref<2x3xi32>
  %c3 = arith.constant 3 : index
  scf.for %p = %c0 to %c2 step %c1 {
    scf.for %q = %c0 to %c3 step %c1 {
      %t = arith.muli %p, %c3 : index
      %u = arith.addi %t, %q : index
      %v = arith.index_cast %u : index to i32
      memref.store %v, %m[%p, %q] : memref<2x3xi32>
    }
  }
  memref.copy %m, %a : memref<2x3xi32> to memref<2x3xi32, strided<[1, ?]>>
  %flat = memref.reinterpret_cast %a to offset: [0], sizes: [6], strides: [1] : memref<2x3xi32, strided<[1, ?]>> to memref<6xi32>
  %d = arith.muli %j, %c2 : index
  %e = arith.addi %d, %i : index
  %r = memref.load %flat[%e] : memref<6xi32>
  return %r : i32
}
// eval: @transposed(1, 0) == 3
// eval: @transposed(0, 2) == 2
// eval: @transposed(1, 2) == 5

// A cast of a cast forgets at once what both forget.
func.func @forgotten(%m: memref<4x4xf32>) -> memref<?x?xf32> {
  %a = memref.cast %m : memref<4x4xf32> to memref<?x4xf32>
  %b = memref.cast %a : memref<?x4xf32> to memref<?x?xf32>
  return %b : memref<?x?xf32>
}
// check: func.func @forgotten
// next: %b = memref.cast %m : memref<4x4xf32> to memref<?x?xf32>
// next: return %b
