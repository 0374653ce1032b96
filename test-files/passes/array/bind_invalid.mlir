// test: opt --pipeline="func.func(array-bind{sizes=n=10,m=4})" --split-input-file --verify-diagnostics

func.func @split(%x: !array.of<@n x f32>) -> !array.of<@n / @m x @m x f32> {
  // expected-error @+1 {{[E0690]: 'array.split' op SIZE: size of parts: @m must divide @n, which leaves 2 with @m = 4, @n = 10}}
  %0 = array.split @m %x
  return %0 : !array.of<@n / @m x @m x f32>
}

// -----
// A size that no op of the function makes.
// expected-error @+1 {{'func.func' op SIZE: !array.of<@n / @m x f32>: a quotient that has to be exact leaves a remainder}}
func.func @argument(%x: !array.of<@n / @m x f32>) {
  return
}
