// test: opt --pipeline="symbol-dce"

// Live through public @main; @b through @a. @dead refers to itself only.
func.func @main() {
  call @a() : () -> ()
  return
}
func.func private @a() {
  call @b() : () -> ()
  return
}
func.func private @b()
func.func private @dead() {
  call @dead() : () -> ()
  return
}
// eval: @main() == trap E0303
// check: @main
// check: @a
// check: @b
// not: @dead
