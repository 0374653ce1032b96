// test: opt --pipeline="func.func(dce)"

// A chain of unused ops goes in one sweep, loops without effects too; calls stay.
func.func @chain(%a: i32, %n: index) -> i32 {
  %x = arith.addi %a, %a : i32
  %y = arith.muli %x, %x : i32
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %n {
    %z = arith.addi %a, %a : i32
  }
  %r = call @f() : () -> i32
  return %a : i32
}
func.func private @f() -> i32
// eval: @chain(1, 5) == trap E0303
// check: func.func @chain
// next: call @f
// next: return %a
