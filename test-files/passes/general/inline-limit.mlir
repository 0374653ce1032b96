// test: opt --pipeline="builtin.module(inline{max-ops=5})"

// What does not fit any more stays a call.
func.func private @twice(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32
  return %y : i32
}
func.func @many(%x: i32) -> i32 {
  %a = call @twice(%x) : (i32) -> i32
  %b = call @twice(%a) : (i32) -> i32
  return %b : i32
}
// check: func.func @many
// next: %y = arith.addi
// next: call @twice
// eval: @many(3) == 12
