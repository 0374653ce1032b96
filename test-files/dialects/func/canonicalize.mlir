// test: opt --pipeline="func.func(canonicalize)"
// rule: call_indirect_of_constant

func.func private @callee(%x: i32) -> i32 {
  %r = arith.addi %x, %x : i32
  return %r : i32
}

func.func @known(%x: i32) -> i32 {
  %f = constant @callee : (i32) -> i32
  %r = call_indirect %f(%x) : (i32) -> i32
  return %r : i32
}
// check: func.func @known
// next: %r = call @callee(%x) : (i32) -> i32
// eval: @known(4) == 8
