// test: opt --pipeline="symbol-dce" --allow-unregistered-dialect

// What an op that is no symbol refers to stays; one inside of a function that goes refers to nothing.
"test.keeps"() {function = @kept} : () -> ()
func.func private @kept()
func.func private @gone() {
  "test.asks"() {function = @also_gone} : () -> ()
  return
}
func.func private @also_gone()
// check: test.keeps
// next: func.func private @kept
// not: @also_gone
// not: @gone
