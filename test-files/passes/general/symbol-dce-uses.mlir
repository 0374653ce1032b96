// Private symbols stay as long as something that stays refers to them, however it does.
// test: opt --pipeline="symbol-dce"

// check: func.func private @called
func.func private @called(%x: i32) -> i32 {
  return %x : i32
}

// check: func.func private @through_called
func.func private @through_called(%x: i32) -> i32 {
  %r = func.call @called(%x) : (i32) -> i32
  return %r : i32
}

// not: @only_by_dead
func.func private @only_by_dead(%x: i32) -> i32 {
  return %x : i32
}

// not: @dead
func.func private @dead(%x: i32) -> i32 {
  %r = func.call @only_by_dead(%x) : (i32) -> i32
  return %r : i32
}

// Two that only call each other.
// not: @ring_a
func.func private @ring_a(%x: i32) -> i32 {
  %r = func.call @ring_b(%x) : (i32) -> i32
  return %r : i32
}
// not: @ring_b
func.func private @ring_b(%x: i32) -> i32 {
  %r = func.call @ring_a(%x) : (i32) -> i32
  return %r : i32
}

// check: func.func private @as_value
func.func private @as_value(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = arith.addi %x, %one : i32
  return %r : i32
}

// check: memref.global "private" constant @table
memref.global "private" constant @table : memref<2xi32> = dense<[3, 4]>

// not: @unused_table
memref.global "private" constant @unused_table : memref<2xi32> = dense<[3, 4]>

// check: func.func @public
func.func @public(%x: i32, %i: index) -> i32 {
  %a = func.call @through_called(%x) : (i32) -> i32
  %f = func.constant @as_value : (i32) -> i32
  %b = func.call_indirect %f(%a) : (i32) -> i32
  %t = memref.get_global @table : memref<2xi32>
  %c = memref.load %t[%i] : memref<2xi32>
  %r = arith.addi %b, %c : i32
  return %r : i32
}
// eval: @public(10, 0) == 14
// eval: @public(10, 1) == 15

// A public one stays, though nothing calls it.
// check: func.func @alone
func.func @alone() {
  return
}
