// test: opt
// test: round-trip

memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
memref.global "private" @counter : memref<i32> = dense<0>
memref.global @scratch : memref<4xf32> = uninitialized {alignment = 64 : i64}
memref.global "private" @elsewhere : memref<4xf32>

func.func @at(%i: index, %j: index) -> i32 {
  %t = memref.get_global @table : memref<2x2xi32>
  %x = memref.load %t[%i, %j] : memref<2x2xi32>
  return %x : i32
}
// eval: @at(1, 0) == 3
// eval: @at(2, 0) == trap E0308

func.func @next() -> i32 {
  %c = memref.get_global @counter : memref<i32>
  %one = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %one, %c[] : (i32, memref<i32>) -> i32
  return %old : i32
}

func.func @twice() -> (i32, i32) {
  %a = func.call @next() : () -> i32
  %b = func.call @next() : () -> i32
  return %a, %b : i32, i32
}
// eval: @twice() == (0, 1)

func.func @unwritten(%i: index) -> f32 {
  %t = memref.get_global @scratch : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  return %x : f32
}
// eval: @unwritten(0) == trap E0309
